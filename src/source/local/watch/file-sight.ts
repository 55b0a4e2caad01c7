import { statSync, type Stats } from 'node:fs';
import type { FileSight, FileSights } from '../../tree-watch.js';
import { fileWriters } from './file-writers.js';

/** How the files of this machine stand. */
export const localSights: FileSights = { sight: fileSight, writers: fileWriters };

function fileSight(path: string): FileSight | undefined {
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
