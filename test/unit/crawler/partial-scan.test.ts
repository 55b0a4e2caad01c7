import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(async () => {
  bench = new ScanBench();
  for (const name of ['a.txt', 'sub/b.txt', 'sub/deep/c.txt', 'other/d.txt']) bench.file(name);
  await bench.run();
});
afterEach(() => bench.dispose());

describe('a partial scan', () => {
  test('finds what is new, changed and gone in its folders, and nowhere else', async () => {
    bench.file('sub/new.txt');
    writeFileSync(bench.path('sub/b.txt'), 'changed');
    bench.file('other/unseen.txt');
    rmSync(bench.path('a.txt'));
    const { kind, progress } = await bench.scanChanges(['', 'sub']);
    expect(kind).toBe('completed');
    expect(bench.extracted()).toEqual(['sub/b.txt', 'sub/new.txt']);
    expect(bench.indexed()).toEqual(['other/d.txt', 'sub/b.txt', 'sub/deep/c.txt', 'sub/new.txt']);
    expect(progress).toMatchObject({ files: 2, deleted: 1, failed: 0 });
  });

  test('walks a new folder to its bottom, and no folder that is known', async () => {
    bench.file('fresh/one/two/e.txt');
    bench.file('sub/unseen.txt');
    await bench.scanChanges(['']);
    expect(bench.extracted()).toEqual(['fresh/one/two/e.txt']);
  });

  test('of an unknown folder is one of the known folder above', async () => {
    bench.file('fresh/one/e.txt');
    await bench.scanChanges(['fresh/one']);
    expect(bench.extracted()).toEqual(['fresh/one/e.txt']);
  });

  test('recognises a renamed folder as a move when both sides are looked at', async () => {
    renameSync(bench.path('sub'), bench.path('other/renamed'));
    await bench.scanChanges(['', 'other']);
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.moves).toHaveLength(2);
    expect(bench.indexed()).toEqual(['a.txt', 'other/d.txt', 'other/renamed/b.txt', 'other/renamed/deep/c.txt']);
  });

  test('removes what lay in a folder that is gone, with the documents of the folders', async () => {
    rmSync(bench.path('sub'), { recursive: true });
    await bench.scanChanges(['', 'sub']);
    expect(bench.indexed()).toEqual(['a.txt', 'other/d.txt']);
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('other')]);
  });

  test('writes the document of a new folder, and of the folder itself', async () => {
    const before = bench.port.paths('folders').length;
    mkdirSync(bench.path('sub/empty'));
    await bench.scanChanges(['sub']);
    expect(bench.port.paths('folders')).toHaveLength(before + 1);
  });

  test('at the whole tree finds everything', async () => {
    bench.file('sub/deep/new.txt');
    rmSync(bench.path('other/d.txt'));
    await bench.scanChanges('tree');
    expect(bench.indexed()).toEqual(['a.txt', 'sub/b.txt', 'sub/deep/c.txt', 'sub/deep/new.txt']);
  });

  test('leaves a file alone that somebody is writing, and reads it once when it is finished', async () => {
    bench.file('sub/growing.txt');
    bench.file('sub/done.txt');
    bench.unsettled.add('growing.txt').add('b.txt');
    writeFileSync(bench.path('sub/b.txt'), 'half of it');
    await bench.scanChanges(['sub']);
    expect(bench.extracted()).toEqual(['sub/done.txt']);
    expect(bench.indexed()).toContain('sub/b.txt');
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    bench.unsettled.clear();
    await bench.scanChanges(['sub']);
    expect(bench.extracted()).toEqual(['sub/b.txt', 'sub/growing.txt']);
  });

  test('leaves no scan to be continued, and the next scan has nothing to do', async () => {
    bench.file('sub/new.txt');
    await bench.scanChanges(['sub']);
    expect(bench.catalog.frontier.unfinishedScan()).toBeUndefined();
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.lastProgress?.deleted ?? 0).toBe(0);
  });

  test('that finds no engine fails as such; the next one resumes with what it has found', async () => {
    bench.file('fresh/e.txt');
    bench.port.down = true;
    expect(await bench.scanChanges([''])).toMatchObject({ kind: 'failed', connection: true });
    bench.port.down = false;
    await bench.scanChanges(['']);
    expect(bench.indexed()).toContain('fresh/e.txt');
  });

  test('of a root that is missing removes nothing', async () => {
    renameSync(bench.root, `${bench.root}.away`);
    expect(await bench.scanChanges([''])).toMatchObject({ kind: 'failed', code: 'not_found' });
    expect(bench.indexed()).toHaveLength(4);
    renameSync(`${bench.root}.away`, bench.root);
  });

  test('does nothing where another index has taken the place of the known one', async () => {
    bench.indexIdentity = 'index-2';
    bench.file('sub/new.txt');
    expect((await bench.scanChanges(['sub'])).kind).toBe('completed');
    expect(bench.extracted()).toEqual([]);
  });
});
