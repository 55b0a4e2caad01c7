import { cpSync, linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

/** `old -> new` of every document that was re-keyed, below the root. */
function moves(): string[] {
  const below = (path: string): string => path.slice(bench.root.length + 1);
  return bench.port.moves.map(({ from, to }) => `${below(from)} -> ${below(to)}`).sort();
}

describe('a folder of 10,000 files', () => {
  const files = 10_000;

  test('renamed, then moved below another folder, moves 10,000 documents each time and reads not one file', async () => {
    bench.file('old/sub/first.txt');
    for (let at = 0; at < files; at += 1) bench.file(`old/file-${at}.txt`, '');
    await bench.run();
    renameSync(bench.path('old'), bench.path('new'));
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.moves).toHaveLength(files + 1);
    const indexed = bench.indexed();
    expect(indexed).toHaveLength(files + 1);
    expect(indexed.every((path) => path.startsWith('new/'))).toBe(true);
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('new'), bench.path('new/sub')]);

    mkdirSync(bench.path('above/deep'), { recursive: true });
    renameSync(bench.path('new'), bench.path('above/deep/new'));
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.moves).toHaveLength(files + 1);
    expect(bench.indexed()).toHaveLength(files + 1);
    expect(bench.indexed().every((path) => path.startsWith('above/deep/new/'))).toBe(true);
  });
});

describe('what only looks like a move', () => {
  test('a hard link is a file of its own, and stays one when the first name goes', async () => {
    bench.file('a.txt');
    await bench.run();
    linkSync(bench.path('a.txt'), bench.path('b.txt'));
    await bench.run();
    expect(moves()).toEqual([]);
    expect(bench.indexed()).toEqual(['a.txt', 'b.txt']);
    rmSync(bench.path('a.txt'));
    await bench.run();
    expect(bench.indexed()).toEqual(['b.txt']);
  });

  test('a copy with the old dates (cp -p) is extracted, and both are indexed', async () => {
    const path = bench.file('a.txt');
    const old = new Date('2009-02-13T23:31:30Z');
    utimesSync(path, old, old);
    await bench.run();
    cpSync(path, bench.path('copy.txt'), { preserveTimestamps: true });
    expect(statSync(bench.path('copy.txt')).mtimeMs).toBe(old.getTime());
    await bench.run();
    expect(moves()).toEqual([]);
    expect(bench.extracted()).toEqual(['copy.txt']);
    expect(bench.indexed()).toEqual(['a.txt', 'copy.txt']);
  });

  test('a copy with the old dates whose original goes at the same time is still read', async () => {
    const path = bench.file('a.txt');
    await bench.run();
    cpSync(path, bench.path('copy.txt'), { preserveTimestamps: true });
    rmSync(path);
    await bench.run();
    expect(moves()).toEqual([]);
    expect(bench.extracted()).toEqual(['copy.txt']);
    expect(bench.indexed()).toEqual(['copy.txt']);
  });

  test('a file replaced by another of the same size and date is read again', async () => {
    const path = bench.file('a.txt', 'one');
    const { atime, mtime } = statSync(path);
    await bench.run();
    writeFileSync(bench.path('../other'), 'two');
    utimesSync(bench.path('../other'), atime, mtime);
    renameSync(bench.path('../other'), path);
    expect(statSync(path)).toMatchObject({ size: 3, mtime });
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
    expect(moves()).toEqual([]);
  });

  test('a file overwritten in place with the same size, its date set back, is read again', async () => {
    const path = bench.file('a.txt', 'one');
    const { atime, mtime, ino } = statSync(path);
    await bench.run();
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    expect(statSync(path)).toMatchObject({ size: 3, mtime, ino });
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
  });

  test('two files that change their names with each other are both told apart', async () => {
    bench.file('a.txt', 'aaa');
    bench.file('b.txt', 'bbb');
    await bench.run();
    renameSync(bench.path('a.txt'), bench.path('c'));
    renameSync(bench.path('b.txt'), bench.path('a.txt'));
    renameSync(bench.path('c'), bench.path('b.txt'));
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt', 'b.txt']);
    expect(bench.indexed()).toEqual(['a.txt', 'b.txt']);
  });
});
