import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { approveDeletions, heldDeletions, type Approval } from '../../../src/crawler/scan/delete-guard.js';
import { LocalSource } from '../../../src/source/local/local-source.js';
import type { RootProbe } from '../../../src/source/source.js';
import { ScanBench } from '../../support/scan-bench.js';

let bench: ScanBench;

beforeEach(() => {
  bench = new ScanBench();
});
afterEach(() => bench.dispose());

function fill(folder: string, count: number): void {
  for (let at = 0; at < count; at += 1) bench.file(`${folder}/${at}.txt`, `${folder} ${at}`);
}

/** Takes a folder out of the tree, and back. */
function takeAway(folder: string): () => void {
  const aside = join(mkdtempSync(join(bench.directory, 'aside-')), folder);
  renameSync(bench.path(folder), aside);
  return () => renameSync(aside, bench.path(folder));
}

/** Brings two lost files back and loses two others. */
function replaceTwo(): void {
  for (const at of [0, 1]) {
    bench.file(`lost/${at}.txt`);
    rmSync(bench.path(`kept/${at}.txt`));
  }
}

describe('more deletions than the guard lets through', () => {
  beforeEach(async () => {
    bench.set('fs.delete_guard=5');
    fill('kept', 4);
    fill('lost', 6);
    await bench.run();
  });

  test('are held: the scan completes, the documents stay, and it is said what to do', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    const { kind, progress } = await bench.run();
    expect(kind).toBe('completed');
    expect(progress.deleted).toBe(0);
    expect(bench.indexed()).toHaveLength(10);
    expect(bench.port.paths('folders')).toContain(bench.path('lost'));
    expect(heldDeletions(bench.catalog)).toMatchObject({ documents: 6, folders: 1 });
    expect(bench.port.warnings.join()).toMatch(/6 documents of job \[job\] are gone.*crawler approve job/);
  });

  test('stay held in later scans and after a restart', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    bench.reopenCatalog();
    await bench.run();
    expect(bench.indexed()).toHaveLength(10);
    expect(heldDeletions(bench.catalog)?.documents).toBe(6);
  });

  test('are dropped when the files are there again, and none of them is read', async () => {
    const bringBack = takeAway('lost');
    await bench.run();
    bringBack();
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(heldDeletions(bench.catalog)).toBeUndefined();
    expect(bench.indexed()).toHaveLength(10);
    expect(bench.catalog.reports.totals().states).toEqual({ indexed: 10 });
  });

  test('a file that comes back changed is read', async () => {
    const bringBack = takeAway('lost');
    await bench.run();
    bringBack();
    bench.file('lost/0.txt', 'something else');
    await bench.run();
    expect(bench.extracted()).toEqual(['lost/0.txt']);
  });

  test('approved, they are carried out by the next scan: exactly these', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    expect(approveDeletions(bench.catalog)).toMatchObject({ kind: 'approved', held: { documents: 6 } });
    bench.reopenCatalog();
    const { progress } = await bench.run();
    expect(progress.deleted).toBe(6);
    expect(bench.indexed()).toHaveLength(4);
    expect(bench.port.paths('folders')).toEqual([bench.root, bench.path('kept')]);
    expect(bench.catalog.reports.totals()).toMatchObject({ files: 4, folders: 2 });
  });

  test('an approval is not for what goes afterwards', async () => {
    fill('more', 6);
    await bench.run();
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    approveDeletions(bench.catalog);
    rmSync(bench.path('more'), { recursive: true });
    const { progress } = await bench.run();
    expect(progress.deleted).toBe(6);
    expect(heldDeletions(bench.catalog)?.documents).toBe(6);
    expect(bench.indexed().filter((path) => path.startsWith('more/'))).toHaveLength(6);
  });

  test('approved and there again, the files stay, and are read again: nobody knows whether their documents do', async () => {
    const bringBack = takeAway('lost');
    await bench.run();
    approveDeletions(bench.catalog);
    bringBack();
    const { progress } = await bench.run();
    expect(progress.deleted).toBe(0);
    expect(bench.extracted()).toHaveLength(6);
    expect(bench.indexed()).toHaveLength(10);
  });

  test('are held by a partial scan as well', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    await bench.scanChanges(['', 'lost']);
    expect(bench.indexed()).toHaveLength(10);
    expect(heldDeletions(bench.catalog)?.documents).toBe(6);
  });

  test('renaming the folder is no deletion', async () => {
    renameSync(bench.path('lost'), bench.path('renamed'));
    await bench.run();
    expect(bench.port.moves).toHaveLength(6);
    expect(heldDeletions(bench.catalog)).toBeUndefined();
    expect(bench.port.paths('folders')).not.toContain(bench.path('lost'));
  });

  test('an approval of another number lets nothing through', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    expect(approveDeletions(bench.catalog, 5)).toMatchObject({ kind: 'changed', held: { documents: 6 } });
    const { progress } = await bench.run();
    expect(progress.deleted).toBe(0);
    expect(approveDeletions(bench.catalog, 6)).toMatchObject({ kind: 'approved' });
    expect(approveDeletions(bench.catalog, 6)).toEqual({ kind: 'changed', held: undefined });
  });

  test.each([
    ['other files gone', () => rmSync(bench.path('kept'), { recursive: true }), 6],
    ['as many others gone as it found again', replaceTwo, 6],
  ])('an approval while a scan has found %s lets nothing through', async (_, change, held) => {
    bench.file('z/last.txt');
    await bench.run();
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    change();
    const before = bench.indexed();
    const source = new LocalSource({ followSymlinks: false });
    bench.source = source;
    const list = source.list.bind(source);
    let approval: Approval | undefined;
    source.list = async function* (folder, signal) {
      // The last folder: what the others have lost is written down.
      if (folder === bench.path('z')) {
        await delay(100);
        approval = approveDeletions(bench.catalog);
      }
      yield* list(folder, signal);
    };
    expect((await bench.run()).progress.deleted).toBe(0);
    expect(approval).toMatchObject({ kind: 'scanning', held: { documents: held } });
    expect(bench.indexed()).toEqual(before);
    expect(approveDeletions(bench.catalog)).toMatchObject({ kind: 'approved' });
  });

  test('an approval of nothing says so', () => {
    expect(approveDeletions(bench.catalog)).toEqual({ kind: 'nothing_held' });
  });
});

describe('the limit', () => {
  test.each([
    ['50%', 1100, 1300, 'as many as the share: they go', 1100],
    ['50%', 1300, 1100, 'more than the share: they are held', 0],
    ['50%', 900, 10, 'more than the share, but fewer than 1,000: they go', 900],
    ['1', 2, 10, 'more than the number: they are held', 0],
    ['2', 2, 10, 'as many as the number: they go', 2],
    ['-1', 1300, 0, 'no guard: they go', 1300],
  ])('fs.delete_guard %s, %i lost, %i kept: %s', async (guard, lost, kept, _, deleted) => {
    bench.set(`fs.delete_guard=${guard}`);
    fill('lost', lost);
    fill('kept', kept);
    await bench.run();
    rmSync(bench.path('lost'), { recursive: true });
    mkdirSync(bench.path('lost'));
    expect((await bench.run()).progress.deleted).toBe(deleted);
  });

  test('fs.remove_deleted off holds nothing: nothing is removed', async () => {
    bench.set('fs.delete_guard=1', 'fs.remove_deleted=false');
    fill('lost', 5);
    await bench.run();
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    expect(heldDeletions(bench.catalog)).toBeUndefined();
    expect(bench.indexed()).toHaveLength(5);
  });
});

describe('a root on another device than last time', () => {
  class MovedRoot extends LocalSource {
    override async probe(root: string, signal: AbortSignal): Promise<RootProbe> {
      return { ...(await super.probe(root, signal)), device: 4711 };
    }
  }

  beforeEach(async () => {
    bench.file('stays.txt');
    fill('kept', 4);
    fill('lost', 6);
    await bench.run();
    bench.source = new MovedRoot({ followSymlinks: false });
  });

  test('and with less than half of its documents holds their deletion at any size, until it is approved', async () => {
    rmSync(bench.path('lost'), { recursive: true });
    await bench.run();
    await bench.run();
    expect(bench.indexed()).toHaveLength(11);
    expect(heldDeletions(bench.catalog)?.message).toContain('on another device than last time');
    approveDeletions(bench.catalog);
    expect((await bench.run()).progress.deleted).toBe(6);
    rmSync(bench.path('kept'), { recursive: true });
    expect((await bench.run()).progress.deleted).toBe(4);
  });

  test('and with nearly everything is the same tree', async () => {
    rmSync(bench.path('lost/0.txt'));
    expect((await bench.run()).progress.deleted).toBe(1);
  });
});
