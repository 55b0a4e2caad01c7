import type { Catalog } from '../../state/catalog.js';

/**
 * How fast files were extracted and indexed in earlier scans, for the estimate of a plan. What counts is the time in which
 * at least one file was under way: neither listing nor a pause is in it, and what is extracted side by side is not counted
 * twice. Kept as a fact of the catalog, so it is forgotten with it.
 */
export interface Throughput {
  readonly files: number;
  readonly bytes: number;
  readonly ms: number;
  /** When the last scan that is in them ended; epoch milliseconds. */
  readonly atMs: number;
}

const FACT = 'scan.rates';
/** A handful of files says little about thousands. */
export const FEWEST_FILES = 10;

/** Measures one scan. */
export class WorkTime {
  files = 0;
  bytes = 0;
  #busyMs = 0;
  #underWay = 0;
  #sinceMs = 0;

  async measure<T>(size: number, work: () => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#sinceMs = performance.now();
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.files += 1;
      this.bytes += Math.max(0, size);
      if (this.#underWay === 0) this.#busyMs += performance.now() - this.#sinceMs;
    }
  }

  get ms(): number {
    return this.#busyMs;
  }
}

/** Adds a scan to what is kept. Older scans weigh half as much with each newer one, so a faster machine shows soon. */
export function recordThroughput(catalog: Pick<Catalog, 'facts'>, { files, bytes, ms }: WorkTime, nowMs: number): void {
  if (files < FEWEST_FILES) return;
  const kept = recordedThroughput(catalog);
  const older = kept === undefined ? { files: 0, bytes: 0, ms: 0 } : kept;
  const throughput: Throughput = {
    files: Math.round(older.files / 2) + files,
    bytes: Math.round(older.bytes / 2) + bytes,
    ms: Math.round(older.ms / 2 + ms),
    atMs: nowMs,
  };
  catalog.facts.setFact(FACT, JSON.stringify(throughput));
}

/** Undefined before the first scan that indexed enough. */
export function recordedThroughput(catalog: Pick<Catalog, 'facts'>): Throughput | undefined {
  const text = catalog.facts.fact(FACT);
  return text === undefined ? undefined : (JSON.parse(text) as Throughput);
}
