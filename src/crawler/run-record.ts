import { toUtcInstant } from '../model/dates.js';
import type { Checkpoint } from '../state/checkpoint.js';
import type { CrawlerStatus } from './control.js';
import { NEW_LIFECYCLE, reportedState, type LifecycleState } from './lifecycle.js';
import type { ScanProgress } from './scan/scan-port.js';

/** What is known of the current or last run, and how it is reported: the status, how far it has come, and the checkpoint. */
export interface RunRecord {
  scanId: string | undefined;
  scanStartMs: number | undefined;
  scanEndMs: number | undefined;
  nextCheckMs: number | undefined;
  progress: ScanProgress;
  lastError: string | undefined;
}

export const NO_PROGRESS: ScanProgress = {
  seen: 0,
  files: 0,
  deleted: 0,
  failed: 0,
  completedFolders: 0,
  pendingFolders: 0,
  currentPath: undefined,
  lastError: undefined,
  run: { sinceMs: 0, isResumed: false, indexed: 0, deleted: 0, failed: 0, settled: [] },
};

export function newRunRecord(): RunRecord {
  return {
    scanId: undefined,
    scanStartMs: undefined,
    scanEndMs: undefined,
    nextCheckMs: undefined,
    progress: NO_PROGRESS,
    lastError: undefined,
  };
}

/** What belongs to no run. */
export type StatusBesideRun = Pick<CrawlerStatus, 'heldDeletions' | 'watch'>;

export function toStatus(state: LifecycleState, record: RunRecord, besideRun: StatusBesideRun): CrawlerStatus {
  const { progress } = record;
  const scanning = state.phase === 'scanning' || state.phase === 'held' || state.phase === 'backing_off';
  return {
    state: reportedState(state),
    pausedBy: pausedBy(state),
    scanId: record.scanId,
    scanStartMs: record.scanStartMs,
    scanEndMs: scanning ? undefined : record.scanEndMs,
    nextCheckMs: scanning ? undefined : record.nextCheckMs,
    filesProcessed: progress.files,
    filesDeleted: progress.deleted,
    filesFailed: progress.failed,
    completedDirectories: progress.completedFolders,
    pendingDirectories: progress.pendingFolders,
    currentPath: scanning ? progress.currentPath : undefined,
    retryCount: failuresOf(state),
    lastError: record.lastError,
    ...besideRun,
  };
}

/** Of a crawler that there is not (`--loop 0`). */
export const NEVER_RAN: CrawlerStatus = toStatus(NEW_LIFECYCLE, newRunRecord(), {
  heldDeletions: undefined,
  watch: undefined,
});

export interface RunSummary {
  /** A scan was begun. */
  readonly hasBegun: boolean;
  /** It has listed something. */
  readonly hasSeen: boolean;
  /** It was not ended: the next start resumes it. */
  readonly isUnfinished: boolean;
  readonly pendingFolders: number;
  readonly lastError: string | undefined;
}

export function toRunSummary(state: LifecycleState, { scanId, progress, lastError }: RunRecord): RunSummary {
  return {
    hasBegun: scanId !== undefined,
    hasSeen: progress.seen > 0,
    isUnfinished: state.scan !== 'none',
    pendingFolders: progress.pendingFolders,
    lastError,
  };
}

export function toCheckpoint(state: LifecycleState, record: RunRecord): Checkpoint {
  const { progress, lastError } = record;
  const unfinished = state.scan !== 'none';
  const between = isBetween(state, unfinished);
  return {
    state: checkpointState(state, unfinished),
    ...(record.scanId === undefined ? {} : { scan_id: record.scanId }),
    ...timed('scan_start_time', record.scanStartMs),
    ...(between ? timed('scan_end_time', record.scanEndMs) : {}),
    ...(between && !unfinished ? timed('scan_date', record.scanStartMs) : {}),
    ...(between ? timed('next_check', record.nextCheckMs) : {}),
    ...(progress.currentPath === undefined || !unfinished ? {} : { current_path: progress.currentPath }),
    files_processed: progress.files,
    files_deleted: progress.deleted,
    retry_count: failuresOf(state),
    ...(lastError === undefined ? {} : { last_error: lastError }),
    ...(state.pausedByUser ? { paused_by: 'user' as const } : {}),
  };
}

/** No scan is running or unfinished, and one has ended. */
function isBetween({ phase }: LifecycleState, unfinished: boolean): boolean {
  return phase === 'waiting' || phase === 'finished' || (phase === 'closed' && !unfinished);
}

function pausedBy(state: LifecycleState): CrawlerStatus['pausedBy'] {
  if (state.phase === 'held') return 'user';
  if (state.phase !== 'waiting') return undefined;
  return state.sticky ? 'user' : 'schedule';
}

function failuresOf(state: LifecycleState): number {
  return 'failures' in state ? state.failures : 0;
}

/** The file says COMPLETED after a finished scan, whether another run is scheduled or not. */
function checkpointState(state: LifecycleState, unfinished: boolean): Checkpoint['state'] {
  switch (state.phase) {
    case 'scanning':
    case 'backing_off':
      return 'RUNNING';
    case 'held':
      return 'PAUSED';
    case 'waiting':
    case 'finished':
      return state.failed ? 'ERROR' : 'COMPLETED';
    case 'new':
    case 'closed':
      return unfinished ? 'STOPPED' : 'COMPLETED';
  }
}

function timed<K extends string>(key: K, epochMs: number | undefined): Partial<Record<K, string>> {
  return epochMs === undefined ? {} : ({ [key]: toUtcInstant(epochMs) } as Record<K, string>);
}
