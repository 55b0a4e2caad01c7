import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ANOTHER_DISK, type Entry } from '../../../src/model/entry.js';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;
/** Where the links lead. */
let disk: string;

beforeEach(() => {
  bench = new ScanBench();
  bench.set('fs.follow_symlinks=true');
  disk = join(bench.directory, 'disk');
  mkdirSync(join(disk, 'sub'), { recursive: true });
  writeFileSync(join(disk, 'x.txt'), 'x');
  writeFileSync(join(disk, 'sub', 'y.txt'), 'y');
  symlinkSync(join(disk, 'x.txt'), bench.path('file.txt'));
  symlinkSync(join(disk, 'sub'), bench.path('folder'));
});
afterEach(() => bench.dispose());

/** Shows the entries of the links as another file system would. */
function shown(change: (entry: Entry) => Entry): void {
  const source = new LocalSource({ followSymlinks: true });
  const list = source.list.bind(source);
  source.list = async function* (folder, signal) {
    for await (const batch of list(folder, signal))
      yield batch.map((entry) => (['file.txt', 'folder'].includes(entry.name) ? change(entry) : entry));
  };
  bench.source = source;
}

const BOTH = ['file.txt', 'folder/y.txt'];

describe('the document behind a followed link', () => {
  test('stays while nobody may look at the target, and is neither read nor removed when one may', async () => {
    await bench.run();
    expect(bench.indexed()).toEqual(BOTH);
    shown((entry) => ({ ...entry, kind: 'unreachable' }));
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'completed', progress: { deleted: 0, failed: 2 } });
    expect(end.progress.lastError).toContain('is a link to what cannot be read');
    expect(bench.indexed()).toEqual(BOTH);
    bench.source = undefined;
    expect(await bench.run()).toMatchObject({ progress: { deleted: 0, files: 0, failed: 0 } });
  });

  test('goes at the end of the scan when the target is gone, and only if the guard lets it', async () => {
    bench.set('fs.follow_symlinks=true', 'fs.delete_guard=0');
    await bench.run();
    renameSync(disk, `${disk}-away`);
    expect((await bench.run()).progress.deleted).toBe(0);
    expect(bench.indexed()).toEqual(BOTH);
    renameSync(`${disk}-away`, disk);
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    bench.set('fs.follow_symlinks=true');
    rmSync(disk, { recursive: true });
    expect((await bench.run()).progress.deleted).toBe(2);
    expect(bench.indexed()).toEqual([]);
    await bench.run();
    const root = bench.catalog.records.folderByPath(bench.root);
    const reasons = bench.catalog.records.files(root?.id ?? 0).map(({ name, reason }) => `${name} ${reason}`);
    expect(reasons).toEqual(['file.txt symlink_dangling', 'folder symlink_dangling']);
  });

  test('stays while the disk of the target is not mounted', async () => {
    shown((entry) => (entry.kind === 'file' ? { ...entry, version: ANOTHER_DISK } : { ...entry, device: 987_654 }));
    await bench.run();
    bench.source = undefined;
    rmSync(bench.path('folder'));
    renameSync(disk, `${disk}-away`);
    const end = await bench.run();
    expect(end.progress.lastError).toContain('seems not to be mounted');
    expect(bench.indexed()).toContain('file.txt');
    rmSync(bench.path('file.txt'));
    await bench.run();
    expect(bench.indexed()).toEqual([]);
  });

  test('that was never read is left out with its reason, as before', async () => {
    shown((entry) => ({ ...entry, kind: 'unreachable' }));
    expect(await bench.run()).toMatchObject({ progress: { failed: 0, files: 0 } });
    const root = bench.catalog.records.folderByPath(bench.root);
    expect(bench.catalog.records.fileByPath(bench.root, 'file.txt')).toMatchObject({ reason: 'unreadable' });
    expect(root?.digest).not.toBe('');
  });
});

describe('what counted as gone, and is there but cannot be judged yet, is not removed with the rest', () => {
  test('since somebody is writing it', async () => {
    bench.set('fs.delete_guard=1');
    for (const name of ['a.txt', 'b.txt']) bench.file(name);
    await bench.run();
    for (const name of ['a.txt', 'b.txt']) rmSync(bench.path(name));
    expect((await bench.run()).progress.deleted).toBe(0);
    bench.file('a.txt', 'being written');
    bench.unsettled.add('a.txt');
    expect((await bench.run()).progress.deleted).toBe(1);
    expect(bench.indexed()).toContain('a.txt');
    bench.unsettled.clear();
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
  });
});
