import type { WatchReport } from '../source/tree-watch.js';
import type { Approval, HeldDeletions } from './scan/delete-guard.js';

/** What the outside (REST, CLI) can see of the crawler and do with it. */
export type CrawlerState = 'RUNNING' | 'PAUSED' | 'STOPPED' | 'COMPLETED' | 'ERROR';

export interface CrawlerStatus {
  readonly state: CrawlerState;
  /** Why it is paused: between two runs, by a person, or not at all. */
  readonly pausedBy: 'schedule' | 'user' | undefined;
  readonly scanId: string | undefined;
  readonly scanStartMs: number | undefined;
  readonly scanEndMs: number | undefined;
  readonly nextCheckMs: number | undefined;
  readonly filesProcessed: number;
  readonly filesDeleted: number;
  readonly filesFailed: number;
  readonly completedDirectories: number;
  readonly pendingDirectories: number;
  readonly currentPath: string | undefined;
  readonly retryCount: number;
  readonly lastError: string | undefined;
  /** Deletions that wait for approval. */
  readonly heldDeletions: HeldDeletions | undefined;
  /** Undefined where changes are left to the scans (`fs.watch` is off). */
  readonly watch: WatchStatus | undefined;
}

/** What is watched, and what came of it since the program started. */
export interface WatchStatus extends WatchReport {
  readonly partialScans: number;
  readonly files: number;
  readonly deleted: number;
  readonly lastPartialScanMs: number | undefined;
}

/** What became of a control call; rest/ owns the sentences and status codes. */
export type PauseOutcome = 'paused' | 'paused_without_scan' | 'already_paused' | 'not_running';
export type ResumeOutcome = 'resumed' | 'not_paused' | 'closed';
export type ClearOutcome =
  { readonly kind: 'cleared' | 'busy' } | { readonly kind: 'failed'; readonly message: string };

export type ApproveOutcome =
  Approval | { readonly kind: 'closed' } | { readonly kind: 'failed'; readonly message: string };

export interface CrawlerControl {
  status(): CrawlerStatus;
  pause(): Promise<PauseOutcome>;
  resume(): Promise<ResumeOutcome>;
  clearCheckpoint(): Promise<ClearOutcome>;
  /**
   * Lets the deletions through that are held at this moment; a run begins, unless a person has paused.
   * @param expected documents that the person has seen: nothing is let through when it is another number by now
   */
  approve(expected?: number): Promise<ApproveOutcome>;
}
