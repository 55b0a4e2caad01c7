import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { ABSENT, type Checkpoint, type CheckpointStore } from '../state/checkpoint.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import type {
  ApproveOutcome,
  ClearOutcome,
  CrawlerControl,
  CrawlerStatus,
  PauseOutcome,
  ResumeOutcome,
} from './control.js';
import {
  NEW_LIFECYCLE,
  next,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleRules,
  type LifecycleState,
} from './lifecycle.js';
import { PartialScans } from './partial-scans.js';
import { NextRunTimer } from './next-run-timer.js';
import { RunLog } from './run-log.js';
import { newRunRecord, NO_PROGRESS, toCheckpoint, toRunSummary, toStatus, type RunSummary } from './run-record.js';
import type { HeldDeletions } from './scan/delete-guard.js';
import type { ScanProgress } from './scan/scan-port.js';
import type { ScanEnd, ScanRunner, UnfinishedScan } from './scan/scan-runner.js';

export interface CrawlerDeps {
  readonly job: string;
  readonly root: string;
  readonly updateRateMs: number;
  readonly updateRateText: string;
  readonly rules: LifecycleRules;
  /** A run in which single files failed counts as completed. */
  readonly continueOnError: boolean;
  /** Changes are scanned as they happen, between the runs. */
  readonly watches: boolean;
  readonly runner: ScanRunner;
  readonly checkpoints: CheckpointStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Feeds the lifecycle (lifecycle.ts) with what happens and carries out what it decides: starting and holding scans,
 * waiting between runs, backing off, saving the checkpoint.
 */
export class Crawler implements CrawlerControl {
  readonly #deps: CrawlerDeps;
  readonly #timer: NextRunTimer;
  readonly #partialScans: PartialScans;
  readonly #run = newRunRecord();
  readonly #checkpoint: CheckpointWriter;
  readonly #log: RunLog;
  #state: LifecycleState = NEW_LIFECYCLE;
  /** Holding or stopping the scan. */
  #work: Promise<void> = Promise.resolve();
  #prepared: Promise<void> | undefined;
  #held: HeldDeletions | undefined;
  readonly #ended: Promise<{ readonly failed: boolean }>;
  #end: (result: { readonly failed: boolean }) => void = () => undefined;

  constructor(deps: CrawlerDeps) {
    this.#deps = deps;
    this.#checkpoint = new CheckpointWriter(deps);
    this.#log = new RunLog(deps);
    this.#timer = new NextRunTimer(deps.clock, deps.checkpoints);
    this.#partialScans = new PartialScans({
      ...deps,
      mayBegin: () => this.#mayScanChanges(),
      onEnded: () => this.#noteHeld(),
    });
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
    this.#log.crawlStarted();
    const begin = (): void => this.#dispatch({ kind: 'start', mayStayHeld });
    // The watch comes before the first scan, so that nothing falls in between. On a large tree that takes a moment.
    if (this.#deps.watches) void this.#partialScans.watch().then(begin);
    else begin();
  }

  async #prepare(): Promise<void> {
    const { runner } = this.#deps;
    const checkpoint = await this.#checkpoint.load();
    await this.#noteHeld();
    const unfinished = await runner.unfinished();
    const resumes = checkpoint !== undefined && unfinished !== undefined && continues(checkpoint, unfinished);
    const pausedByUser = checkpoint?.paused_by === 'user';
    this.#dispatch({ kind: 'restored', unfinished: resumes, pausedByUser });
    if (resumes) {
      this.#run.scanId = unfinished.id;
      this.#run.scanStartMs = unfinished.startedMs;
      const { files_processed: files, files_deleted: deleted } = checkpoint;
      this.#run.progress = { ...NO_PROGRESS, files, deleted };
      this.#log.resuming(files, unfinished.pendingFolders);
    }
  }

  /** Resolves when the last run of `--loop N` is over, or after `close`. */
  get ended(): Promise<{ readonly failed: boolean }> {
    return this.#ended;
  }

  /** How far the last run has come. */
  runSummary(): RunSummary {
    return toRunSummary(this.#state, this.#run);
  }

  /** Called by the scan as it goes. */
  onProgress(progress: ScanProgress): void {
    const last = this.#run.progress;
    this.#run.progress = progress;
    if (progress.lastError !== undefined) this.#run.lastError = progress.lastError;
    const advanced = progress.completedFolders > last.completedFolders || progress.files > last.files;
    if (advanced) this.#dispatch({ kind: 'progressed' });
    if (this.#state.phase === 'scanning' && this.#checkpoint.isDue(progress.files)) void this.#saveCheckpoint();
  }

  /** The watch has seen changes that came to rest. */
  onChangesDue(): void {
    this.#partialScans.due();
  }

  onWatchEnded(message: string): void {
    this.#partialScans.ended(message);
  }

  status(): CrawlerStatus {
    return toStatus(this.#state, this.#run, { heldDeletions: this.#held, watch: this.#partialScans.status() });
  }

  /** Resolves when no file is under way any more and the checkpoint is saved. */
  async pause(): Promise<PauseOutcome> {
    const before = this.#state.phase;
    if (before === 'closed' || before === 'new') return 'not_running';
    this.#dispatch({ kind: 'pause' });
    await this.#partialScans.stop();
    await this.#work;
    await this.#saveCheckpoint();
    return before === 'scanning' || before === 'backing_off' ? 'paused' : 'already_paused';
  }

  async resume(): Promise<ResumeOutcome> {
    const before = this.#state.phase;
    if (before === 'closed' || before === 'new') return 'closed';
    // A checkpoint that was deleted by hand is as forgotten as one that was cleared.
    if (before === 'held' && (await this.#deps.checkpoints.stamp()) === ABSENT) await this.#forgetProgress();
    if (before === 'held') this.#log.resumed();
    this.#dispatch({ kind: 'resume' });
    return before === 'scanning' || before === 'backing_off' ? 'not_paused' : 'resumed';
  }

  async clearCheckpoint(): Promise<ClearOutcome> {
    const { phase } = this.#state;
    if (phase === 'scanning' || phase === 'backing_off') return { kind: 'busy' };
    try {
      await this.#checkpoint.settled;
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
    this.#dispatch({ kind: 'progress_discarded' });
  }

  async approve(expected?: number): Promise<ApproveOutcome> {
    const { phase } = this.#state;
    if (phase === 'closed' || phase === 'new') return { kind: 'closed' };
    try {
      const approval = await this.#deps.runner.approveDeletions(expected);
      await this.#noteHeld();
      if (approval.kind !== 'approved') return approval;
      this.#log.approved(approval.held.documents);
      this.#dispatch({ kind: 'due' });
      return approval;
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  /** Ends the scan, resumable, and saves where it stands. */
  async close(): Promise<void> {
    this.#dispatch({ kind: 'close' });
    await this.#partialScans.stop();
    await this.#work;
    // What the scan did in its last moments.
    if (this.#state.phase === 'closed' && this.#state.interrupted) await this.#saveCheckpoint();
    await this.#checkpoint.settled;
    await this.#deps.runner.close();
    this.#log.crawlStopped();
    this.#end({ failed: false });
  }

  #dispatch(event: LifecycleEvent): void {
    const { state, effects } = next(this.#state, event, this.#deps.rules);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.#partialScans.proceed();
  }

  #mayScanChanges(): boolean {
    if (this.#state.scan !== 'none') return false;
    if (this.#state.phase === 'finished') return this.#deps.rules.staysUp;
    return this.#state.phase === 'waiting' && !this.#state.sticky;
  }

  async #noteHeld(): Promise<void> {
    // A thread that has just died tells with the next scan.
    this.#held = await this.#deps.runner.heldDeletions().catch(() => this.#held);
  }

  #perform(effect: LifecycleEffect): void {
    switch (effect.kind) {
      case 'start_scan':
        return this.#startScan(effect.resume, effect.afterRestart);
      case 'hold_scan':
        this.#log.paused();
        this.#work = this.#deps.runner.hold();
        return;
      case 'continue_scan':
        return this.#deps.runner.continue();
      case 'stop_scan':
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

  #startScan(resume: boolean, afterRestart: boolean): void {
    const { runner, clock } = this.#deps;
    if (!resume) Object.assign(this.#run, newRunRecord(), { scanId: randomUUID(), scanStartMs: clock.now() });
    this.#checkpoint.restart();
    const run = this.#runNumber;
    this.#log.started(run);
    const { scanId = '', scanStartMs: startedMs = clock.now() } = this.#run;
    void runner.run({ resume, afterRestart, scanId, startedMs }).then(async (end) => {
      this.#noteEnd(end);
      await this.#noteHeld();
      this.#onScanEnd(end, run);
    });
  }

  /** What is known at once, also when the program is being stopped in this moment. */
  #noteEnd(end: ScanEnd): void {
    if (end.progress !== undefined) this.#run.progress = end.progress;
    if (end.kind !== 'stopped') this.#run.scanEndMs = this.#deps.clock.now();
    this.#dispatch({ kind: 'scan_ended', completed: end.kind === 'completed', began: end.progress !== undefined });
  }

  #onScanEnd(end: ScanEnd, run: number): void {
    if (end.kind === 'stopped') return;
    if (end.kind === 'completed') return this.#onCompleted(run);
    this.#run.lastError = end.message;
    if (end.connection) return this.#onConnectionFailed(end.message);
    this.#log.failed(end.message);
    this.#dispatch({ kind: 'scan_failed' });
  }

  #onCompleted(run: number): void {
    const { continueOnError, updateRateMs } = this.#deps;
    const { progress, scanEndMs } = this.#run;
    this.#log.completed(run, this.#run);
    if (progress.failed === 0 || continueOnError) {
      this.#run.nextCheckMs = (scanEndMs ?? 0) + updateRateMs;
      return this.#dispatch({ kind: 'scan_completed' });
    }
    this.#log.filesFailed(progress.failed);
    this.#dispatch({ kind: 'scan_failed' });
  }

  #onConnectionFailed(message: string): void {
    this.#dispatch({ kind: 'connection_failed' });
    this.#log.connectionFailed(message, 'failures' in this.#state ? this.#state.failures : undefined);
  }

  #waitForNextRun(): void {
    const { clock, updateRateMs } = this.#deps;
    const nextMs = (this.#run.scanEndMs ?? clock.now()) + updateRateMs;
    this.#run.nextCheckMs = nextMs;
    this.#log.nextRun(nextMs);
    this.#timer.waitUntil(
      nextMs,
      () => this.#dispatch({ kind: 'interval_elapsed' }),
      () => this.#checkpoint.settled,
    );
  }

  #announceEnd(failed: boolean): void {
    this.#log.ending(this.#runNumber);
    void this.#checkpoint.settled.then(() => this.#end({ failed }));
  }

  get #runNumber(): number {
    return 'run' in this.#state ? this.#state.run : 0;
  }

  #saveCheckpoint(): Promise<void> {
    return this.#checkpoint.save(toCheckpoint(this.#state, this.#run));
  }
}

function continues(checkpoint: Checkpoint, unfinished: UnfinishedScan): boolean {
  return checkpoint.state !== 'COMPLETED' && checkpoint.scan_id === unfinished.id;
}
