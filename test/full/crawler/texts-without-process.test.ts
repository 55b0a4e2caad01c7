import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InspectedTree } from '../../support/inspected-tree.js';
import { descendantsOf } from '../../support/program.js';

let tree: InspectedTree;
beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

/** Runs once. Returns whether a process was there at its end: one that has nothing to do stays for a while. */
async function startsProcesses(): Promise<boolean> {
  const before = descendantsOf(process.pid).length;
  const job = await tree.start(1);
  try {
    expect(await job.ended()).toEqual({ failed: false });
    return descendantsOf(process.pid).length > before;
  } finally {
    await job.stop();
  }
}

describe('small texts on a local disk', () => {
  beforeEach(() => {
    for (const name of ['a.txt', 'notes/b.md', 'code/c.py', 'README']) tree.file(name, `The keeper of ${name}\n`);
  });

  test('are indexed by the crawl itself, and later found as they are', async () => {
    // The folders could hold anything: one process is started ahead.
    await startsProcesses();
    expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
    tree.file('a.txt', 'changed');
    expect(await startsProcesses()).toBe(false);
    expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
  });

  test.each([['extractor.sandbox=strict'], ['fs.lang_detect=true'], ['fs.store_source=true']])(
    'are for a process with %s',
    async (setting) => {
      tree.set(setting);
      expect(await startsProcesses()).toBe(true);
      expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
    },
  );
});

test('a folder of texts alone starts no process at all', async () => {
  tree.file('a.txt');
  tree.file('b.md');
  expect(await startsProcesses()).toBe(false);
});

test('what is only called a text is for a process', async () => {
  tree.file('a.txt', '<html><body>markup</body></html>');
  expect(await startsProcesses()).toBe(true);
});
