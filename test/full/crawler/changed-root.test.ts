import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  approveDeletions,
  heldDeletions,
  type Approval,
  type HeldDeletions,
} from '../../../src/crawler/scan/delete-guard.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;
beforeEach(async () => {
  tree = new InspectedTree();
  for (const name of ['top.txt', 'a/two.txt', 'a/deep/three.txt', 'b/four.txt']) tree.file(name);
  await tree.run();
});
afterEach(() => tree.dispose());

/** Where the documents say that they are, below the root of the job. */
function places(): Promise<Record<string, unknown>> {
  return tree.withEngine(async (engine, index) => {
    const found: Record<string, unknown> = {};
    for await (const page of engine.scan(index, new AbortController().signal))
      for (const { source } of page) {
        const { real, virtual } = source['path'] as { real: string; virtual: string };
        found[real.slice(tree.root.length)] = virtual;
      }
    return found;
  });
}

const held = (): HeldDeletions | undefined => tree.withCatalog(heldDeletions);
const approve = (): Approval => tree.withCatalog((catalog) => approveDeletions(catalog));

const ALL = {
  '/top.txt': '/top.txt',
  '/a/two.txt': '/a/two.txt',
  '/a/deep/three.txt': '/a/deep/three.txt',
  '/b/four.txt': '/b/four.txt',
};

describe('a job whose fs.url has been changed', () => {
  test('to a folder of the tree holds the rest until a person approves, and says what it is', async () => {
    tree.set(`fs.url=${tree.path('a')}`);
    await tree.run();
    const moved = { '/a/two.txt': '/two.txt', '/a/deep/three.txt': '/deep/three.txt' };
    expect(await places()).toEqual({ ...ALL, ...moved });
    expect(held()).toMatchObject({ documents: 2 });
    expect(held()?.message).toContain(`come from [${tree.root}], where it crawled before`);
    // A scan that finds nothing new lets nothing through either.
    await tree.run();
    expect(held()).toMatchObject({ documents: 2 });
    approve();
    await tree.run();
    expect(await places()).toEqual(moved);
    expect(held()).toBeUndefined();
    expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
  });

  test('and back again finds everything, and nothing is lost', async () => {
    tree.set(`fs.url=${tree.path('a')}`);
    await tree.run();
    tree.set();
    await tree.run();
    expect(await places()).toEqual(ALL);
    expect(held()).toBeUndefined();
    expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
  });

  test('to the folder above keeps its documents, which say where they are now', async () => {
    tree.set(`fs.url=${tree.path('a')}`);
    await tree.run();
    approve();
    await tree.run();
    tree.set();
    await tree.run();
    expect(held()).toBeUndefined();
    expect(await places()).toEqual(ALL);
  });

  test('to a folder elsewhere keeps what it has until a person approves', async () => {
    const other = tree.file('../other/five.txt');
    tree.set(`fs.url=${other.slice(0, other.lastIndexOf('/'))}`);
    await tree.run();
    expect(Object.keys(await places())).toHaveLength(5);
    expect(held()).toMatchObject({ documents: 4 });
    approve();
    await tree.run();
    expect(Object.values(await places())).toEqual(['/five.txt']);
  });

  test('since its folder was renamed moves the documents along', async () => {
    const renamed = join(tree.directory, 'renamed');
    renameSync(tree.root, renamed);
    tree.set(`fs.url=${renamed}`);
    await tree.run();
    expect(held()).toBeUndefined();
    expect(Object.values(await places()).sort()).toEqual(Object.values(ALL).sort());
  });

  test('removes what is elsewhere at once where nothing is guarded', async () => {
    tree.set(`fs.url=${tree.path('b')}`, 'fs.delete_guard=-1');
    await tree.run();
    expect(await places()).toEqual({ '/b/four.txt': '/four.txt' });
    expect(await tree.verify({ deep: true })).toMatchObject({ findings: [] });
  });
});
