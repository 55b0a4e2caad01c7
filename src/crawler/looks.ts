import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { backoffMs } from '../base/retry.js';
import type { WatchReport } from '../source/tree-watch.js';
import type { WatchStatus } from './control.js';
import type { ScanEnd, ScanRunner } from './scan/scan-runner.js';

export interface LooksDeps {
  readonly runner: Pick<ScanRunner, 'watch' | 'look' | 'stop'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly root: string;
  readonly updateRateText: string;
  /** No scan is at work or unfinished, and nobody has paused the crawl. */
  readonly mayLook: () => boolean;
  /** A look has come to an end, well or not. */
  readonly onLooked: () => Promise<void>;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** After a look as much time passes as it took, but no more than this: a huge folder shall not keep a core busy. */
const LONGEST_REST_MS = 2000;

/**
 * Looks at what changed between two scans (`fs.watch`). A look is no run: it changes neither the state nor the number of
 * runs. It waits while a scan is at work, and a scan that begins ends it.
 */
export class Looks {
  readonly #deps: LooksDeps;
  #report: WatchReport | undefined;
  #isDue = false;
  #looking: Promise<void> | undefined;
  #rest = new AbortController();
  #failures = 0;
  #lastMessage: string | undefined;
  #counts = { looks: 0, files: 0, deleted: 0 };
  #lastLookMs: number | undefined;

  constructor(deps: LooksDeps) {
    this.#deps = deps;
  }

  /** Resolves when changes are reported from now on. A tree that can not be watched is left to the scans. */
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
        `Watching [${root}]: ${folders} folders report their changes. Scans go on every [${updateRateText}].`,
      );
    for (const { path, reason } of unwatched)
      logger.warn(
        `[${path}] can not be watched: ${reason}. Its changes are found by the scans every [${updateRateText}].`,
      );
  }

  /** The watch has ended by itself. */
  ended(message: string): void {
    const { logger, root, updateRateText } = this.#deps;
    this.#report = { folders: 0, unwatched: [{ path: root, reason: message }] };
    logger.warn(`[${root}] is watched no more. ${message} Changes are found by the scans every [${updateRateText}].`);
  }

  /** There is something to look at. */
  due(): void {
    this.#isDue = true;
    this.proceed();
  }

  /** Begins a look if there is something to look at and nothing stands against it. */
  proceed(): void {
    if (!this.#isDue || this.#looking !== undefined || !this.#deps.mayLook()) return;
    this.#isDue = false;
    this.#rest = new AbortController();
    this.#looking = this.#look();
  }

  /** Ends a look; what it has not looked at is due again. */
  async stop(): Promise<void> {
    if (this.#looking === undefined) return;
    this.#rest.abort();
    await this.#deps.runner.stop();
    await this.#looking;
  }

  status(): WatchStatus | undefined {
    if (this.#report === undefined) return undefined;
    return { ...this.#report, ...this.#counts, lastLookMs: this.#lastLookMs };
  }

  async #look(): Promise<void> {
    const { runner, clock, onLooked } = this.#deps;
    const startMs = clock.now();
    const end = await runner.look();
    this.#lastLookMs = clock.now();
    const waitMs = this.#conclude(end, this.#lastLookMs - startMs);
    await onLooked();
    if (!this.#rest.signal.aborted) await clock.sleep(waitMs, this.#rest.signal);
    this.#looking = undefined;
    this.proceed();
  }

  /** Returns how long the next look has to wait. */
  #conclude(end: ScanEnd, tookMs: number): number {
    const { logger, root } = this.#deps;
    const { files = 0, deleted = 0, failed = 0 } = end.progress ?? {};
    this.#counts.looks += 1;
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
    if (end.message !== this.#lastMessage) logger.warn(`Changes below [${root}] have to wait: ${end.message}`);
    this.#lastMessage = end.message;
    return backoffMs(this.#failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
  }
}
