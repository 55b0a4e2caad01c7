import { KindCounts } from './kind-counts.js';
import type { RunCounts, ScanProgress } from './scan-port.js';
import { WorkTime } from './throughput.js';

type Totals = Pick<ScanProgress, 'files' | 'deleted' | 'failed'>;

/**
 * What one run of this process has done, over all attempts at its scan: a scan that was resumed holds the counts of an
 * earlier process as well.
 */
export class RunCounters {
  readonly settled = new KindCounts();
  readonly #sinceMs: number;
  readonly #isResumed: boolean;
  #before: Totals | undefined;

  constructor(sinceMs = 0, isResumed = false) {
    this.#sinceMs = sinceMs;
    this.#isResumed = isResumed;
  }

  /** What the scan had done before this run; only the first call counts. */
  beginsAt({ files, deleted, failed }: Totals): void {
    this.#before ??= { files, deleted, failed };
  }

  counts(now: Totals): RunCounts {
    const before = this.#before ?? now;
    return {
      sinceMs: this.#sinceMs,
      isResumed: this.#isResumed,
      indexed: now.files - before.files,
      deleted: now.deleted - before.deleted,
      failed: now.failed - before.failed,
      settled: this.settled.list,
    };
  }
}

/** The running counts of a scan. */
export class ScanCounters {
  readonly work = new WorkTime();
  readonly run: RunCounters;
  seen = 0;
  files = 0;
  deleted = 0;
  failed = 0;
  completedFolders = 0;
  /** Of these, those that were as they had been. */
  keptFolders = 0;
  pendingFolders = 0;
  currentPath: string | undefined;
  lastError: string | undefined;

  constructor(run = new RunCounters()) {
    this.run = run;
  }

  snapshot(): ScanProgress {
    return {
      seen: this.seen,
      files: this.files,
      deleted: this.deleted,
      failed: this.failed,
      completedFolders: this.completedFolders,
      pendingFolders: this.pendingFolders,
      currentPath: this.currentPath,
      lastError: this.lastError,
      run: this.run.counts(this),
    };
  }
}
