import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Database } from '../../../src/base/sqlite.js';
import { toFault } from '../../../src/crawler/scan/scan-context.js';
import type { FileRecord } from '../../../src/state/catalog.js';
import { STATE_COUNTS } from '../../../src/state/folder-totals.js';
import { isCatalogCorruption, openCatalog } from '../../../src/state/open-catalog.js';
import { JobLock } from '../../../src/state/job-lock.js';
import { SqliteCatalog } from '../../../src/state/sqlite-catalog.js';

let directory: string;
let path: string;
let catalog: SqliteCatalog;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-catalog-'));
  path = join(directory, 'catalog.db');
  catalog = new SqliteCatalog(path);
});
afterEach(() => {
  catalog.close();
  rmSync(directory, { recursive: true, force: true });
});

function record(folderId: number, name: string, more: Partial<FileRecord> = {}): FileRecord {
  return {
    folderId,
    name,
    size: 1,
    modifiedMs: 1_700_000_000_000.125,
    changedMs: 2.5,
    createdMs: 3.25,
    inode: 2 ** 60,
    version: '',
    state: 'indexed',
    reason: undefined,
    message: undefined,
    rules: 7,
    tries: 0,
    atMs: 5,
    retryMs: 0,
    ...more,
  };
}

function tree(): { root: number; sub: number } {
  catalog.frontier.beginScan('/r', 'scan-1', 1);
  const root = catalog.records.folderByPath('/r')?.id ?? 0;
  const sub = catalog.frontier.addSubfolders(root, ['/r/sub'])[0]?.id ?? 0;
  return { root, sub };
}

describe('records', () => {
  test('come back bit by bit, times with their fractions', () => {
    const { root } = tree();
    const saved = record(root, 'é\nb.txt', {
      state: 'failed',
      reason: 'rejected',
      message: 'no',
      tries: 2,
      retryMs: 9,
    });
    catalog.records.saveFiles([saved]);
    expect(catalog.records.files(root)).toEqual([saved]);
    expect(catalog.records.fileByPath('/r', 'é\nb.txt')).toEqual(saved);
  });

  test('lose their problem when it is solved', () => {
    const { root } = tree();
    catalog.records.saveFiles([record(root, 'a', { state: 'failed', reason: 'rejected', tries: 3 })]);
    catalog.records.saveFiles([record(root, 'a')]);
    expect(catalog.records.fileByPath('/r', 'a')).toMatchObject({ state: 'indexed', reason: undefined, tries: 0 });
    expect(catalog.reports.problems(undefined, 10)).toEqual([]);
  });

  test('are found again by inode, size and dates', () => {
    const { root } = tree();
    catalog.records.saveFiles([record(root, 'a'), record(root, 'b', { inode: 5 })]);
    expect(catalog.records.filesByInode(record(0, 'x')).map(({ record: each }) => each.name)).toEqual(['a']);
    expect(catalog.records.filesByInode(record(0, 'x', { modifiedMs: 1 }))).toEqual([]);
    expect(catalog.records.filesByInode(record(0, 'x', { inode: 0 }))).toEqual([]);
  });

  test('are paged without gaps or repetition', () => {
    const { root, sub } = tree();
    const names = Array.from({ length: 25 }, (_, at) => `f${String(at).padStart(2, '0')}`);
    catalog.records.saveFiles(names.map((name, at) => record(at % 2 === 0 ? root : sub, name, { state: 'gone' })));
    const seen: string[] = [];
    while (catalog.deletions.releaseGone(10) > 0);
    for (
      let page = catalog.deletions.releasedFiles(undefined, 4);
      page.length > 0;
      page = catalog.deletions.releasedFiles(page.at(-1)?.record, 4)
    ) {
      seen.push(...page.map(({ record: each }) => each.name));
    }
    expect(seen.sort()).toEqual(names);
  });

  test('are counted by state and reason', () => {
    const { root } = tree();
    catalog.records.saveFiles([
      record(root, 'a'),
      record(root, 'b', { reason: 'encrypted' }),
      record(root, 'c', { state: 'skipped', reason: 'excluded' }),
    ]);
    expect(catalog.reports.reasons()).toEqual({ encrypted: 1, excluded: 1 });
    expect(catalog.reports.totals()).toEqual({
      files: 3,
      folders: 2,
      states: { indexed: 2, skipped: 1 },
      reasons: { encrypted: 1, excluded: 1 },
    });
  });
});

describe('many files', () => {
  test('left out for a reason each are all counted, also beyond the page that is counted at once', () => {
    const { root, sub } = tree();
    const left = (folder: number, count: number, more: Partial<FileRecord>): FileRecord[] =>
      Array.from({ length: count }, (_, at) => record(folder, `${at}`, { state: 'skipped', ...more }));
    catalog.records.saveFiles([
      ...left(root, 20_000, { reason: 'excluded' }),
      ...left(sub, 15_000, { reason: 'excluded' }),
      ...left(sub, 5000, { reason: 'symlink' }).map((each) => ({ ...each, name: `link ${each.name}` })),
      record(sub, 'failed', { state: 'failed', reason: 'corrupt' }),
    ]);
    const reasons = { excluded: 35_000, symlink: 5000, corrupt: 1 };
    expect(catalog.reports.reasons()).toEqual(reasons);
    const states = { skipped: 40_000, failed: 1 };
    expect(catalog.reports.totals()).toEqual({ files: 40_001, folders: 2, states, reasons });
    expect(catalog.reports.totalsBelow(root)).toMatchObject({ states, reasons });
  });

  test('are counted by state without being sorted, which would take memory for each', () => {
    catalog.close();
    const database = new Database(path, { readOnly: true });
    const plan = database.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT ${STATE_COUNTS} FROM file`).all();
    database.close();
    catalog = new SqliteCatalog(path);
    expect(plan.map(({ detail }) => detail)).toEqual(['SCAN file']);
  });
});

describe('the frontier', () => {
  test('holds the root first, then what was found, until it is completed', () => {
    const { root, sub } = tree();
    expect(catalog.frontier.pendingFolders(0, 10).map(({ path: each }) => each)).toEqual(['/r', '/r/sub']);
    catalog.frontier.completeFolder(root, { digest: 'd', device: 1, reason: undefined });
    expect(catalog.frontier.pendingFolders(0, 10).map(({ id }) => id)).toEqual([sub]);
    expect(catalog.frontier.folderCounts()).toEqual({ pending: 1, completed: 1 });
  });

  test('survives the process, with the scan that it belongs to', () => {
    const { root } = tree();
    catalog.frontier.completeFolder(root, { digest: 'd', device: 1, reason: undefined });
    catalog.frontier.saveScan({ files: 3, deleted: 1, failed: 0 });
    catalog.close();
    catalog = new SqliteCatalog(path);
    expect(catalog.frontier.unfinishedScan()).toMatchObject({ id: 'scan-1', files: 3, deleted: 1 });
    expect(catalog.frontier.pendingFolders(0, 10).map(({ path: each }) => each)).toEqual(['/r/sub']);
  });

  test('of an unfinished scan is forgotten when a new one begins', () => {
    tree();
    catalog.frontier.beginScan('/r', 'scan-2', 2);
    expect(catalog.frontier.pendingFolders(0, 10).map(({ path: each }) => each)).toEqual(['/r']);
  });

  test('takes up all known sub-folders of an unchanged folder at once', () => {
    const { root, sub } = tree();
    for (const id of [root, sub]) catalog.frontier.completeFolder(id, { digest: 'd', device: 1, reason: undefined });
    catalog.frontier.beginScan('/r', 'scan-2', 2);
    catalog.frontier.keepSubfolders(root);
    catalog.frontier.keepFolder(root);
    expect(catalog.frontier.pendingFolders(0, 10)).toEqual([
      { id: sub, parentId: root, path: '/r/sub', digest: 'd', documentMs: 0, device: 1, reason: undefined },
    ]);
  });

  test('a folder that is gone takes everything below it along', () => {
    const { root, sub } = tree();
    const deep = catalog.frontier.addSubfolders(sub, ['/r/sub/deep'])[0]?.id ?? 0;
    catalog.records.saveFiles([record(root, 'stays'), record(sub, 'a'), record(deep, 'b')]);
    catalog.deletions.markFolderGone(sub);
    expect(catalog.deletions.goneCounts()).toMatchObject({ files: 2, folders: 2 });
    expect(catalog.records.fileByPath('/r/sub', 'a')?.state).toBe('gone');
    expect(catalog.records.fileByPath('/r', 'stays')?.state).toBe('indexed');
    expect(catalog.frontier.pendingFolders(0, 10).map(({ path: each }) => each)).toEqual(['/r']);
  });
});

describe('what is gone', () => {
  function goneTree(): { root: number; sub: number; deep: number } {
    const { root, sub } = tree();
    const deep = catalog.frontier.addSubfolders(sub, ['/r/sub/deep'])[0]?.id ?? 0;
    catalog.records.saveFiles([record(sub, 'a'), record(deep, 'b')]);
    catalog.deletions.markFolderGone(sub);
    return { root, sub, deep };
  }

  test('is released in pages, files before folders, and only then removed', () => {
    goneTree();
    expect(catalog.deletions.releasedFiles(undefined, 10)).toEqual([]);
    expect([1, 2, 3, 4, 5].map(() => catalog.deletions.releaseGone(1))).toEqual([1, 1, 1, 1, 0]);
    expect(catalog.deletions.goneCounts()).toMatchObject({ files: 0, folders: 0 });
    expect(catalog.deletions.releasedFiles(undefined, 10).map(({ record: each }) => each.name)).toEqual(['a', 'b']);
  });

  test('a folder waits for everything in it', () => {
    const { sub, deep } = goneTree();
    while (catalog.deletions.releaseGone(10) > 0);
    expect(catalog.deletions.releasedFolders(10)).toEqual([]);
    catalog.records.forgetFile(sub, 'a');
    catalog.records.forgetFile(deep, 'b');
    expect(catalog.deletions.releasedFolders(10).map(({ path: each }) => each)).toEqual(['/r/sub/deep']);
    catalog.deletions.forgetFolder(deep);
    expect(catalog.deletions.releasedFolders(10).map(({ path: each }) => each)).toEqual(['/r/sub']);
  });

  test('keeps what it was indexed under until it is released', () => {
    const { root } = tree();
    catalog.records.saveFiles([record(root, 'a', { state: 'gone', rules: 7 })]);
    expect(catalog.records.fileByPath('/r', 'a')?.rules).toBe(7);
    catalog.deletions.releaseGone(10);
    expect(catalog.records.fileByPath('/r', 'a')).toMatchObject({ state: 'gone', rules: 0 });
  });

  test('was never in the index, and is forgotten, when a rule had left it out', () => {
    const { sub } = tree();
    catalog.records.saveFiles([record(sub, 'out', { state: 'skipped', reason: 'excluded' }), record(sub, 'in')]);
    catalog.deletions.markFolderGone(sub);
    expect(catalog.records.files(sub).map(({ name }) => name)).toEqual(['in']);
    expect(catalog.reports.totals().reasons).toEqual({});
  });

  test('a folder that comes back is there again; its document is only trusted when it was never released', () => {
    const { root, sub } = goneTree();
    catalog.records.saveFolderDocument(sub, 5);
    expect(catalog.frontier.addSubfolders(root, ['/r/sub'])).toMatchObject([{ id: sub, documentMs: 5 }]);
    catalog.deletions.markFolderGone(sub);
    while (catalog.deletions.releaseGone(10) > 0);
    expect(catalog.frontier.addSubfolders(root, ['/r/sub'])).toMatchObject([{ id: sub, documentMs: 0 }]);
  });
});

describe('a partial scan', () => {
  function settledTree(): { root: number; sub: number } {
    const { root, sub } = tree();
    for (const id of [root, sub]) catalog.frontier.completeFolder(id, { digest: 'd', device: 1, reason: undefined });
    catalog.frontier.endScan();
    return { root, sub };
  }
  const pending = (): string[] => catalog.frontier.pendingFolders(0, 10).map(({ path: each }) => each);

  test('has only the folders that it is for, and is no scan that could be continued', () => {
    settledTree();
    catalog.frontier.beginPartialScan(['/r/sub']);
    expect(pending()).toEqual(['/r/sub']);
    expect(catalog.frontier.unfinishedScan()).toBeUndefined();
  });

  test('of an unknown folder is one of the nearest folder above that is known', () => {
    settledTree();
    catalog.frontier.beginPartialScan(['/r/sub/new/deeper', '/elsewhere']);
    expect(pending()).toEqual(['/r/sub']);
  });

  test('walks new sub-folders and those that are back, not the others', () => {
    const { root } = settledTree();
    const back = catalog.frontier.addSubfolders(root, ['/r/back'])[0]?.id ?? 0;
    catalog.frontier.completeFolder(back, { digest: 'd', device: 1, reason: undefined });
    catalog.deletions.markFolderGone(back);
    catalog.frontier.beginPartialScan(['/r']);
    catalog.frontier.addNewSubfolders(root, ['/r/sub', '/r/new', '/r/back']);
    expect(pending()).toEqual(['/r', '/r/back', '/r/new']);
  });

  test('keeps what an earlier look has left', () => {
    const { root } = settledTree();
    catalog.frontier.beginPartialScan(['/r']);
    catalog.frontier.addNewSubfolders(root, ['/r/new']);
    catalog.frontier.completeFolder(root, { digest: 'd', device: 1, reason: undefined });
    catalog.frontier.beginPartialScan(['/r/sub']);
    expect(pending()).toEqual(['/r/sub', '/r/new']);
  });
});

test('a folder is counted with all below it, without what is gone or beside it', () => {
  const { root, sub } = tree();
  const [deep, gone] = catalog.frontier.addSubfolders(sub, ['/r/sub/deep', '/r/sub/gone']).map(({ id }) => id);
  const [beside] = catalog.frontier.addSubfolders(root, ['/r/subway']).map(({ id }) => id);
  catalog.records.saveFiles([
    record(root, 'above'),
    record(sub, 'a'),
    record(sub, 'b', { state: 'failed', reason: 'corrupt' }),
    record(deep ?? 0, 'c'),
    record(deep ?? 0, 'd', { reason: 'encrypted' }),
    record(deep ?? 0, 'e', { state: 'gone' }),
    record(gone ?? 0, 'f'),
    record(beside ?? 0, 'g'),
  ]);
  catalog.frontier.completeFolder(deep ?? 0, { digest: '', device: 1, reason: 'unreadable' });
  catalog.deletions.markFolderGone(gone ?? 0);
  expect(catalog.reports.totalsBelow(sub)).toEqual({
    folders: 1,
    closedFolders: 1,
    states: { indexed: 3, failed: 1, gone: 1 },
    reasons: { corrupt: 1, encrypted: 1 },
  });
  expect(catalog.reports.totalsBelow(root)).toMatchObject({ folders: 3, states: { indexed: 5, failed: 1, gone: 1 } });
});

describe('a damaged file', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['that is no database', () => Buffer.from('this is not a database, not at all, really not'.repeat(100))],
    [
      'with garbage in the middle',
      (bytes) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xff)]),
    ],
    ['that was cut', (bytes) => bytes.subarray(0, 5000)],
  ])('%s is put aside, said so, and a new one begun', (_, damage) => {
    const { root } = tree();
    catalog.records.saveFiles(Array.from({ length: 500 }, (_each, at) => record(root, `file-${at}`)));
    catalog.close();
    writeFileSync(path, damage(readFileSync(path)));
    const messages: string[] = [];
    catalog = openCatalog(path, (message) => messages.push(message));
    expect(messages.join()).toContain('is damaged');
    expect(catalog.reports.totals().files).toBe(0);
    expect(readdirSync(directory).some((name) => name.startsWith('catalog.db.damaged-'))).toBe(true);
  });

  test('that shows only while records are read has a code of its own, and the scan ends with it', () => {
    const { root } = tree();
    catalog.records.saveFiles(Array.from({ length: 5000 }, (_each, at) => record(root, `file-${at}`)));
    catalog.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
    catalog = new SqliteCatalog(path);
    let thrown: unknown;
    try {
      catalog.records.files(root);
    } catch (error) {
      thrown = error;
    }
    expect(isCatalogCorruption(thrown)).toBe(true);
    expect(toFault(thrown).code).toBe('catalog_damaged');
    expect(isCatalogCorruption(new Error('The text says corrupt, malformed, and no such table.'))).toBe(false);
  });

  test('with the tables of another program is put aside', () => {
    catalog.close();
    rmSync(path);
    const foreign = new Database(path);
    foreign.exec('CREATE TABLE fact(something TEXT)');
    foreign.close();
    const messages: string[] = [];
    catalog = openCatalog(path, (message) => messages.push(message));
    expect(messages.join()).toContain('is damaged');
    expect(catalog.reports.totals().files).toBe(0);
  });

  test('a healthy one is opened without a word', () => {
    tree();
    catalog.close();
    const messages: string[] = [];
    catalog = openCatalog(path, (message) => messages.push(message));
    expect(messages).toEqual([]);
    expect(catalog.records.folderByPath('/r/sub')).toBeDefined();
  });
});

test('a job is held by one process only, until it lets go', () => {
  const lockPath = join(directory, 'job.lock');
  const lock = JobLock.acquire(lockPath, 'docs');
  expect(() => JobLock.acquire(lockPath, 'docs')).toThrow('Another crawler is running the job [docs]');
  lock.release();
  JobLock.acquire(lockPath, 'docs').release();
});

test('a lock file that is something else is left alone, and said so', () => {
  const lockPath = join(directory, 'job.lock');
  writeFileSync(lockPath, 'garbage '.repeat(1000));
  for (const use of [() => JobLock.acquire(lockPath, 'docs').release(), () => JobLock.isHeld(lockPath)]) {
    expect(use).toThrow(`The lock file [${lockPath}] cannot be used (file is not a database).`);
  }
  expect(readFileSync(lockPath, 'utf8')).toBe('garbage '.repeat(1000));
});
