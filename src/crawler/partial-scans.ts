import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { backoffMs } from '../base/retry.js';
import type { WatchReport } from '../source/tree-watch.js';
import type { WatchStatus } from './control.js';
import type { ScanEnd, ScanRunner } from './scan/scan-runner.js';

export interface PartialScansDeps {
  readonly runner: Pick<ScanRunner, 'watch' | 'scanChanges' | 'stop'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly root: string;
  readonly updateRateText: string;
  /** No scan is running or unfinished, and nobody has paused the crawl. */
  readonly mayBegin: () => boolean;
  /** A partial scan has ended, well or not. */
  readonly onEnded: () => Promise<void>;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** A partial scan is followed by a pause as long as it took, but no longer than this: a huge folder must not keep a core busy. */
const LONGEST_REST_MS = 2000;

/**
 * Scans the folders that changed between two runs (`fs.watch`). A partial scan is not a run: it changes neither the state nor
 * the number of runs. It waits while a scan is running, and a scan that begins ends it.
 */
export class PartialScans {
  readonly #deps: PartialScansDeps;
  #report: WatchReport | undefined;
  #isDue = false;
  #running: Promise<void> | undefined;
  #rest = new AbortController();
  #failures = 0;
  #lastMessage: string | undefined;
  #counts = { partialScans: 0, files: 0, deleted: 0 };
  #lastScanMs: number | undefined;

  constructor(deps: PartialScansDeps) {
    this.#deps = deps;
  }

  /** Resolves when changes are reported from now on. Changes in a tree that cannot be watched are found by the scans. */
  async watch(): Promise<void> {
    const { runner, logger, root, updateRateText } = this.#deps;
    try {
      this.#report = await runner.watch();
    } catch (error) {
      this.ended(messageOf(error));
      return;
    }
    const { folders, unwatched } = this.#report;
    if (folders > 0)
      logger.info(
        `Watching [${root}]: ${folders} folders report their changes. Scans continue every [${updateRateText}].`,
      );
    for (const { path, reason } of unwatched)
      logger.warn(
        `[${path}] cannot be watched: ${reason}. Its changes are found by the scans every [${updateRateText}].`,
      );
  }

  /** The watch has ended by itself. */
  ended(message: string): void {
    const { logger, root, updateRateText } = this.#deps;
    this.#report = { folders: 0, unwatched: [{ path: root, reason: message }] };
    logger.warn(`[${root}] is no longer watched. ${message} Changes are found by the scans every [${updateRateText}].`);
  }

  /** There are changes to scan. */
  due(): void {
    this.#isDue = true;
    this.proceed();
  }

  /** Begins a partial scan if there are changes and nothing prevents it. */
  proceed(): void {
    if (!this.#isDue || this.#running !== undefined || !this.#deps.mayBegin()) return;
    this.#isDue = false;
    this.#rest = new AbortController();
    this.#running = this.#run();
  }

  /** Ends a partial scan; what it has not scanned is due again. */
  async stop(): Promise<void> {
    if (this.#running === undefined) return;
    this.#rest.abort();
    await this.#deps.runner.stop();
    await this.#running;
  }

  status(): WatchStatus | undefined {
    if (this.#report === undefined) return undefined;
    return { ...this.#report, ...this.#counts, lastPartialScanMs: this.#lastScanMs };
  }

  async #run(): Promise<void> {
    const { runner, clock, onEnded: onLooked } = this.#deps;
    const startMs = clock.now();
    const end = await runner.scanChanges();
    this.#lastScanMs = clock.now();
    const waitMs = this.#conclude(end, this.#lastScanMs - startMs);
    await onLooked();
    if (!this.#rest.signal.aborted) await clock.sleep(waitMs, this.#rest.signal);
    this.#running = undefined;
    this.proceed();
  }

  /** Returns how long the next partial scan has to wait. */
  #conclude(end: ScanEnd, tookMs: number): number {
    const { logger, root } = this.#deps;
    const { files = 0, deleted = 0, failed = 0 } = end.progress ?? {};
    this.#counts.partialScans += 1;
    this.#counts.files += files;
    this.#counts.deleted += deleted;
    if (files + deleted + failed > 0) {
      const failures = failed > 0 ? `, failed [${failed}]` : '';
      logger.info(`Changes below [${root}]: indexed [${files}], deleted [${deleted}]${failures}.`);
    }
    if (end.kind === 'completed') {
      this.#failures = 0;
      this.#lastMessage = undefined;
      return Math.min(tookMs, LONGEST_REST_MS);
    }
    this.#isDue = true;
    if (end.kind === 'stopped') return 0;
    this.#failures += 1;
    if (end.message !== this.#lastMessage) logger.warn(`Changes below [${root}] are delayed: ${end.message}`);
    this.#lastMessage = end.message;
    return backoffMs(this.#failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
  }
}
