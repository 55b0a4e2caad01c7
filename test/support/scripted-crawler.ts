import type {
  ApproveOutcome,
  ClearOutcome,
  CrawlerControl,
  CrawlerState,
  CrawlerStatus,
  PauseOutcome,
  ResumeOutcome,
} from '../../src/crawler/control.js';
import { NEVER_RAN } from '../../src/crawler/run-record.js';

/** A crawler that does what a test says: its state is set from outside, its control calls change it as they should. */
export class ScriptedCrawler implements CrawlerControl {
  #status: CrawlerStatus;
  /** The checkpoint cannot be removed. */
  clearFailure: string | undefined;
  checkpoint = true;

  constructor(status: Partial<CrawlerStatus> = {}) {
    this.#status = { ...NEVER_RAN, ...status };
  }

  status(): CrawlerStatus {
    return this.#status;
  }

  become(status: Partial<CrawlerStatus>): void {
    this.#status = { ...this.#status, ...status };
  }

  pause(): Promise<PauseOutcome> {
    const { state, scanEndMs } = this.#status;
    if (state === 'STOPPED') return Promise.resolve('not_running');
    this.become({ state: 'PAUSED', pausedBy: 'user' });
    if (state === 'PAUSED') return Promise.resolve('already_paused');
    return Promise.resolve(state === 'RUNNING' && scanEndMs === undefined ? 'paused' : 'paused_without_scan');
  }

  resume(): Promise<ResumeOutcome> {
    const outcomes: Readonly<Record<CrawlerState, ResumeOutcome>> = {
      RUNNING: 'not_paused',
      STOPPED: 'closed',
      PAUSED: 'resumed',
      COMPLETED: 'resumed',
      ERROR: 'resumed',
    };
    const outcome = outcomes[this.#status.state];
    if (outcome === 'resumed') this.become({ state: 'RUNNING', pausedBy: undefined });
    return Promise.resolve(outcome);
  }

  clearCheckpoint(): Promise<ClearOutcome> {
    if (this.#status.state === 'RUNNING') return Promise.resolve({ kind: 'busy' });
    if (this.clearFailure !== undefined) return Promise.resolve({ kind: 'failed', message: this.clearFailure });
    this.checkpoint = false;
    return Promise.resolve({ kind: 'cleared' });
  }

  approve(expected?: number): Promise<ApproveOutcome> {
    const { state, heldDeletions: held } = this.#status;
    if (state === 'STOPPED') return Promise.resolve({ kind: 'closed' });
    if (expected !== undefined && held?.documents !== expected) return Promise.resolve({ kind: 'changed', held });
    if (held === undefined) return Promise.resolve({ kind: 'nothing_held' });
    this.become({ heldDeletions: undefined });
    return Promise.resolve({ kind: 'approved', held });
  }
}
