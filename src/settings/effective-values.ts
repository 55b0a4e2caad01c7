import { findKey } from './find-key.js';
import { acceptsEmpty, type Given } from './layer.js';
import { type Lookup, resolvePlaceholders } from './placeholders.js';
import { defaultAt, type JobLocation } from './setting.js';
import { rowOf } from './setting-table.js';
import { isRawList, type RawValue } from './raw-value.js';

/** Marks a value as a secret in FSCrawler's example files; it is no part of the value. */
const SECRET_MARK = /@\{secret\}\s*$/;

/** Where FSCrawler takes the mark as a part of the value: these are passwords as they are. */
const UNMARKED = 'passwords.providers.';

export interface Outside {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly properties: ReadonlyMap<string, string>;
}

/** The value that won for each setting, with its placeholders filled in, or else its default. */
export class EffectiveValues {
  readonly #given = new Map<string, Given>();
  readonly #place: JobLocation;
  readonly #outside: Outside;
  readonly #resolving = new Set<string>();

  /** Later layers win. */
  constructor(layers: readonly ReadonlyMap<string, Given>[], place: JobLocation, outside: Outside) {
    for (const layer of layers) for (const [path, given] of layer) this.#given.set(path, given);
    this.#place = place;
    this.#outside = outside;
  }

  get isEmpty(): boolean {
    return this.#given.size === 0;
  }

  /** Undefined when the default holds. */
  originOf(path: string): string | undefined {
    return this.#given.get(path)?.origin;
  }

  /** Undefined when there is neither a value nor a default. Throws a RangeError for a placeholder without a value. */
  raw(path: string): RawValue | undefined {
    if (this.#resolving.has(path)) throw new RangeError(`the placeholder of ${path} leads back to itself.`);
    this.#resolving.add(path);
    try {
      return this.#givenValue(path) ?? this.defaultOf(path);
    } finally {
      this.#resolving.delete(path);
    }
  }

  #givenValue(path: string): RawValue | undefined {
    const given = this.#given.get(path);
    if (given === undefined) return undefined;
    if (given.literal === true) return given.raw;
    const lookup: Lookup = (name) => this.#outsideValue(name) ?? this.#settingText(name);
    const raw = mapTexts(given.raw, (text) => {
      const unmarked = path.startsWith(UNMARKED) ? text : text.replace(SECRET_MARK, '');
      return resolvePlaceholders(unmarked, lookup);
    });
    return raw === '' && !acceptsEmpty(path) ? undefined : raw;
  }

  /** Placeholders of defaults mean settings, whatever the environment holds. Throws as `raw` does. */
  defaultOf(path: string): RawValue | undefined {
    const { declared } = rowOf(path);
    const raw = defaultAt(declared, this.#place, () => this.#settingText('name') ?? this.#place.job);
    if (raw === undefined || raw !== declared.default) return raw;
    return mapTexts(raw, (text) => resolvePlaceholders(text, (name) => this.#settingText(name)));
  }

  #outsideValue(name: string): string | undefined {
    const { environment, properties } = this.#outside;
    if (name.startsWith('env:')) return environment[name.slice(4)];
    if (name.startsWith('sys:')) return properties.get(name.slice(4));
    return environment[name] ?? properties.get(name);
  }

  #settingText(name: string): string | undefined {
    const found = findKey(name.split('.'));
    const raw = found.kind === 'setting' ? this.raw(found.row.path) : undefined;
    return raw === undefined || typeof raw === 'string' ? raw : textOfList(raw);
  }
}

function textOfList(raw: RawValue): string | undefined {
  return isRawList(raw) ? raw.filter((item) => typeof item === 'string').join(',') : undefined;
}

function mapTexts(raw: RawValue, change: (text: string) => string): RawValue {
  if (typeof raw === 'string') return change(raw);
  if (isRawList(raw)) return raw.map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, mapTexts(value, change)]));
}
