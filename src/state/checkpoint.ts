/**
 * `_checkpoint.json`: the small, human-readable summary of where a run stands. Users know it and edit it (`next_check`);
 * the work list itself is in the catalog, so that saving costs the same at a million files. Keys are the file's own.
 */
export type CheckpointState = 'RUNNING' | 'PAUSED' | 'STOPPED' | 'COMPLETED' | 'ERROR';

export interface Checkpoint {
  readonly scan_id?: string;
  readonly state: CheckpointState;
  /** ISO 8601 instants, UTC with `Z`. */
  readonly scan_start_time?: string;
  readonly scan_end_time?: string;
  /** Reference date of the peer's change detection: kept for it, not used by us. */
  readonly scan_date?: string;
  readonly next_check?: string;
  readonly current_path?: string;
  readonly files_processed: number;
  readonly files_deleted: number;
  readonly retry_count: number;
  readonly last_error?: string;
  /** `user` when a person paused the crawl: it stays paused after a restart with --rest. */
  readonly paused_by?: 'user';
}

/** The stamp of a checkpoint that is not there. */
export const ABSENT = 'absent';

export interface CheckpointStore {
  /** Undefined when there is none. Throws `corrupt` with a sentence when the file cannot be understood. */
  load(): Promise<Checkpoint | undefined>;
  /** Atomic: a reader sees the old or the new file, never a part. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Puts a damaged file aside and returns the new name. */
  setAside(): Promise<string>;
  /** False when there was none. */
  clear(): Promise<boolean>;
  /** Changes whenever the file does, ABSENT without one: tells that a person edited or deleted it. */
  stamp(): Promise<string>;
}
