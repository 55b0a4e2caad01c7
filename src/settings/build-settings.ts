import type { EffectiveValues } from './effective-values.js';
import type { JobSettings } from './job-settings.js';
import type { Report } from './report.js';
import { type SettingRow, settingRows } from './setting-table.js';
import { withoutCredentials } from './without-credentials.js';
import { textsOf, type RawValue } from './raw-value.js';

/** A setting whose placeholder has no value. */
export interface Unresolved {
  readonly row: SettingRow;
  readonly origin: string;
  readonly sentence: string;
}

interface Built {
  readonly settings: JobSettings;
  /** Settings whose value could not be read: they hold nothing to go by. */
  readonly broken: ReadonlySet<string>;
  /** They have their defaults meanwhile. Whether that is a problem depends on what the settings are for. */
  readonly unresolved: readonly Unresolved[];
}

/** Reads every value by its setting type. What cannot be read is reported, and left undefined. */
export function buildSettings(values: EffectiveValues, report: Report): Built {
  const root: Record<string, unknown> = {};
  const reader = new ValueReader(values, report);
  for (const row of settingRows)
    sectionOf(root, row.properties.slice(0, -1))[row.properties.at(-1) ?? ''] = reader.read(row);
  // The rows are the declarations that JobSettings is derived from.
  return { settings: root as JobSettings, broken: reader.broken, unresolved: reader.unresolved };
}

class ValueReader {
  readonly broken = new Set<string>();
  readonly unresolved: Unresolved[] = [];
  readonly #values: EffectiveValues;
  readonly #report: Report;

  constructor(values: EffectiveValues, report: Report) {
    this.#values = values;
    this.#report = report;
  }

  read(row: SettingRow): unknown {
    try {
      return this.#parsed(row, this.#values.raw(row.path));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.broken.add(row.path);
      const origin = this.#values.originOf(row.path);
      // A default fails only because of a setting that it refers to, which is reported itself.
      if (origin === undefined) return undefined;
      this.unresolved.push({ row, origin, sentence: error.message });
      return this.#default(row);
    }
  }

  #default(row: SettingRow): unknown {
    try {
      return this.#parsed(row, this.#values.defaultOf(row.path));
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #parsed(row: SettingRow, raw: RawValue | undefined): unknown {
    try {
      return raw === undefined ? row.declared.whenUnset : row.declared.type.parse(raw);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.broken.add(row.path);
      const origin = this.#values.originOf(row.path);
      if (origin !== undefined) this.#report.problem(origin, problemWith(row, raw, error.message));
      return undefined;
    }
  }
}

/** `fs.update_rate [5]: …`; the value is left out when the sentence names it already, and when it is a secret. */
export function problemWith(row: SettingRow, raw: RawValue | undefined, sentence: string): string {
  const texts = raw === undefined || row.declared.secret ? [] : textsOf(raw).map(withoutCredentials);
  const isNamed = texts.length === 0 || texts.some((text) => sentence.includes(`[${text}]`));
  return isNamed ? `${row.path}: ${sentence}` : `${row.path} [${texts.join(', ')}]: ${sentence}`;
}

function sectionOf(root: Record<string, unknown>, properties: readonly string[]): Record<string, unknown> {
  let section = root;
  for (const property of properties) {
    const next = (section[property] ?? {}) as Record<string, unknown>;
    section[property] = next;
    section = next;
  }
  return section;
}
