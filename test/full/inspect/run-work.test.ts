import { symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InspectedJob } from '../../../src/operations/job/inspected-job.js';
import { countRunWork, type RunWork } from '../../../src/operations/monitor/run-work.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

/** The work of a run that began at this moment. */
async function work(sinceMs: number): Promise<RunWork> {
  const job = await InspectedJob.open(tree.place());
  try {
    return await countRunWork(job, sinceMs, Date.now());
  } finally {
    await job.close();
  }
}

const text = (files: number, bytes: number): object => ({ kind: 'text/plain', files, bytes });

describe('the work of a run', () => {
  test('is every file that belongs into the index, by kind, before the first scan', async () => {
    tree.file('a.txt', '12345');
    tree.file('sub/b.txt', '123');
    tree.file('sub/c.pdf', '1');
    tree.file('sub/d.unheard-of', '12');
    tree.file('left.tmp', '1');
    tree.file('marked/.crawlerignore', '');
    tree.file('marked/y.txt', '1');
    tree.set('fs.excludes=*.tmp');
    const { files, entries } = await work(Date.now());
    expect(files).toEqual(
      expect.arrayContaining([
        text(2, 8),
        { kind: 'application/pdf', files: 1, bytes: 1 },
        { kind: 'other', files: 1, bytes: 2 },
      ]),
    );
    expect(files).toHaveLength(3);
    expect(entries).toBe(7);
  });

  test('is the same while the run continues and after it: what it has settled counts on', async () => {
    tree.file('a.txt', '12345');
    tree.file('sub/b.txt', '123');
    const sinceMs = Date.now();
    const before = (await work(sinceMs)).files;
    await tree.run();
    expect((await work(sinceMs)).files).toEqual(before);
  });

  test('is what has changed since an earlier run, and nothing else', async () => {
    for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) tree.file(name, '1');
    await tree.run();
    const sinceMs = Date.now() + 1;
    expect((await work(sinceMs)).files).toEqual([]);
    writeFileSync(tree.path('b.txt'), '12');
    tree.file('sub/new.txt', '123');
    expect((await work(sinceMs)).files).toEqual([text(2, 5)]);
  });

  test('ends where links lead back to the folders above them', async () => {
    tree.file('sub/a.txt', '1');
    symlinkSync('..', tree.path('sub/one'));
    symlinkSync('..', tree.path('sub/two'));
    tree.set('fs.follow_symlinks=true');
    expect(await work(Date.now())).toMatchObject({ files: [text(1, 1)], entries: 4 });
  });
});
