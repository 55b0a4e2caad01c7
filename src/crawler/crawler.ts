import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { toUtcInstant } from '../model/dates.js';
import { ABSENT, type Checkpoint, type CheckpointStore } from '../state/checkpoint.js';
import type {
  ApproveOutcome,
  ClearOutcome,
  CrawlerControl,
  CrawlerStatus,
  PauseOutcome,
  ResumeOutcome,
} from './control.js';
import {
  MAX_FAILURES,
  next,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleRules,
  type LifecycleState,
} from './lifecycle.js';
import { Looks } from './looks.js';
import { NextRunTimer } from './next-run-timer.js';
import { newRunRecord, NO_PROGRESS, toCheckpoint, toStatus } from './run-record.js';
import type { HeldDeletions } from './scan/delete-guard.js';
import type { ScanProgress } from './scan/scan-port.js';
import type { ScanEnd, ScanRunner, UnfinishedScan } from './scan/scan-runner.js';

export interface CrawlStanding {
  /** A scan was begun. */
  readonly hasBegun: boolean;
  /** It has listed something. */
  readonly hasSeen: boolean;
  /** It was not ended: the next start resumes it. */
  readonly isUnfinished: boolean;
  readonly pendingFolders: number;
  readonly lastError: string | undefined;
}

export interface CrawlerDeps {
  readonly job: string;
  readonly root: string;
  readonly updateRateMs: number;
  readonly updateRateText: string;
  readonly rules: LifecycleRules;
  /** A run in which single files failed counts as completed. */
  readonly continueOnError: boolean;
  /** Changes are looked at as they happen, besides the runs. */
  readonly watches: boolean;
  readonly runner: ScanRunner;
  readonly checkpoints: CheckpointStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checkpoint intervals while a scan is at work, whichever comes first. */
const CHECKPOINT_FILES = 100;
const CHECKPOINT_MS = 2000;

/**
 * Feeds the lifecycle (lifecycle.ts) with what happens and carries out what it decides: starting and holding scans,
 * waiting between runs, backing off, saving the checkpoint.
 */
export class Crawler implements CrawlerControl {
  readonly #deps: CrawlerDeps;
  readonly #timer: NextRunTimer;
  readonly #looks: Looks;
  readonly #run = newRunRecord();
  #state: LifecycleState = { phase: 'new' };
  #scanIsAlive = false;
  /** This process has begun a scan. */
  #hasScanned = false;
  #wasStopped = false;
  #savedFiles = 0;
  #savedMs = 0;
  /** Holding or stopping the scan. */
  #work: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #prepared: Promise<void> | undefined;
  #held: HeldDeletions | undefined;
  readonly #ended: Promise<{ readonly failed: boolean }>;
  #end: (result: { readonly failed: boolean }) => void = () => undefined;

  constructor(deps: CrawlerDeps) {
    this.#deps = deps;
    this.#timer = new NextRunTimer(deps.clock, deps.checkpoints);
    this.#looks = new Looks({ ...deps, mayLook: () => this.#mayLook(), onLooked: () => this.#noteHeld() });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Reads where the last process left off, so that `start` begins at once. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  /**
   * Begins the first run, where the last process left off.
   * @param mayStayHeld a pause by a person outlives the restart (somebody can resume it)
   */
  async start(mayStayHeld: boolean): Promise<void> {
    await this.prepare();
    const { job, root, updateRateText, logger } = this.#deps;
    logger.info(`FS crawler started for [${job}] for [${root}] every [${updateRateText}]`);
    const held = mayStayHeld && this.#run.pausedByUser;
    this.#run.pausedByUser = held;
    const begin = (): void => this.#dispatch({ kind: 'start', held });
    // The watch comes before the first scan, so that nothing falls in between. On a large tree that takes a moment.
    if (this.#deps.watches) void this.#looks.watch().then(begin);
    else begin();
  }

  async #prepare(): Promise<void> {
    const { logger, runner } = this.#deps;
    const checkpoint = await this.#loadCheckpoint();
    this.#run.pausedByUser = checkpoint?.paused_by === 'user';
    await this.#noteHeld();
    const unfinished = await runner.unfinished();
    if (checkpoint !== undefined && unfinished !== undefined && continues(checkpoint, unfinished)) {
      this.#run.unfinished = true;
      this.#run.scanId = unfinished.id;
      this.#run.scanStartMs = unfinished.startedMs;
      const { files_processed: files, files_deleted: deleted } = checkpoint;
      this.#run.progress = { ...NO_PROGRESS, files, deleted };
      logger.info(
        `Resuming from checkpoint: ${files} files processed, ${unfinished.pendingFolders} directories pending`,
      );
    }
  }

  /** Resolves when the last run of `--loop N` is over, or after `close`. */
  get ended(): Promise<{ readonly failed: boolean }> {
    return this.#ended;
  }

  /** How far the last run has come. */
  standing(): CrawlStanding {
    const { scanId, unfinished, progress, lastError } = this.#run;
    return {
      hasBegun: scanId !== undefined,
      hasSeen: progress.seen > 0,
      isUnfinished: unfinished,
      pendingFolders: progress.pendingFolders,
      lastError,
    };
  }

  /** Called by the scan as it goes. */
  onProgress(progress: ScanProgress): void {
    const last = this.#run.progress;
    this.#run.progress = progress;
    if (progress.lastError !== undefined) this.#run.lastError = progress.lastError;
    const advanced = progress.completedFolders > last.completedFolders || progress.files > last.files;
    if (advanced) this.#dispatch({ kind: 'progressed' });
    const byTime = this.#deps.clock.now() - this.#savedMs >= CHECKPOINT_MS;
    const byFiles = progress.files - this.#savedFiles >= CHECKPOINT_FILES;
    if (this.#state.phase === 'scanning' && (byTime || byFiles)) void this.#saveCheckpoint();
  }

  /** The watch has seen changes that came to rest. */
  onChangesDue(): void {
    this.#looks.due();
  }

  onWatchEnded(message: string): void {
    this.#looks.ended(message);
  }

  status(): CrawlerStatus {
    return toStatus(this.#state, this.#run, { heldDeletions: this.#held, watch: this.#looks.status() });
  }

  /** Resolves when no file is under way any more and the checkpoint is saved. */
  async pause(): Promise<PauseOutcome> {
    const before = this.#state.phase;
    if (before === 'closed' || before === 'new') return 'not_running';
    this.#run.pausedByUser = true;
    this.#dispatch({ kind: 'pause' });
    await this.#looks.stop();
    await this.#work;
    await this.#saveCheckpoint();
    return before === 'scanning' || before === 'backing_off' ? 'paused' : 'already_paused';
  }

  async resume(): Promise<ResumeOutcome> {
    const before = this.#state.phase;
    if (before === 'closed' || before === 'new') return 'closed';
    // A checkpoint that was deleted by hand is as forgotten as one that was cleared.
    if (before === 'held' && (await this.#deps.checkpoints.stamp()) === ABSENT) await this.#forgetProgress();
    this.#run.pausedByUser = false;
    this.#dispatch({ kind: 'resume' });
    return before === 'scanning' || before === 'backing_off' ? 'not_paused' : 'resumed';
  }

  async clearCheckpoint(): Promise<ClearOutcome> {
    const { phase } = this.#state;
    if (phase === 'scanning' || phase === 'backing_off') return { kind: 'busy' };
    try {
      await this.#saving;
      await this.#deps.checkpoints.clear();
      await this.#forgetProgress();
      return { kind: 'cleared' };
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  /** A held scan is ended, so that `resume` begins a new one instead of bringing the cleared progress back. */
  async #forgetProgress(): Promise<void> {
    await this.#deps.runner.discardProgress();
    this.#run.unfinished = false;
  }

  async approve(): Promise<ApproveOutcome> {
    const { phase } = this.#state;
    if (phase === 'closed' || phase === 'new') return { kind: 'closed' };
    try {
      const held = await this.#deps.runner.approveDeletions();
      await this.#noteHeld();
      if (held === undefined) return { kind: 'nothing_held' };
      this.#deps.logger.info(`The removal of ${held.documents} documents was approved.`);
      this.#dispatch({ kind: 'due' });
      return { kind: 'approved', held };
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  /** Ends the scan, resumable, and saves where it stands. */
  async close(): Promise<void> {
    this.#dispatch({ kind: 'close' });
    await this.#looks.stop();
    await this.#work;
    // What the scan did in its last moments.
    if (this.#wasStopped) await this.#saveCheckpoint();
    await this.#saving;
    await this.#deps.runner.close();
    this.#deps.logger.info(`FS crawler [${this.#deps.job}] stopped`);
    this.#end({ failed: false });
  }

  #dispatch(event: LifecycleEvent): void {
    const { state, effects } = next(this.#state, event, this.#deps.rules);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.#looks.proceed();
  }

  #mayLook(): boolean {
    const { phase } = this.#state;
    if (this.#scanIsAlive || this.#run.unfinished) return false;
    if (phase === 'finished') return this.#deps.rules.staysUp;
    return this.#state.phase === 'waiting' && !this.#state.sticky;
  }

  async #noteHeld(): Promise<void> {
    // A thread that has just died tells with the next scan.
    this.#held = await this.#deps.runner.heldDeletions().catch(() => this.#held);
  }

  #perform(effect: LifecycleEffect): void {
    switch (effect.kind) {
      case 'start_scan':
        return this.#startScan();
      case 'hold_scan':
        this.#deps.logger.info('Crawler is paused. Waiting for resume...');
        this.#work = this.#deps.runner.hold();
        return;
      case 'continue_scan':
        return this.#continueScan();
      case 'stop_scan':
        this.#wasStopped = true;
        this.#work = this.#deps.runner.stop();
        return;
      case 'save_checkpoint':
        void this.#saveCheckpoint();
        return;
      case 'wait_between_runs':
        return this.#waitForNextRun();
      case 'cancel_wait':
        return this.#timer.cancel();
      case 'back_off':
        return this.#timer.wait(effect.delayMs, () => this.#dispatch({ kind: 'backoff_elapsed' }));
      case 'end':
        return this.#announceEnd(effect.failed);
    }
  }

  #startScan(): void {
    const { runner, clock, logger, job } = this.#deps;
    const { unfinished: resume } = this.#run;
    const afterRestart = resume && !this.#hasScanned;
    if (!resume || this.#run.scanId === undefined) {
      Object.assign(this.#run, newRunRecord(), { scanId: randomUUID(), scanStartMs: clock.now(), unfinished: true });
    }
    this.#savedFiles = 0;
    this.#scanIsAlive = true;
    const run = this.#runNumber;
    logger.info(`Run #${run}: job [${job}]: starting...`);
    const { scanId = '', scanStartMs: startedMs = clock.now() } = this.#run;
    void runner.run({ resume, afterRestart, scanId, startedMs }).then(async (end) => {
      this.#noteEnd(end);
      await this.#noteHeld();
      this.#onScanEnd(end, run);
    });
  }

  #continueScan(): void {
    this.#deps.logger.info('Crawler resumed.');
    if (this.#scanIsAlive) this.#deps.runner.continue();
    else this.#startScan();
  }

  /** What is known at once, also when the program is being stopped in this moment. */
  #noteEnd(end: ScanEnd): void {
    this.#scanIsAlive = false;
    if (end.progress !== undefined) {
      this.#hasScanned = true;
      this.#run.progress = end.progress;
    }
    if (end.kind === 'stopped') return;
    this.#run.scanEndMs = this.#deps.clock.now();
    if (end.kind === 'completed') this.#run.unfinished = false;
  }

  #onScanEnd(end: ScanEnd, run: number): void {
    if (end.kind === 'stopped') return;
    if (end.kind === 'completed') return this.#onCompleted(run);
    this.#run.lastError = end.message;
    if (end.connection) return this.#onConnectionFailed(end.message);
    this.#deps.logger.warn(`Error while crawling ${this.#deps.root}: ${end.message}`);
    this.#dispatch({ kind: 'scan_failed' });
  }

  #onCompleted(run: number): void {
    const { logger, job, continueOnError, root, updateRateMs } = this.#deps;
    const { progress, scanStartMs, scanEndMs } = this.#run;
    const { files, deleted, failed } = progress;
    const failures = failed > 0 ? `, failed [${failed}]` : '';
    const resumed = progress.run.isResumed
      ? `, of them [${progress.run.indexed}] indexed since the scan was resumed`
      : '';
    logger.info(
      `Run #${run}: job [${job}]: indexed [${files}], deleted [${deleted}]${failures}${resumed}. Started at [${instant(scanStartMs)}], finished at [${instant(scanEndMs)}], took [${took(scanStartMs, scanEndMs)}].`,
    );
    if (failed === 0 || continueOnError) {
      this.#run.nextCheckMs = (scanEndMs ?? 0) + updateRateMs;
      return this.#dispatch({ kind: 'scan_completed' });
    }
    logger.warn(
      `Error while crawling ${root}: ${failed} files or folders could not be indexed; everything else was. Set fs.continue_on_error to true to call such a run completed.`,
    );
    this.#dispatch({ kind: 'scan_failed' });
  }

  #onConnectionFailed(message: string): void {
    this.#dispatch({ kind: 'connection_failed' });
    const { logger, root } = this.#deps;
    const retries = 'failures' in this.#state ? this.#state.failures : undefined;
    if (retries === undefined)
      logger.warn(`Error while crawling ${root}: Max retries (${MAX_FAILURES}) exceeded: ${message}`);
    else logger.warn(`Network error while crawling ${root}, retry ${retries}/${MAX_FAILURES} follows: ${message}`);
  }

  #waitForNextRun(): void {
    const { clock, updateRateMs, logger } = this.#deps;
    const nextMs = (this.#run.scanEndMs ?? clock.now()) + updateRateMs;
    this.#run.nextCheckMs = nextMs;
    logger.info(`Will restart at [${instant(nextMs)}].`);
    this.#timer.waitUntil(
      nextMs,
      () => this.#dispatch({ kind: 'interval_elapsed' }),
      () => this.#saving,
    );
  }

  #announceEnd(failed: boolean): void {
    const run = this.#runNumber;
    this.#deps.logger.info(`FS crawler is stopping after ${run} run${run === 1 ? '' : 's'}`);
    void this.#saving.then(() => this.#end({ failed }));
  }

  get #runNumber(): number {
    return 'run' in this.#state ? this.#state.run : 0;
  }

  /** Saves follow each other; the last one wins. A failing save is reported, the crawl goes on. */
  #saveCheckpoint(): Promise<void> {
    this.#savedFiles = this.#run.progress.files;
    this.#savedMs = this.#deps.clock.now();
    const checkpoint = toCheckpoint(this.#state, this.#run);
    this.#saving = this.#saving
      .then(() => this.#deps.checkpoints.save(checkpoint))
      .catch((error: unknown) => this.#deps.logger.warn(`Failed to save checkpoint: ${messageOf(error)}`));
    return this.#saving;
  }

  /** A checkpoint that can not be read is put aside: the catalog knows the tree, the file only where a run stood. */
  async #loadCheckpoint(): Promise<Checkpoint | undefined> {
    const { checkpoints, logger } = this.#deps;
    try {
      return await checkpoints.load();
    } catch (error) {
      const aside = await checkpoints.setAside();
      logger.warn(
        `${messageOf(error)} It was renamed to [${aside}]; the next scan starts at the root. Nothing is lost.`,
      );
      return undefined;
    }
  }
}

function continues(checkpoint: Checkpoint, unfinished: UnfinishedScan): boolean {
  return checkpoint.state !== 'COMPLETED' && checkpoint.scan_id === unfinished.id;
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
