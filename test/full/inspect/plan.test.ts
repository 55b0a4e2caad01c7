import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { planJob } from '../../../src/operations/plan/plan.js';
import type { Plan, PlannedChange } from '../../../src/operations/plan/plan.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

/** Numbers of files, without the zeros. */
function changes(plan: Plan): Partial<Record<PlannedChange, number>> {
  const counts = Object.entries(plan.changes).map(([change, { files }]) => [change, files] as const);
  return Object.fromEntries(counts.filter(([, files]) => files > 0));
}

describe('plan', () => {
  test('before the first run everything is new, there is no basis for an estimate, and nothing is made', async () => {
    tree.file('a.txt', '12345');
    tree.file('sub/b.txt', '123');
    tree.file('sub/c.PDF', '1');
    tree.file('noext', '12');
    const plan = await planJob(tree.place());
    expect(plan.selected).toMatchObject({ files: 4, bytes: 11 });
    expect(plan.types).toEqual([
      { extension: 'txt', files: 2, bytes: 8 },
      { extension: '', files: 1, bytes: 2 },
      { extension: 'pdf', files: 1, bytes: 1 },
    ]);
    expect(changes(plan)).toEqual({ new: 4 });
    expect(plan.work).toEqual({ files: 4, bytes: 11 });
    expect(plan.estimate).toBeUndefined();
    expect(existsSync(tree.jobDirectory)).toBe(false);
  });

  test('what each rule leaves out', async () => {
    tree.file('a.tmp', '123');
    tree.file('b.tmp', '12');
    tree.file('big.txt', 'x'.repeat(2000));
    tree.file('private/x.txt');
    tree.file('marked/.crawlerignore', '');
    tree.file('marked/y.txt', '1');
    tree.set('fs.excludes=*.tmp,/private/*', 'fs.ignore_above=1kb');
    const plan = await planJob(tree.place());
    expect(plan.selected).toMatchObject({ files: 0 });
    expect(plan.leftOut).toHaveLength(4);
    expect(plan.leftOut).toEqual(
      expect.arrayContaining([
        { reason: 'excluded', rule: 'fs.excludes *.tmp', folders: 0, files: 2, bytes: 5 },
        { reason: 'excluded', rule: 'fs.excludes /private/*', folders: 1, files: 0, bytes: 0 },
        { reason: 'too_large', rule: 'fs.ignore_above', folders: 0, files: 1, bytes: 2000 },
        { reason: 'ignored_folder', rule: '', folders: 0, files: 2, bytes: 1 },
      ]),
    );
  });

  test('after a run: new, changed, moved, gone, unchanged; and the next scan does just that', async () => {
    for (const name of ['same.txt', 'changed.txt', 'gone.txt', 'old/moved-1.txt', 'old/moved-2.txt']) tree.file(name);
    await tree.run();
    expect(changes(await planJob(tree.place()))).toEqual({ unchanged: 5 });
    tree.file('changed.txt', 'other');
    tree.file('new.txt');
    rmSync(tree.path('gone.txt'));
    renameSync(tree.path('old'), tree.path('young'));
    const plan = await planJob(tree.place());
    expect(changes(plan)).toEqual({ unchanged: 1, changed: 1, new: 1, gone: 1, moved: 2 });
    expect(plan.work.files).toBe(2);
    await tree.run();
    expect(changes(await planJob(tree.place()))).toEqual({ unchanged: 5 });
  });

  test('files that other settings make again, and those that a new rule removes', async () => {
    tree.file('a.txt');
    tree.file('b.log');
    await tree.run();
    tree.set('fs.excludes=*.log', 'fs.indexed_chars=5');
    expect(changes(await planJob(tree.place()))).toEqual({ outdated: 1, removed: 1 });
  });

  test('the estimate rests on the rate of earlier scans, and says so', async () => {
    for (let at = 0; at < 20; at += 1) tree.file(`file-${at}.txt`, 'x'.repeat(100));
    await tree.run();
    for (let at = 0; at < 40; at += 1) tree.file(`more-${at}.txt`, 'x'.repeat(100));
    const { estimate, walkMs } = await planJob(tree.place());
    expect(estimate?.basis).toMatchObject({ files: 20, bytes: 2000 });
    const perFile = ((estimate?.byFilesMs ?? 0) - walkMs) / 40;
    expect(perFile).toBeCloseTo((estimate?.basis.ms ?? 0) / 20, 5);
    expect(estimate?.byBytesMs).toBeCloseTo(estimate?.byFilesMs ?? 0, 5);
  });

  test('writes nothing: neither to the job folder nor to the tree', async () => {
    tree.file('a.txt');
    await tree.run();
    tree.file('b.txt');
    // Readers of SQLite make these two, without content of their own.
    const mine = (name: string): boolean => !/-(?:wal|shm)$/.test(name);
    const shape = (): string[] =>
      readdirSync(tree.jobDirectory)
        .filter(mine)
        .map((name) => `${name} ${statSync(join(tree.jobDirectory, name)).mtimeMs}`);
    const before = shape();
    await planJob(tree.place());
    expect(shape()).toEqual(before);
  });

  test('a root that does not exist gets a sentence', async () => {
    tree.set(`fs.url=${join(tree.directory, 'nowhere')}`);
    mkdirSync(tree.jobDirectory, { recursive: true });
    await expect(planJob(tree.place())).rejects.toThrow(/nowhere\] does not exist/);
  });
});
