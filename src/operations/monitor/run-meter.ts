import { RateMeter } from '../../base/rate-meter.js';
import { filesIn, type KindCount } from '../../crawler/scan/kind-counts.js';
import type { ScanProgress } from '../../crawler/scan/scan-port.js';
import type { ExtractionActivity } from '../../extract/index.js';
import { remainingMs } from './forecast.js';
import type { RunActivity } from './monitor.js';
import type { RunWork } from './run-work.js';

const WINDOW_MS = 30_000;
/** Before this time an estimate would be a guess, and so it would be before so many files have been settled. */
const HONEST_MS = 3_000;
const HONEST_FILES = 5;

/** What is known of the current run: how fast it is, how far it has come and how long the rest may take. */
export class RunMeter {
  readonly #concurrency: number;
  readonly #indexed = new RateMeter(WINDOW_MS);
  readonly #settled = new RateMeter(WINDOW_MS);
  readonly #extractionMs = new RateMeter(WINDOW_MS);
  #last: ScanProgress | undefined;
  #advancedMs = 0;
  #overheadMs = 0;

  /** @param concurrency documents that are extracted at the same time */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  add(progress: ScanProgress, extraction: ExtractionActivity, nowMs: number): void {
    const last = this.#last;
    if (last === undefined || hasAdvanced(last, progress)) this.#advancedMs = nowMs;
    this.#last = progress;
    this.#indexed.add(nowMs, progress.run.indexed);
    this.#settled.add(nowMs, filesIn(progress.run.settled));
    this.#extractionMs.add(nowMs, spentMs(extraction));
  }

  /** Files indexed, over the last half minute. */
  filesPerSecond(nowMs: number): number {
    return this.#indexed.perSecond(nowMs);
  }

  /** When something last moved, epoch milliseconds; 0 before the first progress. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** When the run of the last progress began; undefined before the first run. */
  get sinceMs(): number | undefined {
    const sinceMs = this.#last?.run.sinceMs ?? 0;
    return sinceMs === 0 ? undefined : sinceMs;
  }

  /** Counts of the run; undefined before the first. `work` is what it has to do, when that has been counted. */
  run(work: RunWork | undefined): RunActivity | undefined {
    if (this.#last === undefined || this.sinceMs === undefined) return undefined;
    const { indexed, deleted, failed, settled, isResumed } = this.#last.run;
    const done = filesIn(settled);
    const total = work === undefined ? undefined : Math.max(done, filesIn(work.files));
    return { indexed, deleted, failed, settled: done, total, isResumed };
  }

  /** Milliseconds that the rest of the run may take; undefined while an estimate would be a guess. */
  remainingMs(work: RunWork, extraction: ExtractionActivity, nowMs: number): number | undefined {
    const { sinceMs } = this;
    if (this.#last === undefined || sinceMs === undefined || nowMs - sinceMs < HONEST_MS) return undefined;
    const { run, seen } = this.#last;
    const left = difference(work.files, run.settled);
    if (filesIn(left) === 0 || filesIn(run.settled) < HONEST_FILES) return undefined;
    const filesMs = remainingMs({
      left,
      times: extraction.kinds ?? [],
      current: extraction.current,
      concurrency: this.#concurrency,
      overheadMs: this.#overhead(nowMs),
    });
    if (filesMs === undefined) return undefined;
    const unseen = Math.max(0, work.entries - seen) / Math.max(1, work.entries);
    return filesMs + unseen * work.walkMs;
  }

  /** What a file takes beside its extraction: the time in which the extractors did not work, shared out among the files. */
  #overhead(nowMs: number): number {
    const perSecond = this.#settled.perSecond(nowMs);
    const busyMs = this.#extractionMs.perSecond(nowMs) / this.#concurrency;
    if (perSecond > 0) this.#overheadMs = Math.max(0, (1000 - busyMs) / perSecond);
    return this.#overheadMs;
  }
}

/** Time that extractors have spent on documents, those in hand included. */
function spentMs({ kinds = [], current }: ExtractionActivity): number {
  return [...kinds.map(({ ms }) => ms), ...current.map(({ elapsedMs }) => elapsedMs)].reduce((sum, ms) => sum + ms, 0);
}

function difference(all: readonly KindCount[], done: readonly KindCount[]): KindCount[] {
  const byKind = new Map(done.map((each) => [each.kind, each]));
  return all
    .map(({ kind, files, bytes }) => {
      const { files: doneFiles = 0, bytes: doneBytes = 0 } = byKind.get(kind) ?? {};
      return { kind, files: Math.max(0, files - doneFiles), bytes: Math.max(0, bytes - doneBytes) };
    })
    .filter(({ files }) => files > 0);
}

function hasAdvanced(last: ScanProgress, now: ScanProgress): boolean {
  return (
    now.seen !== last.seen ||
    now.files !== last.files ||
    now.failed !== last.failed ||
    now.deleted !== last.deleted ||
    now.completedFolders !== last.completedFolders
  );
}
