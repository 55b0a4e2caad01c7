import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { baseName } from '../../../base/path.js';
import type { FileStat, OpenWriters } from '../../tree-watch.js';

/**
 * Which files some process has open for writing, from `/proc/<pid>/fd` (where each open file leads) and
 * `/proc/<pid>/fdinfo` (how it was opened: `flags:` in octal, the last two bits are 0 for reading only). One pass answers for
 * any number of files. A link is only followed when its name is one that is asked for: following one to a server that is
 * away would never return.
 *
 * Processes of other users are closed to everybody but root. Who writes to a file is nearly always its owner, so the answer
 * is reliable for files of the same user, and for all files as root; for the rest it is unknown.
 */
const ACCESS_MODE = 0o3;

export function openWriters(files: ReadonlyMap<string, FileStat>): ReadonlyMap<string, OpenWriters> {
  const user = process.geteuid?.();
  const answers = new Map<string, OpenWriters>();
  const asked = new Map<string, string>();
  for (const [path, { owner, inode }] of files) {
    answers.set(path, user === 0 || user === owner ? 'none' : 'unknown');
    asked.set(keyOf(baseName(path), inode), path);
  }
  const pids = processes();
  if (pids.length === 0) return new Map([...files.keys()].map((path) => [path, 'unknown']));
  const names = new Set([...files.keys()].map(baseName));
  for (const pid of pids) {
    for (const key of writtenBy(pid, names)) {
      const path = asked.get(key);
      if (path !== undefined) answers.set(path, 'some');
    }
  }
  return answers;
}

function keyOf(name: string, inode: number): string {
  return `${inode}/${name}`;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function* writtenBy(pid: string, names: ReadonlySet<string>): Generator<string> {
  const folder = `/proc/${pid}/fd`;
  for (const file of openFiles(folder)) {
    try {
      const name = baseName(readlinkSync(`${folder}/${file}`));
      if (!names.has(name) || !isForWriting(pid, file)) continue;
      yield keyOf(name, statSync(`${folder}/${file}`).ino);
    } catch {
      // Closed in between.
    }
  }
}

function openFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Another user's process, or one that has ended.
  }
}

function isForWriting(pid: string, file: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
}
