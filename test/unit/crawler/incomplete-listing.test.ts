import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import type { Entry } from '../../../src/model/entry.js';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

/** Listing fails for chosen folders, as it does for a user without rights (the tests may run as root). */
class RefusingSource extends LocalSource {
  refused: ReadonlyMap<string, CrawlerError> = new Map();

  override async *list(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    const error = this.refused.get(folder);
    if (error !== undefined) throw error;
    yield* super.list(folder, signal);
  }
}

describe('a listing that fails removes nothing', () => {
  test('no permission: the folder keeps its documents, the rest of the tree continues', async () => {
    const source = new RefusingSource({ followSymlinks: false });
    bench.source = source;
    bench.file('locked/sub/a.txt');
    bench.file('open/b.txt');
    await bench.run();
    bench.file('open/c.txt');
    source.refused = new Map([[bench.path('locked'), new CrawlerError('denied', 'no')]]);
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'completed', progress: { deleted: 0, failed: 1, lastError: 'no' } });
    expect(bench.indexed()).toEqual(['locked/sub/a.txt', 'open/b.txt', 'open/c.txt']);
    expect(bench.catalog.records.folderByPath(bench.path('locked'))?.reason).toBe('unreadable');
    source.refused = new Map();
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });

  test('a real folder without permission', async () => {
    if (process.getuid?.() === 0) return expect(process.getuid()).toBe(0);
    bench.file('locked/a.txt');
    await bench.run();
    chmodSync(bench.path('locked'), 0);
    await bench.run();
    chmodSync(bench.path('locked'), 0o755);
    return expect(bench.indexed()).toEqual(['locked/a.txt']);
  });

  test('a missing root ends the scan with a sentence', async () => {
    bench.file('a.txt');
    await bench.run();
    renameSync(bench.root, `${bench.root}-away`);
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'failed', code: 'not_found', connection: false });
    expect(end.kind === 'failed' && end.message).toContain(bench.root);
    expect(bench.indexed()).toEqual(['a.txt']);
    renameSync(`${bench.root}-away`, bench.root);
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });

  test('a root that goes away in the middle ends the scan with a sentence, and the next one continues', async () => {
    for (const folder of ['a', 'b', 'c']) bench.file(`${folder}/x.txt`);
    await bench.run();
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    const list = source.list.bind(source);
    source.list = (folder, signal) => {
      if (folder === bench.path('b')) renameSync(bench.root, `${bench.root}-away`);
      return list(folder, signal);
    };
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'failed', code: 'not_found', connection: false });
    expect(end.kind === 'failed' && end.message).toContain(`[${bench.root}]`);
    expect(end.progress.pendingFolders).toBeGreaterThan(0);
    expect(bench.indexed()).toHaveLength(3);
    renameSync(`${bench.root}-away`, bench.root);
    bench.source = new LocalSource({ followSymlinks: false });
    bench.file('c/y.txt');
    expect(await bench.run({ resume: true })).toMatchObject({ kind: 'completed' });
    expect(bench.indexed()).toEqual(['a/x.txt', 'b/x.txt', 'c/x.txt', 'c/y.txt']);
  });

  test('a disk that is taken away in the middle ends the scan, although an empty folder is left at its place', async () => {
    for (const folder of ['a', 'b']) bench.file(`${folder}/x.txt`);
    await bench.run();
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    const list = source.list.bind(source);
    const stat = source.stat.bind(source);
    source.list = (folder, signal) => {
      if (folder === bench.path('a')) {
        renameSync(bench.root, `${bench.root}-away`);
        mkdirSync(bench.root);
        source.stat = async (...args) => ({ ...(await stat(...args)), device: 987_654 });
      }
      return list(folder, signal);
    };
    expect(await bench.run()).toMatchObject({ kind: 'failed', code: 'not_found' });
    expect(bench.indexed()).toHaveLength(2);
    rmSync(bench.root, { recursive: true });
    renameSync(`${bench.root}-away`, bench.root);
  });

  test('a followed link to a disk that is not mounted keeps what is known below it', async () => {
    bench.set('fs.follow_symlinks=true');
    bench.source = new LocalSource({ followSymlinks: true });
    const disk = `${bench.root}-disk`;
    mkdirSync(disk);
    writeFileSync(join(disk, 'x.txt'), 'x');
    bench.file('a.txt');
    symlinkSync(disk, bench.path('linked'));
    const source = bench.source;
    const list = source.list.bind(source);
    source.list = async function* (folder, signal) {
      const isLinked = folder === bench.path('linked');
      for await (const batch of list(folder, signal))
        yield batch.map((entry) => (isLinked ? { ...entry, device: 987_654 } : entry));
    };
    await bench.run();
    expect(bench.indexed()).toEqual(['a.txt', 'linked/x.txt']);
    renameSync(disk, `${disk}-away`);
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'completed', progress: { deleted: 0 } });
    expect(end.progress.lastError).toContain('seems not to be mounted');
    expect(bench.indexed()).toEqual(['a.txt', 'linked/x.txt']);
    renameSync(`${disk}-away`, disk);
    await bench.run();
    rmSync(bench.path('linked'));
    expect((await bench.run()).progress.deleted).toBe(1);
    rmSync(disk, { recursive: true });
  });

  test('an empty root on another device is a disk that is not mounted', async () => {
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    bench.file('a.txt');
    await bench.run();
    rmSync(bench.path('a.txt'));
    const probe = source.probe.bind(source);
    source.probe = async (...args) => ({ ...(await probe(...args)), device: 987_654 });
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'failed', code: 'not_found' });
    expect(end.kind === 'failed' && end.message).toContain('not to be mounted');
    expect(bench.indexed()).toEqual(['a.txt']);
  });

  test('a folder on another device that holds nothing it held keeps its documents', async () => {
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    bench.file('mount/a.txt');
    await bench.run();
    rmSync(bench.path('mount/a.txt'));
    const stat = source.stat.bind(source);
    source.stat = async (path, signal) => ({ ...(await stat(path, signal)), device: 987_654 });
    const end = await bench.run();
    expect(end.progress).toMatchObject({ deleted: 0, failed: 1 });
    expect(end.progress.lastError).toContain('not to be mounted');
    expect(bench.indexed()).toEqual(['mount/a.txt']);
  });

  test('a folder that has changed its device together with the root is scanned, whatever it held', async () => {
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    for (const name of ['inbox/a.txt', 'other/b.txt', 'other/c.txt']) bench.file(name);
    await bench.run();
    rmSync(bench.path('inbox/a.txt'));
    bench.file('inbox/new.txt');
    const device = 987_654;
    const list = source.list.bind(source);
    const stat = source.stat.bind(source);
    const probe = source.probe.bind(source);
    source.list = async function* (folder, signal) {
      for await (const batch of list(folder, signal)) yield batch.map((entry) => ({ ...entry, device }));
    };
    source.stat = async (...args) => ({ ...(await stat(...args)), device });
    source.probe = async (...args) => ({ ...(await probe(...args)), device });
    expect((await bench.run()).progress).toMatchObject({ files: 1, deleted: 1, failed: 0 });
    expect(bench.indexed()).toEqual(['inbox/new.txt', 'other/b.txt', 'other/c.txt']);
  });

  test('a lost connection ends the scan as such, and the next one resumes with what is pending', async () => {
    const source = new RefusingSource({ followSymlinks: false });
    bench.source = source;
    bench.file('a/1.txt');
    bench.file('b/2.txt');
    source.refused = new Map([[bench.path('b'), new CrawlerError('unavailable', 'connection reset')]]);
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'failed', connection: true, message: 'connection reset' });
    // A source that cannot even be reached takes nothing from what was counted.
    const probe = source.probe.bind(source);
    source.probe = () => Promise.reject(new CrawlerError('unavailable', 'no route to host'));
    const again = await bench.run({ resume: true });
    expect(again).toMatchObject({ kind: 'failed', connection: true, progress: { files: 1 } });
    source.probe = probe;
    source.refused = new Map();
    expect(await bench.run({ resume: true })).toMatchObject({ kind: 'completed', progress: { files: 2 } });
    expect(bench.extracted()).toEqual(['b/2.txt']);
    expect(bench.indexed()).toEqual(['a/1.txt', 'b/2.txt']);
  });

  test.each(['resumed', 'paused and continued'])(
    'what is there again when the scan is %s is not removed',
    async (how) => {
      for (const name of ['a/1.txt', 'a/sub/2.txt', 'a/3.txt']) bench.file(name);
      await bench.run();
      // Folders are scanned in the order in which they were found.
      bench.file('b/4.txt');
      await bench.run();
      const away = mkdtempSync(join(bench.directory, 'away-'));
      const names = ['1.txt', 'sub', '3.txt'];
      for (const name of names) renameSync(bench.path(`a/${name}`), join(away, name));
      const source = new LocalSource({ followSymlinks: false });
      bench.source = source;
      const list = source.list.bind(source);
      const bringBack = (): void => {
        for (const name of names.slice(0, 2)) renameSync(join(away, name), bench.path(`a/${name}`));
      };
      let held: Promise<void> | undefined;
      source.list = (folder, signal) => {
        if (folder !== bench.path('b') || held !== undefined) return list(folder, signal);
        held = how === 'resumed' ? Promise.resolve() : (bench.scan?.hold() ?? Promise.resolve());
        if (how === 'resumed') throw new CrawlerError('unavailable', 'connection reset');
        void held.then(bringBack).then(() => bench.scan?.continue());
        return list(folder, signal);
      };
      let end = await bench.run();
      if (how === 'resumed') {
        expect(end).toMatchObject({ kind: 'failed', connection: true });
        bringBack();
        end = await bench.run({ resume: true });
      }
      expect(end).toMatchObject({ kind: 'completed', progress: { deleted: 1 } });
      expect(bench.indexed()).toEqual(['a/1.txt', 'a/sub/2.txt', 'b/4.txt']);
      expect(bench.port.paths('folders')).toContain(bench.path('a/sub'));
    },
  );

  test('an engine that is away ends the scan as such and loses nothing', async () => {
    for (let at = 0; at < 40; at += 1) bench.file(`${at}.txt`);
    bench.port.down = true;
    expect(await bench.run()).toMatchObject({ kind: 'failed', connection: true, message: 'The engine is away.' });
    bench.port.down = false;
    await bench.run({ resume: true });
    expect(bench.indexed()).toHaveLength(40);
  });

  test('what was under way when the engine went away is done by the same scan, not by the next one', async () => {
    bench.file('sub/a.txt');
    bench.file('sub/b.txt');
    bench.port.verdict = (path) =>
      path.endsWith('b.txt')
        ? { status: 'failed', problem: { reason: 'unavailable', message: 'The engine is away.' } }
        : undefined;
    expect(await bench.run()).toMatchObject({ kind: 'failed', connection: true });
    bench.port.verdict = () => undefined;
    expect(await bench.run({ resume: true })).toMatchObject({ kind: 'completed' });
    expect(bench.extracted()).toEqual(['sub/b.txt']);
    expect(bench.indexed()).toEqual(['sub/a.txt', 'sub/b.txt']);
  });

  test('so are the documents of folders', async () => {
    bench.file('sub/deep/a.txt');
    bench.port.writes = false;
    expect(await bench.run()).toMatchObject({ kind: 'failed', connection: true });
    bench.port.writes = true;
    expect(await bench.run({ resume: true })).toMatchObject({ kind: 'completed' });
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('sub'), bench.path('sub/deep')]);
    expect(bench.indexed()).toEqual(['sub/deep/a.txt']);
  });
});
