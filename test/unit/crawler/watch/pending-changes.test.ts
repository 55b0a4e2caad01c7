import { beforeEach, describe, expect, test } from '@jest/globals';
import { PendingChanges, type PendingChangesDeps } from '../../../../src/crawler/watch/pending-changes.js';
import type { FileStat, OpenWriters } from '../../../../src/source/tree-watch.js';

const files = new Map<string, FileStat>();
const writers = new Map<string, OpenWriters>();
let known: number[];
let questions: number;

beforeEach(() => {
  files.clear();
  writers.clear();
  known = [];
  questions = 0;
});

function write(path: string, version: number): void {
  files.set(path, { size: version, modifiedMs: version, changedMs: version, createdMs: 0, inode: version, owner: 0 });
}

function newHints(limits: Pick<PendingChangesDeps, 'maxFolders' | 'maxNames'> = {}): PendingChanges {
  return new PendingChanges({
    stabilityMs: 2000,
    files: {
      stat: (path) => files.get(path),
      openWriters: (asked) => {
        questions += 1;
        return new Map([...asked.keys()].map((path) => [path, writers.get(path) ?? 'none']));
      },
    },
    isKnown: ({ inode }) => known.includes(inode),
    ...limits,
  });
}

/** Checks every 100 ms; returns when something became due and what it was. */
function untilDue(
  pendingChanges: PendingChanges,
  fromMs: number,
): { atMs: number; folders: readonly string[]; wide: boolean } {
  for (let atMs = fromMs; atMs < fromMs + 60_000; atMs += 100) {
    if (!pendingChanges.refresh(atMs)) continue;
    const request = pendingChanges.take(atMs);
    if (request !== undefined) return { atMs: atMs - fromMs, ...request };
  }
  throw new Error('Nothing became due.');
}

describe('events become folders', () => {
  test('ten thousand changes in three folders are three folders', () => {
    const pendingChanges = newHints();
    for (let at = 0; at < 10_000; at += 1) {
      write(`/r/f${at % 3}/${at}`, at);
      pendingChanges.add(`/r/f${at % 3}`, String(at), 0);
    }
    expect(untilDue(pendingChanges, 0)).toEqual({ atMs: 200, folders: ['/r/f0', '/r/f1', '/r/f2'], wide: false });
    expect(pendingChanges.isEmpty).toBe(true);
    expect(questions).toBe(1);
  });

  test('beyond the bound of folders the whole tree is scanned', () => {
    const pendingChanges = newHints({ maxFolders: 10 });
    for (let at = 0; at < 1000; at += 1) pendingChanges.add(`/r/f${at}`, undefined, 0);
    expect(untilDue(pendingChanges, 0)).toMatchObject({ folders: [], wide: true });
    expect(pendingChanges.isEmpty).toBe(true);
  });

  test('beyond the bound of names the folders are scanned', () => {
    const pendingChanges = newHints({ maxNames: 10 });
    for (let at = 0; at < 1000; at += 1) {
      write(`/r/${at}`, at);
      pendingChanges.add('/r', String(at), 0);
    }
    expect(untilDue(pendingChanges, 0).folders).toEqual(['/r']);
    expect(pendingChanges.isEmpty).toBe(true);
  });

  test('lost events mean the whole tree, but not the files that are being written', () => {
    const pendingChanges = newHints();
    write('/r/log', 1);
    writers.set('/r/log', 'some');
    pendingChanges.add('/r', 'log', 0);
    pendingChanges.add('/r/sub', undefined, 0);
    pendingChanges.addTree();
    expect(untilDue(pendingChanges, 100).wide).toBe(true);
    expect(pendingChanges.isUnstable('/r', 'log', 300)).toBe(true);
    expect(pendingChanges.isUnstable('/r', 'other', 300)).toBe(false);
  });

  test('a partial scan that did not complete is due again', () => {
    const pendingChanges = newHints();
    pendingChanges.giveBack({ folders: ['/r/a'], wide: false }, 0);
    expect(untilDue(pendingChanges, 0)).toEqual({ atMs: 200, folders: ['/r/a'], wide: false });
    pendingChanges.giveBack({ folders: [], wide: true }, 0);
    expect(untilDue(pendingChanges, 0).wide).toBe(true);
  });
});

describe('files come to rest', () => {
  test('what was written at once is due well within a second', () => {
    const pendingChanges = newHints();
    write('/r/a', 1);
    pendingChanges.add('/r', 'a', 0);
    expect(untilDue(pendingChanges, 0)).toEqual({ atMs: 200, folders: ['/r'], wide: false });
  });

  test('both ends of a move are due together, at once: the catalog knows the file', () => {
    const pendingChanges = newHints();
    known = [7];
    write('/r/to/b', 7);
    pendingChanges.add('/r/from', 'a', 0);
    pendingChanges.add('/r/to', 'b', 1);
    expect(untilDue(pendingChanges, 0)).toEqual({ atMs: 200, folders: ['/r/from', '/r/to'], wide: false });
    expect(questions).toBe(0);
  });

  test('a file that grows stays behind, and what is finished beside it does not wait', () => {
    const pendingChanges = newHints();
    writers.set('/r/log', 'some');
    write('/r/log', 1);
    write('/r/done', 2);
    pendingChanges.add('/r', 'log', 0);
    pendingChanges.add('/r', 'done', 0);
    expect(untilDue(pendingChanges, 0).folders).toEqual(['/r']);
    expect(pendingChanges.isUnstable('/r', 'done', 200)).toBe(false);
    expect(pendingChanges.isUnstable('/r', 'log', 200)).toBe(true);
    write('/r/log', 3);
    expect(untilDue(pendingChanges, 1000)).toEqual({ atMs: 2000, folders: ['/r'], wide: false });
    expect(pendingChanges.isUnstable('/r', 'log', 3000)).toBe(false);
  });

  test('a slow writer is due soon after it has closed the file', () => {
    const pendingChanges = newHints();
    writers.set('/r/a', 'some');
    pendingChanges.add('/r', 'a', 0);
    for (let atMs = 0; atMs < 5000; atMs += 100) {
      if (atMs % 700 === 0) write('/r/a', atMs + 1);
      pendingChanges.add('/r', 'a', atMs);
      // At the beginning the file was not there: a folder that lacks it may be scanned.
      if (pendingChanges.refresh(atMs)) pendingChanges.take(atMs);
      expect(pendingChanges.isUnstable('/r', 'a', atMs)).toBe(true);
    }
    writers.set('/r/a', 'none');
    expect(untilDue(pendingChanges, 5000).atMs).toBeLessThanOrEqual(300);
  });

  test('what is written again soon after it was read has to rest for fs.stability', () => {
    const pendingChanges = newHints();
    write('/r/a', 1);
    pendingChanges.add('/r', 'a', 0);
    untilDue(pendingChanges, 0);
    write('/r/a', 2);
    pendingChanges.add('/r', 'a', 500);
    expect(untilDue(pendingChanges, 500).atMs).toBe(2000);
  });

  test('that is forgotten after a while', () => {
    const pendingChanges = newHints();
    write('/r/a', 1);
    pendingChanges.add('/r', 'a', 0);
    untilDue(pendingChanges, 0);
    pendingChanges.add('/r', undefined, 10_000);
    untilDue(pendingChanges, 10_000);
    write('/r/a', 2);
    pendingChanges.add('/r', 'a', 20_000);
    expect(untilDue(pendingChanges, 20_000).atMs).toBe(200);
  });
});
