import type { OldKey } from './old-keys.js';
import type { Report } from './report.js';
import { rowOf, type SettingRow } from './setting-table.js';
import type { RawValue } from './raw-value.js';

/** What somebody said about one setting, and where. */
export interface Given {
  readonly path: string;
  readonly raw: RawValue;
  /** `_settings.yaml:12`, `CRAWLER_FS_URL`, `FS_JAVA_OPTS`, `--set`, `command line`. */
  readonly origin: string;
  /** Taken as it is: no placeholders, no annotations. */
  readonly literal?: boolean;
}

/** Within a layer, the name of today wins over `elasticsearch.…`, and both over what an old key was turned into. */
type Rank = 'converted' | 'aliased' | 'current';
const RANKS: readonly Rank[] = ['converted', 'aliased', 'current'];

/**
 * All that one kind of source says: the job files, say, or the environment. Layers are stacked by precedence; inside a
 * layer a later word replaces an earlier one. Values are kept by the full path of their setting, which is why maps merge
 * deeply and lists are replaced as a whole.
 */
export class Layer {
  readonly #report: Report;
  readonly #values = new Map<string, Given & { readonly rank: Rank }>();
  readonly #old = new Map<OldKey, Map<string, Given>>();
  /** Where the layer speaks of `elasticsearch`, if it does. */
  aliasedAt: string | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  take(row: SettingRow, raw: RawValue, origin: string, aliased: boolean): void {
    if (aliased) this.aliasedAt ??= origin;
    this.#put({ path: row.path, raw, origin }, aliased ? 'aliased' : 'current');
  }

  takeLiteral(path: string, raw: RawValue, origin: string): void {
    this.#put({ path, raw, origin, literal: true }, 'current');
  }

  takeOld(old: OldKey, path: string, raw: RawValue, origin: string): void {
    if (path.startsWith('elasticsearch')) this.aliasedAt ??= origin;
    const values = this.#old.get(old) ?? new Map<string, Given>();
    this.#old.set(old, values.set(path, { path, raw, origin }));
  }

  /** The values of the layer, old keys included under their names of today. */
  values(): ReadonlyMap<string, Given> {
    for (const [old, given] of this.#old) this.#convert(old, [...given.values()]);
    this.#old.clear();
    return this.#values;
  }

  #convert(old: OldKey, given: readonly Given[]): void {
    const origin = given[0]?.origin ?? '';
    const names = given.map((each) => each.path).join(', ');
    this.#report.warning(origin, `${names} ${old.note}.`);
    try {
      const converted = old.convert?.(new Map(given.map((each) => [each.path, each.raw]))) ?? {};
      for (const [path, raw] of Object.entries(converted)) this.#put({ path, raw, origin }, 'converted');
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#report.problem(origin, `${names}: ${error.message}`);
    }
  }

  #put(given: Given, rank: Rank): void {
    if (given.raw === '' && !acceptsEmpty(given.path)) return;
    const earlier = this.#values.get(given.path);
    if (earlier !== undefined && RANKS.indexOf(earlier.rank) > RANKS.indexOf(rank)) return;
    this.#values.set(given.path, { ...given, rank });
  }
}

/** An empty text switches some settings off, and is an empty list; for all others it says nothing. */
export function acceptsEmpty(path: string): boolean {
  const { declared } = rowOf(path);
  return declared.mayBeEmpty || declared.type.shape === 'list';
}
