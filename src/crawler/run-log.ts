import type { Logger } from '../base/logger.js';
import { toUtcInstant } from '../model/dates.js';
import { MAX_FAILURES } from './lifecycle.js';
import type { RunRecord } from './run-record.js';

export interface RunLogDeps {
  readonly job: string;
  readonly root: string;
  readonly updateRateText: string;
  readonly logger: Logger;
}

/** What the log says of the runs of a crawl. */
export class RunLog {
  readonly #deps: RunLogDeps;

  constructor(deps: RunLogDeps) {
    this.#deps = deps;
  }

  crawlStarted(): void {
    const { job, root, updateRateText, logger } = this.#deps;
    logger.info(`FS crawler started for [${job}] for [${root}] every [${updateRateText}]`);
  }

  resuming(files: number, pendingFolders: number): void {
    this.#deps.logger.info(`Resuming from checkpoint: ${files} files processed, ${pendingFolders} directories pending`);
  }

  started(run: number): void {
    this.#deps.logger.info(`Run #${run}: job [${this.#deps.job}]: starting...`);
  }

  completed(run: number, { progress, scanStartMs, scanEndMs }: RunRecord): void {
    const { files, deleted, failed } = progress;
    const failures = failed > 0 ? `, failed [${failed}]` : '';
    const resumed = progress.run.isResumed
      ? `, of them [${progress.run.indexed}] indexed since the scan was resumed`
      : '';
    this.#deps.logger.info(
      `Run #${run}: job [${this.#deps.job}]: indexed [${files}], deleted [${deleted}]${failures}${resumed}. Started at [${instant(scanStartMs)}], finished at [${instant(scanEndMs)}], took [${took(scanStartMs, scanEndMs)}].`,
    );
  }

  /** The run is completed but for these. */
  filesFailed(failed: number): void {
    this.#deps.logger.warn(
      `Error while crawling ${this.#deps.root}: ${failed} files or folders could not be indexed; everything else was. Set fs.continue_on_error to true to count such a run as completed.`,
    );
  }

  failed(message: string): void {
    this.#deps.logger.warn(`Error while crawling ${this.#deps.root}: ${message}`);
  }

  /** @param retry how many there were in a row; undefined after the last one */
  connectionFailed(message: string, retry: number | undefined): void {
    const { logger, root } = this.#deps;
    if (retry === undefined)
      logger.warn(`Error while crawling ${root}: Max retries (${MAX_FAILURES}) exceeded: ${message}`);
    else logger.warn(`Network error while crawling ${root}, retry ${retry}/${MAX_FAILURES} follows: ${message}`);
  }

  paused(): void {
    this.#deps.logger.info('Crawler is paused. Waiting for resume...');
  }

  resumed(): void {
    this.#deps.logger.info('Crawler resumed.');
  }

  approved(documents: number): void {
    this.#deps.logger.info(`The removal of ${documents} documents was approved.`);
  }

  nextRun(atMs: number): void {
    this.#deps.logger.info(`Will restart at [${instant(atMs)}].`);
  }

  ending(runs: number): void {
    this.#deps.logger.info(`FS crawler is stopping after ${runs} run${runs === 1 ? '' : 's'}`);
  }

  crawlStopped(): void {
    this.#deps.logger.info(`FS crawler [${this.#deps.job}] stopped`);
  }
}

function instant(epochMs: number | undefined): string {
  return epochMs === undefined ? '-' : toUtcInstant(epochMs);
}

/** `61.5 s` as `1m1.5s`. */
function took(startMs = 0, endMs = 0): string {
  const elapsedMs = Math.max(0, endMs - startMs);
  const minutes = Math.floor(elapsedMs / 60_000);
  const seconds = `${(elapsedMs - minutes * 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}
