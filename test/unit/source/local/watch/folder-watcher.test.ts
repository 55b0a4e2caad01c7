import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { FolderWatcher } from '../../../../../src/source/local/watch/folder-watcher.js';
import { tempDir } from '../../../../support/temp-dir.js';

/**
 * FolderWatcher relies on members of chokidar that are not its public interface. What it relies on is tested here, so that
 * another release of chokidar is noticed: with the public interface alone the events are the same, but every folder is listed
 * again after each event, with the attributes of every file in it.
 */
class ListingWatcher extends FolderWatcher {
  readonly listed: string[] = [];

  override _readdirp(...args: Parameters<FolderWatcher['_readdirp']>): ReturnType<FolderWatcher['_readdirp']> {
    const listing = super._readdirp(...args);
    if (listing !== undefined) this.listed.push(args[0]);
    return listing;
  }
}

let watcher: ListingWatcher;
afterEach(() => watcher.close());
// chokidar leaves timers of a second behind, which Jest would take for a leak of this file.
afterAll(() => delay(1100));

/** A tree of three folders with a few files each. */
function tree(): string {
  const root = tempDir();
  for (const folder of ['', 'a', 'a/b']) {
    mkdirSync(join(root, folder), { recursive: true });
    for (let file = 0; file < 5; file += 1) writeFileSync(join(root, folder, `${file}.txt`), 'x');
  }
  return root;
}

async function open(root: string): Promise<{ readonly opened: string[]; readonly seen: string[] }> {
  const opened: string[] = [];
  const seen: string[] = [];
  watcher = new ListingWatcher({
    followSymlinks: false,
    isPassedOver: () => false,
    maxFolders: 100,
    onOpen: (folder) => opened.push(folder),
    onFull: () => undefined,
  });
  watcher.on('raw', (_event, name: string | null, details) => {
    seen.push(join((details as { watchedPath: string }).watchedPath, name ?? ''));
  });
  await watcher.open(root);
  return { opened, seen };
}

/** Events come when the system sends them. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}

test('a folder is listed once, for its sub-folders; files are not watched', async () => {
  const root = tree();
  await open(root);
  expect([...watcher.listed].sort()).toEqual([root, join(root, 'a'), join(root, 'a/b')]);
  expect(watcher.folders).toBe(3);
  expect(Object.values(watcher.getWatched()).flat()).not.toContain('0.txt');
});

test('an event does not have its folder listed again', async () => {
  const root = tree();
  const { seen } = await open(root);
  const before = watcher.listed.length;
  for (const name of ['0.txt', 'new.txt', 'a/1.txt', 'a/b/2.txt']) writeFileSync(join(root, name), 'y');
  rmSync(join(root, '3.txt'));
  writeFileSync(join(root, 'last.txt'), 'y');
  await until(() => seen.includes(join(root, 'last.txt')));
  expect(seen).toEqual(expect.arrayContaining([join(root, 'a/b/2.txt'), join(root, '3.txt')]));
  expect(watcher.listed).toHaveLength(before);
});

test('a folder that takes the place of another one is opened, and the old one with all below it is left', async () => {
  const root = tree();
  const { opened, seen } = await open(root);
  const aside = tempDir();
  renameSync(join(root, 'a'), join(aside, 'old'));
  await until(() => watcher.folders === 1);
  mkdirSync(join(root, 'a/c'), { recursive: true });
  await until(() => opened.includes(join(root, 'a/c')));
  writeFileSync(join(root, 'a/c/inside.txt'), 'x');
  await until(() => seen.includes(join(root, 'a/c/inside.txt')));
  writeFileSync(join(aside, 'old/b/0.txt'), 'elsewhere');
  writeFileSync(join(root, 'end.txt'), 'x');
  await until(() => seen.includes(join(root, 'end.txt')));
  expect(seen.filter((path) => path.startsWith(join(root, 'a/b')))).toEqual([]);
});
