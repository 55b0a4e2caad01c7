import type { FileSight, Writers } from '../../source/tree-watch.js';

/**
 * When a file has come to rest. The system reports writes but not that a file was closed, so a file is compared with itself
 * a moment later:
 *
 *   unchanged for            is read when
 *   QUIET_MS                 no process has it open for writing, and it was not written to again after an earlier rest
 *   UNSURE_MS                the same, where the processes of another user can not be seen
 *   fs.stability             always: also a file that stays open, such as a log
 *
 * "Unchanged" is said of size, dates and inode. What was written to again after a rest (`>>` time and again) has shown that
 * being closed does not mean being finished, so only fs.stability counts. Clocks of files are never compared with ours.
 */
export interface Trace {
  sight: FileSight | undefined;
  /** Since when the sight has been this one. */
  sinceMs: number;
  /** It was at rest once before, and then written to. */
  isRestless: boolean;
  writers: Writers | undefined;
}

export const QUIET_MS = 200;
const UNSURE_MS = 1000;

export function newTrace(sight: FileSight | undefined, nowMs: number, isRestless: boolean): Trace {
  return { sight, sinceMs: nowMs, isRestless, writers: undefined };
}

/** Takes another look at the file into account. */
export function observe(trace: Trace, sight: FileSight | undefined, nowMs: number): void {
  if (isSame(trace.sight, sight)) return;
  if (trace.writers === 'none') trace.isRestless = true;
  trace.sight = sight;
  trace.sinceMs = nowMs;
  trace.writers = undefined;
}

/** Whether it matters now who has the file open. */
export function asksForWriters(trace: Trace, nowMs: number, stabilityMs: number): boolean {
  const quietMs = nowMs - trace.sinceMs;
  return trace.sight !== undefined && !trace.isRestless && quietMs >= QUIET_MS && quietMs < stabilityMs;
}

export function isAtRest(trace: Trace, nowMs: number, stabilityMs: number): boolean {
  const quietMs = nowMs - trace.sinceMs;
  // It is gone, or is a folder: the listing tells.
  if (trace.sight === undefined || quietMs >= stabilityMs) return true;
  if (trace.isRestless || trace.writers === undefined || trace.writers === 'some') return false;
  return quietMs >= (trace.writers === 'none' ? QUIET_MS : UNSURE_MS);
}

function isSame(a: FileSight | undefined, b: FileSight | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode;
}
