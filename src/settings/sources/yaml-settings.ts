import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { CrawlerError } from '../../base/errors.js';
import { findKey, type Found } from '../find-key.js';
import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import type { RawValue, RawMap } from '../raw-value.js';
import { lineOfDeepNesting } from './nesting.js';
import type { SettingsFile } from './settings-files.js';

/**
 * Hands what a settings file says to a layer. JSON is read as the YAML that it is. Each value goes with the line of its
 * key; keys that are none are problems, a key that is given twice is a warning (the later one is used).
 *
 * Throws `settings_invalid` for a file that is no YAML at all, or nested without end.
 */
export function readYamlSettings(file: SettingsFile, layer: Layer, report: Report): void {
  const deepLine = lineOfDeepNesting(file.text);
  if (deepLine !== undefined) throw tooDeep(file, `at line ${deepLine}`);
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw syntaxError(file, error, lines);
  new SettingsWalk(file, document, lines, layer, report).readRoot();
}

function syntaxError(file: SettingsFile, error: YAMLError, lines: LineCounter): CrawlerError {
  const { line, col } = lines.linePos(error.pos[0]);
  // What stands behind a colon in the parser's message is text of the file, which may be a secret.
  const what = error.message.split(': ', 1)[0] ?? '';
  const message = `Syntax error in configuration file [${file.name}]: ${what} at line ${line}, column ${col}`;
  return new CrawlerError('settings_invalid', message, { subject: file.name, cause: error });
}

function tooDeep({ name }: SettingsFile, where: string): CrawlerError {
  const message = `The configuration file [${name}] is nested too deeply ${where}. Settings are a few levels deep.`;
  return new CrawlerError('settings_invalid', message, { subject: name });
}

/** Maps that are merged into each other multiply, and one that is merged into itself has no end. */
const MOST_MAPS = 1000;

class SettingsWalk {
  readonly #file: SettingsFile;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #layer: Layer;
  readonly #report: Report;
  /** Line by key, to tell when one is given twice. */
  readonly #seen = new Map<string, number>();
  #maps = 0;

  constructor(file: SettingsFile, document: Document, lines: LineCounter, layer: Layer, report: Report) {
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
    this.#layer = layer;
    this.#report = report;
  }

  readRoot(): void {
    const root = this.#resolved(this.#document.contents);
    if (isMap(root)) this.#readMap(root, [], false);
    else if (!isNothing(root)) this.#report.problem(this.#file.name, 'the file must hold a map of settings.');
  }

  #readMap(map: YAMLMap, parents: readonly string[], merged: boolean): void {
    this.#maps += 1;
    if (this.#maps > MOST_MAPS) throw tooDeep(this.#file, 'by its merges');
    const [merges, pairs] = [map.items.filter(isMerge), map.items.filter((pair) => !isMerge(pair))];
    for (const merge of merges) this.#readMerge(merge, parents);
    for (const pair of pairs) this.#readPair(pair, parents, merged);
  }

  /** `<<: *defaults` puts other maps below the keys of this one; of several, the first wins. */
  #readMerge(merge: Pair, parents: readonly string[]): void {
    const value = this.#resolved(merge.value);
    const maps = isSeq(value) ? value.items.map((item) => this.#resolved(item)).reverse() : [value];
    for (const map of maps) if (isMap(map)) this.#readMap(map, parents, true);
  }

  #readPair(pair: Pair, parents: readonly string[], merged: boolean): void {
    const origin = this.#originOf(pair);
    const key = isScalar(pair.key) ? textOf(pair.key) : undefined;
    if (key === undefined) {
      this.#report.problem(origin, 'a key must be a plain word.');
      return;
    }
    const parts = [...parents, ...key.split('.')];
    const found = findKey(parts);
    const value = this.#resolved(pair.value);
    if (found.kind === 'unknown') {
      const advice = found.nearest === undefined ? '' : ` Did you mean ${found.nearest}?`;
      this.#report.problem(origin, `${parts.join('.')} is not a setting.${advice}`);
    } else if (found.kind === 'section') {
      this.#readSection(found.row.path, found.aliased, value, parts, origin, merged);
    } else if (!isNothing(value)) {
      this.#readValue(found, value, parts, pair, merged);
    }
  }

  #readSection(
    path: string,
    aliased: boolean,
    value: unknown,
    parts: readonly string[],
    origin: string,
    merged: boolean,
  ): void {
    if (aliased) this.#layer.aliasedAt ??= origin;
    if (isMap(value)) {
      this.#readMap(value, parts, merged);
    } else if (!isNothing(value)) {
      const got = isSeq(value) ? 'a list.' : 'a text. Is a blank missing behind a colon?';
      this.#report.problem(origin, `${path} must be a map, got ${got}`);
    }
  }

  #readValue(
    found: Exclude<Found, { kind: 'unknown' | 'section' }>,
    value: unknown,
    parts: readonly string[],
    pair: Pair,
    merged: boolean,
  ): void {
    const origin = this.#originOf(pair);
    if (!merged) this.#warnIfSeen(found.kind === 'setting' && !found.aliased ? found.row.path : parts.join('.'), pair);
    if (found.kind === 'old') {
      // Nobody looks at what a key without a successor holds.
      const raw = found.old.convert === undefined ? '' : this.#toRaw(value, 0);
      this.#layer.takeOld(found.old, found.path, raw ?? '', origin);
    } else {
      const raw = this.#toRaw(value, 0);
      if (raw !== undefined) this.#layer.take(found.row, raw, origin, found.aliased);
    }
  }

  #warnIfSeen(key: string, pair: Pair): void {
    const line = this.#lineOf(pair);
    const earlier = this.#seen.get(key);
    if (earlier !== undefined) {
      this.#report.warning(this.#originOf(pair), `${key} is given in line ${earlier} already; this one is used.`);
    }
    this.#seen.set(key, line);
  }

  /** Lists of texts and of flat maps are all that settings are made of; what lies deeper is nothing. */
  #toRaw(given: unknown, depth: number): RawValue | undefined {
    const node = this.#resolved(given);
    if (isScalar(node)) return textOf(node);
    if (depth > 1) return undefined;
    if (isSeq(node)) {
      return node.items.map((item) => this.#toRaw(item, depth + 1)).filter((item) => item !== undefined);
    }
    return isMap(node) ? this.#toMap(node, depth) : undefined;
  }

  #toMap(map: YAMLMap, depth: number): RawMap {
    const entries = map.items.flatMap((pair) => {
      const key = isScalar(pair.key) ? textOf(pair.key) : undefined;
      const value = this.#toRaw(pair.value, depth + 1);
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    });
    return Object.fromEntries(entries);
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  #originOf(pair: Pair): string {
    return `${this.#file.name}:${this.#lineOf(pair)}`;
  }

  #lineOf(pair: Pair): number {
    const node = isScalar(pair.key) || isMap(pair.key) || isSeq(pair.key) ? pair.key : undefined;
    return this.#lines.linePos(node?.range?.[0] ?? 0).line;
  }
}

function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === '<<';
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

/** The text of a scalar as it stands in the file; undefined for null. */
function textOf(scalar: Scalar): string | undefined {
  if (scalar.value === null) return undefined;
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? JSON.stringify(scalar.value));
}
