import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

describe('a first scan', () => {
  test('indexes every file of every folder, and the folders', async () => {
    bench.file('a.txt');
    bench.file('sub/deep/b.txt');
    bench.file('sub/.hidden');
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'completed', progress: { files: 3, failed: 0, pendingFolders: 0 } });
    expect(bench.indexed()).toEqual(['a.txt', 'sub/.hidden', 'sub/deep/b.txt']);
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('sub'), bench.path('sub/deep')]);
  });

  test('writes no folder documents when fs.index_folders is off', async () => {
    bench.set('fs.index_folders=false').file('sub/a.txt');
    await bench.run();
    expect(bench.indexed()).toEqual(['sub/a.txt']);
    expect(bench.port.indices.has('folders')).toBe(false);
  });

  test('finds names with accents, spaces, newlines, 255 bytes, and invalid UTF-8', async () => {
    const names = ['é ü.txt', 'a b  c.txt', 'line\nbreak.txt', 'x'.repeat(255), '日本語.txt'];
    for (const name of names) bench.file(name);
    execFileSync('bash', ['-c', `cd "$1" && printf x > $'caf\\xe9.txt'`, 'bash', bench.root]);
    await bench.run();
    expect(bench.indexed()).toEqual([...names, 'caf\\xE9.txt'].sort());
  });
});

describe('a later scan', () => {
  test('reads nothing when nothing changed', async () => {
    bench.file('a.txt');
    bench.file('sub/b.txt');
    await bench.run();
    const end = await bench.run();
    expect(end).toMatchObject({ kind: 'completed', progress: { files: 0, deleted: 0, seen: 3 } });
    expect(bench.extracted()).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['another size', () => bench.file('a.txt', 'longer than before')],
    ['an older date', () => utimesSync(bench.path('a.txt'), new Date(0), new Date(1000))],
    [
      'the same size and date after a rewrite (ctime)',
      () => {
        const old = new Date('2020-01-01');
        writeFileSync(bench.path('a.txt'), 'b.txt');
        utimesSync(bench.path('a.txt'), old, old);
      },
    ],
  ])('indexes a file with %s again', async (_, change) => {
    bench.file('a.txt', 'a.txt');
    bench.file('same.txt');
    await bench.run();
    change();
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
  });

  test('indexes a copy with an old date, whatever the clock says', async () => {
    bench.file('a.txt');
    await bench.run();
    const path = bench.file('copied.txt');
    utimesSync(path, new Date('2001-01-01'), new Date('2001-01-01'));
    await bench.run();
    expect(bench.extracted()).toEqual(['copied.txt']);
  });

  test('removes what is gone, files and whole folders, and their folder documents', async () => {
    bench.file('stay.txt');
    bench.file('gone.txt');
    bench.file('old/deep/x.txt');
    await bench.run();
    rmSync(bench.path('gone.txt'));
    rmSync(bench.path('old'), { recursive: true });
    const end = await bench.run();
    expect(end.progress.deleted).toBe(2);
    expect(bench.indexed()).toEqual(['stay.txt']);
    expect(bench.port.paths('folders')).toEqual([bench.root]);
    expect((await bench.run()).progress.deleted).toBe(0);
  });

  test('a deletion that the engine refuses is said, counted, and tried again', async () => {
    bench.file('a/1.txt');
    bench.file('b.txt');
    await bench.run();
    rmSync(bench.path('a'), { recursive: true });
    for (const index of ['docs', 'folders']) {
      const write = bench.port.write.bind(bench.port);
      bench.port.write = async (operations) => {
        const refused = operations.every((each) => each.kind === 'delete' && each.index === index);
        if (!refused || operations.length === 0) return await write(operations);
        return operations.map(({ id }) => ({ ok: false, id: id ?? '', code: 'rejected', message: 'read-only' }));
      };
      const { progress } = await bench.run();
      expect(progress.failed).toBe(1);
      expect(progress.lastError).toMatch(/^The document of \[.*\] cannot be removed: read-only$/);
      bench.port.write = write;
    }
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('a')]);
    expect((await bench.run()).progress.failed).toBe(0);
    expect(bench.port.paths('folders')).toEqual([bench.root]);
    expect(bench.indexed()).toEqual(['b.txt']);
  });

  test('keeps what is gone when fs.remove_deleted is off', async () => {
    bench.set('fs.remove_deleted=false').file('gone.txt');
    await bench.run();
    rmSync(bench.path('gone.txt'));
    await bench.run();
    expect(bench.indexed()).toEqual(['gone.txt']);
  });

  test('removes every file of an emptied folder on the same device', async () => {
    bench.set('fs.delete_guard=-1');
    for (let at = 0; at < 1200; at += 1) bench.file(`many/${at}.txt`, 'x');
    await bench.run();
    rmSync(bench.path('many'), { recursive: true });
    mkdirSync(bench.path('many'));
    expect((await bench.run()).progress.deleted).toBe(1200);
    expect(bench.indexed()).toEqual([]);
  });
});

describe('moves', () => {
  test('a renamed file is re-keyed without being read', async () => {
    bench.file('a.txt');
    await bench.run();
    renameSync(bench.path('a.txt'), bench.path('b.txt'));
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.moves).toEqual([{ from: bench.path('a.txt'), to: bench.path('b.txt') }]);
    expect(bench.indexed()).toEqual(['b.txt']);
  });

  test.each([
    ['before', 'zz', 'aa'],
    ['after', 'aa', 'zz'],
  ])('a folder renamed to a name listed %s the old one moves all its files', async (_, from, to) => {
    for (let at = 0; at < 50; at += 1) bench.file(`${from}/sub/${at}.txt`);
    await bench.run();
    renameSync(bench.path(from), bench.path(to));
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.port.moves).toHaveLength(50);
    expect(bench.indexed().every((path) => path.startsWith(`${to}/sub/`))).toBe(true);
    await bench.run();
    expect(bench.indexed()).toHaveLength(50);
  });

  test('a hard link and a copy are files of their own', async () => {
    bench.file('a.txt');
    await bench.run();
    linkSync(bench.path('a.txt'), bench.path('link.txt'));
    await bench.run();
    expect(bench.port.moves).toEqual([]);
    expect(bench.indexed()).toEqual(['a.txt', 'link.txt']);
  });

  test('a file renamed to another extension is read again', async () => {
    bench.file('a.txt');
    await bench.run();
    renameSync(bench.path('a.txt'), bench.path('a.html'));
    await bench.run();
    expect(bench.extracted()).toEqual(['a.html']);
    expect(bench.indexed()).toEqual(['a.html']);
  });
});

describe('rules', () => {
  test('what is excluded later leaves the index, and comes back when it is included again', async () => {
    bench.file('a.txt');
    bench.file('b.log');
    await bench.run();
    bench.set('fs.excludes=*.log');
    await bench.run();
    expect(bench.indexed()).toEqual(['a.txt']);
    bench.set();
    await bench.run();
    expect(bench.indexed()).toEqual(['a.txt', 'b.log']);
    expect(bench.extracted()).toEqual(['b.log']);
  });

  test('an excluded folder is pruned, and what was indexed below it is removed', async () => {
    bench.file('keep/a.txt');
    bench.file('drop/sub/b.txt');
    await bench.run();
    bench.set('fs.excludes=/drop/*');
    await bench.run();
    expect(bench.indexed()).toEqual(['keep/a.txt']);
  });

  test.each(['.crawlerignore', '.fscrawlerignore', '.FSCrawlerIgnore'])(
    '%s takes out a folder and what is below it',
    async (name) => {
      bench.file('a.txt');
      bench.file('sub/b.txt');
      bench.file('sub/deep/c.txt');
      await bench.run();
      bench.file(`sub/${name}`, '');
      await bench.run();
      expect(bench.indexed()).toEqual(['a.txt']);
      rmSync(bench.path(`sub/${name}`));
      await bench.run();
      expect(bench.indexed()).toEqual(['a.txt', 'sub/b.txt', 'sub/deep/c.txt']);
    },
  );

  test('what a pattern is not decided for keeps what is in the index, is noted, and is judged again', async () => {
    const slow = 'a'.repeat(200);
    bench.file('b.txt');
    bench.file(slow);
    bench.file(`${slow}d/c.txt`);
    await bench.run();
    bench.set('fs.excludes=regex:(?=/)(/?a+)+(b|c/)');
    bench.file(`${slow}a`);
    const end = await bench.run();
    const lastError = expect.stringContaining('was not decided within') as unknown;
    expect(end).toMatchObject({ kind: 'completed', progress: { lastError, failed: 3 } });
    expect(bench.indexed()).toEqual([slow, `${slow}d/c.txt`, 'b.txt']);
    expect(bench.catalog.records.fileByPath(bench.root, `${slow}a`)).toMatchObject({
      state: 'skipped',
      reason: 'timed_out',
    });
    bench.set();
    await bench.run();
    expect(bench.indexed()).toEqual([slow, `${slow}a`, `${slow}d/c.txt`, 'b.txt']);
  });

  test('fs.ignore_above leaves out larger files, and its change is noticed', async () => {
    bench.set('fs.ignore_above=4b').file('large.txt', '12345');
    bench.file('equal.txt', '1234');
    await bench.run();
    expect(bench.indexed()).toEqual(['equal.txt']);
    bench.set('fs.ignore_above=5b');
    await bench.run();
    expect(bench.indexed()).toEqual(['equal.txt', 'large.txt']);
  });

  test('another extractor version or another setting that shapes documents indexes everything again', async () => {
    bench.file('a.txt');
    await bench.run();
    bench.extractorVersion = '2';
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
    bench.set('fs.raw_metadata=true');
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });

  test('a changed .meta.yml re-indexes the files of its own folder only, and is never indexed itself', async () => {
    bench.file('a.txt');
    bench.file('sub/b.txt');
    await bench.run();
    bench.file('.meta.yml', 'external: {team: a}');
    await bench.run();
    expect(bench.extracted()).toEqual(['a.txt']);
    expect(bench.indexed()).toEqual(['a.txt', 'sub/b.txt']);
    expect([...(bench.port.indices.get('docs')?.values() ?? [])].map(({ metadata }) => metadata)).toContain(
      'external: {team: a}',
    );
  });
});

describe('owner, group and permissions', () => {
  test.each([true, false])('are read where the listing is, with fs.attributes_support: %s', async (wanted) => {
    bench.set(`fs.attributes_support=${wanted}`).file('a.txt');
    chmodSync(bench.path('a.txt'), 0o640);
    await bench.run();
    const told = bench.port.attributes.get(bench.path('a.txt'));
    expect([told?.permissions, typeof told?.owner]).toEqual(wanted ? [640, 'string'] : [undefined, 'undefined']);
  });
});

describe('what cannot be indexed', () => {
  test('symbolic links, FIFOs and sockets are passed over with a reason', async () => {
    bench.file('a.txt');
    symlinkSync(bench.path('a.txt'), bench.path('link.txt'));
    execFileSync('mkfifo', [bench.path('pipe')]);
    await bench.run();
    expect(bench.indexed()).toEqual(['a.txt']);
    expect(bench.catalog.records.fileByPath(bench.root, 'link.txt')).toMatchObject({
      state: 'skipped',
      reason: 'symlink',
    });
    expect(bench.catalog.records.fileByPath(bench.root, 'pipe')).toMatchObject({ state: 'skipped', reason: 'special' });
  });

  test('followed links are indexed below their own path, and loops end', async () => {
    bench.set('fs.follow_symlinks=true').file('real/a.txt');
    symlinkSync(bench.path('real'), bench.path('linked'));
    symlinkSync(bench.root, bench.path('real/back'));
    mkdirSync(bench.path('one'));
    mkdirSync(bench.path('two'));
    symlinkSync(bench.path('two'), bench.path('one/to-two'));
    symlinkSync(bench.path('one'), bench.path('two/to-one'));
    const end = await bench.run();
    expect(end.kind).toBe('completed');
    expect(bench.indexed()).toEqual(['linked/a.txt', 'real/a.txt']);
    expect(bench.catalog.records.fileByPath(bench.path('real'), 'back')).toMatchObject({ reason: 'symlink_loop' });
  });

  test('a file that fails keeps its reason and is tried again with growing intervals, or when it changes', async () => {
    let now = 1_000_000;
    bench.clock = { now: () => now, sleep: () => Promise.resolve() };
    bench.file('bad.txt');
    bench.port.verdict = () => ({ status: 'failed', problem: { reason: 'rejected', message: 'mapping conflict' } });
    expect((await bench.run()).progress).toMatchObject({ files: 0, failed: 1, lastError: 'mapping conflict' });
    expect(bench.catalog.records.fileByPath(bench.root, 'bad.txt')).toMatchObject({
      state: 'failed',
      reason: 'rejected',
      tries: 1,
    });
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    now += 61_000;
    await bench.run();
    expect(bench.catalog.records.fileByPath(bench.root, 'bad.txt')).toMatchObject({ tries: 2 });
    now += 61_000;
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    bench.file('bad.txt', 'changed');
    bench.port.verdict = () => undefined;
    await bench.run();
    expect(bench.indexed()).toEqual(['bad.txt']);
    expect(bench.catalog.records.fileByPath(bench.root, 'bad.txt')).toMatchObject({
      state: 'indexed',
      reason: undefined,
    });
  });

  test('a document indexed with a problem is not tried again until something changes', async () => {
    bench.file('locked.pdf');
    bench.port.verdict = () => ({ status: 'indexed', problem: { reason: 'encrypted', message: 'no password' } });
    await bench.run();
    expect(bench.catalog.records.fileByPath(bench.root, 'locked.pdf')).toMatchObject({
      state: 'indexed',
      reason: 'encrypted',
    });
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    bench.extractorVersion = '2';
    await bench.run();
    expect(bench.extracted()).toEqual(['locked.pdf']);
  });

  test('a document whose text no longer passes the filters leaves the index', async () => {
    bench.file('a.txt');
    await bench.run();
    bench.port.verdict = () => ({ status: 'skipped', problem: { reason: 'filtered', message: 'x' } });
    bench.file('a.txt', 'changed');
    await bench.run();
    expect(bench.indexed()).toEqual([]);
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });

  test.each(['failed', 'held', 'sent'])('so does that of a file whose record is %s by then', async (state) => {
    bench.set('fs.delete_guard=0');
    const path = bench.file('a.txt');
    const first = await bench.run();
    if (state === 'held') rmSync(path);
    else bench.file('a.txt', 'changed');
    bench.port.verdict = () => ({ status: 'failed', problem: { reason: 'unreadable', message: 'no' } });
    if (state !== 'sent') await bench.run();
    else {
      const folderId = bench.catalog.records.folderByPath(bench.root)?.id ?? 0;
      const [record] = bench.catalog.records.files(folderId);
      if (record !== undefined) bench.catalog.records.saveFiles([{ ...record, state: 'sent' }]);
    }
    expect(first.progress.files).toBe(1);
    expect(bench.indexed()).toEqual(['a.txt']);
    bench.port.verdict = () => ({ status: 'skipped', problem: { reason: 'filtered', message: '' } });
    bench.file('a.txt', 'filtered by now');
    expect((await bench.run()).progress.deleted).toBe(1);
    expect(bench.indexed()).toEqual([]);
  });
});

describe('interruption', () => {
  test('hold takes no further file, continue continues, nothing is read twice', async () => {
    for (let at = 0; at < 30; at += 1) bench.file(`${at}.txt`);
    bench.maxUnderWay = 2;
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => (release = resolve));
    bench.port.barrier = () => blocked;
    const running = bench.run();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const held = bench.scan?.hold();
    release();
    await held;
    const whenHeld = bench.extracted().length;
    expect(whenHeld).toBeLessThanOrEqual(3);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(bench.extracted()).toHaveLength(whenHeld);
    bench.scan?.continue();
    expect((await running).kind).toBe('completed');
    expect(bench.extracted()).toHaveLength(30);
    expect(bench.indexed()).toHaveLength(30);
  });

  test('a stopped scan continues where it was, with its counts', async () => {
    for (let folder = 0; folder < 10; folder += 1) for (let at = 0; at < 5; at += 1) bench.file(`${folder}/${at}.txt`);
    bench.maxUnderWay = 1;
    let count = 0;
    bench.port.barrier = () => {
      count += 1;
      if (count === 20) bench.scan?.stop();
      return Promise.resolve();
    };
    expect((await bench.run()).kind).toBe('stopped');
    const before = bench.extracted().length;
    expect(before).toBeLessThan(50);
    bench.reopenCatalog();
    bench.port.barrier = () => Promise.resolve();
    const end = await bench.run({ resume: true });
    expect(end).toMatchObject({ kind: 'completed', progress: { files: 50 } });
    expect(before + bench.extracted().length).toBe(50);
  });
});

test('a document that reached the index in the moment of a crash is removed when its file is gone by then', async () => {
  bench.file('a.txt');
  bench.file('b.txt');
  let handedOver: () => void = () => undefined;
  const whenHandedOver = new Promise<void>((resolve) => (handedOver = resolve));
  bench.port.barrier = () => {
    handedOver();
    return Promise.resolve();
  };
  void bench.run();
  await whenHandedOver;
  // The process dies here: the index has the documents, the catalog never hears of it.
  bench.catalog.records.saveFiles = () => {
    throw new Error('killed');
  };
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(bench.indexed()).toEqual(['a.txt', 'b.txt']);
  bench.reopenCatalog();
  rmSync(bench.path('b.txt'));
  await bench.run({ resume: true, afterRestart: true });
  expect(bench.indexed()).toEqual(['a.txt']);
});

test('a record that could not be written in one moment is not missing in the next', async () => {
  for (const name of ['a/1.txt', 'a/2.txt', 'b/1.txt']) bench.file(name);
  await bench.run();
  rmSync(bench.path('a/1.txt'));
  bench.file('a/3.txt');
  const { records } = bench.catalog;
  const save = records.saveFiles.bind(records);
  let failures = 0;
  records.saveFiles = (written) => {
    if (written[0]?.state === 'gone' && (failures += 1) === 1) throw new Error('database or disk is full');
    save(written);
  };
  // The folder is done only after what it has lost was to be written.
  bench.port.barrier = () => delay(120);
  expect(await bench.run()).toMatchObject({ kind: 'failed', message: 'database or disk is full' });
  await delay(120);
  expect(await bench.run({ resume: true })).toMatchObject({ kind: 'completed' });
  expect(bench.indexed()).toEqual(['a/2.txt', 'a/3.txt', 'b/1.txt']);
});

test('what changed in completed folders while no process ran is found by the restarted scan', async () => {
  bench.file('a/1.txt');
  bench.file('b/2.txt');
  bench.maxUnderWay = 1;
  bench.port.barrier = (path) => {
    if (path.endsWith('2.txt')) bench.scan?.stop();
    return Promise.resolve();
  };
  expect((await bench.run()).kind).toBe('stopped');
  bench.port.barrier = () => Promise.resolve();
  renameSync(bench.path('a'), bench.path('c'));
  bench.file('late.txt');
  await bench.run({ resume: true, afterRestart: true });
  expect(bench.indexed()).toEqual(['b/2.txt', 'c/1.txt', 'late.txt']);
});

describe('another index than last time', () => {
  test('an index that was lost is filled again', async () => {
    bench.file('a.txt');
    await bench.run();
    bench.port.indices.clear();
    bench.indexIdentity = 'index-2';
    await bench.run();
    expect(bench.indexed()).toEqual(['a.txt']);
    expect(bench.port.warnings.join()).toContain('not the one of the last run');
  });

  test('a catalog that was lost is rebuilt from the index: nothing is read again, nothing is orphaned', async () => {
    const path = bench.file('sub/a.txt', 'hello');
    utimesSync(path, new Date(1_600_000_000_123), new Date(1_600_000_000_123));
    bench.file('sub/changed.txt', 'new');
    await bench.run();
    bench.file('sub/fresh.txt');
    const ids = [...(bench.port.indices.get('docs')?.entries() ?? [])];
    const idOf = (name: string): string => ids.find(([, each]) => each.path === bench.path(name))?.[0] ?? '';
    rmSync(join(bench.directory, 'catalog.db'));
    bench.reopenCatalog();
    const goneId = 'f00';
    bench.port.indices.get('docs')?.set(goneId, { path: '/elsewhere/upload.txt', metadata: undefined });
    bench.port.offerPages([
      [
        { id: idOf('sub/a.txt'), real: path, size: 5, modifiedMs: Math.trunc(statSync(path).mtimeMs) },
        { id: idOf('sub/changed.txt'), real: bench.path('sub/changed.txt'), size: 99, modifiedMs: 1 },
        { id: goneId, real: '/elsewhere/upload.txt', size: 1, modifiedMs: 1 },
      ],
    ]);
    await bench.run();
    expect(bench.extracted()).toEqual(['sub/changed.txt', 'sub/fresh.txt']);
    expect(bench.port.paths('docs')).toContain('/elsewhere/upload.txt');
    await bench.run();
    expect(bench.extracted()).toEqual([]);
  });
});
