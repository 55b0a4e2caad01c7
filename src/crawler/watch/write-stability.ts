import type { FileStat, OpenWriters } from '../../source/tree-watch.js';

/**
 * When a file is stable: no longer being written. The system reports writes but not that a file was closed, so a file is
 * compared with itself a moment later:
 *
 *   unchanged for            is read when
 *   QUIET_MS                 no process has it open for writing, and it was not written to again after it was stable before
 *   UNSURE_MS                the same, where the processes of another user cannot be seen
 *   fs.stability             always: also a file that stays open, such as a log
 *
 * "Unchanged" is said of size, dates and inode. A file that was closed and then written to again (`>>` repeatedly) has shown that
 * being closed does not mean being finished, so only fs.stability counts. Clocks of files are never compared with ours.
 */
export interface WriteStability {
  stat: FileStat | undefined;
  /** Since when it has been like this. */
  sinceMs: number;
  /** It was stable once before, and then written to. */
  wasRewritten: boolean;
  writers: OpenWriters | undefined;
}

export const QUIET_MS = 200;
const UNSURE_MS = 1000;

export function newWriteStability(stat: FileStat | undefined, nowMs: number, wasRewritten: boolean): WriteStability {
  return { stat, sinceMs: nowMs, wasRewritten, writers: undefined };
}

/** Takes the current state of the file into account. */
export function observe(stability: WriteStability, stat: FileStat | undefined, nowMs: number): void {
  if (isSame(stability.stat, stat)) return;
  if (stability.writers === 'none') stability.wasRewritten = true;
  stability.stat = stat;
  stability.sinceMs = nowMs;
  stability.writers = undefined;
}

/** Whether it matters now who has the file open. */
export function needsOpenWriters(stability: WriteStability, nowMs: number, stabilityMs: number): boolean {
  const quietMs = nowMs - stability.sinceMs;
  return stability.stat !== undefined && !stability.wasRewritten && quietMs >= QUIET_MS && quietMs < stabilityMs;
}

export function isStable(stability: WriteStability, nowMs: number, stabilityMs: number): boolean {
  const quietMs = nowMs - stability.sinceMs;
  // It is gone, or is a folder: the listing decides.
  if (stability.stat === undefined || quietMs >= stabilityMs) return true;
  if (stability.wasRewritten || stability.writers === undefined || stability.writers === 'some') return false;
  return quietMs >= (stability.writers === 'none' ? QUIET_MS : UNSURE_MS);
}

function isSame(a: FileStat | undefined, b: FileStat | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode;
}
