import { statSync, type Stats } from 'node:fs';
import type { FileStat, FileStats } from '../../tree-watch.js';
import { openWriters } from './open-writers.js';

/** How the files of this machine stand. */
export const localFileStats: FileStats = { stat: fileStat, openWriters };

function fileStat(path: string): FileStat | undefined {
  const stats = statsOf(path);
  if (stats?.isFile() !== true) return undefined;
  const { size, mtimeMs: modifiedMs, ctimeMs: changedMs, birthtimeMs: createdMs, ino: inode, uid: owner } = stats;
  return { size, modifiedMs, changedMs, createdMs, inode, owner };
}

export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder on the way that may not be entered, a link that leads in circles.
  }
}
