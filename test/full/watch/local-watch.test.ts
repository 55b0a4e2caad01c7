import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { localSights } from '../../../src/source/local/watch/file-sight.js';
import { inotifyBudget } from '../../../src/source/local/watch/inotify-budget.js';
import { watchLocalTree, type LocalWatchOptions } from '../../../src/source/local/watch/local-watch.js';
import type { FileSight, TreeWatch } from '../../../src/source/tree-watch.js';

let root: string;
let watch: TreeWatch | undefined;
let seen: Set<string>;
let endings: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'crawler-watch-'));
  seen = new Set();
  endings = [];
});
afterEach(async () => {
  await watch?.close();
  watch = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function start(options: Partial<LocalWatchOptions> = {}): Promise<TreeWatch> {
  watch = await watchLocalTree(
    { root, followSymlinks: false, knownFolders: 0, isPassedOver: () => false, ...options },
    {
      changed: (folder, name) => seen.add(name === undefined ? folder : join(folder, name)),
      overflowed: () => seen.add('*'),
      ended: (message) => endings.push(message),
    },
  );
  return watch;
}

function make(name: string): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, name);
  return path;
}

async function expectSeen(path: string): Promise<void> {
  for (let attempt = 0; attempt < 400 && !seen.has(path); attempt += 1) await delay(25);
  expect([...seen]).toContain(path);
}

describe('a watched tree', () => {
  test('reports every folder it watches, and what is in it, nothing more', async () => {
    for (let at = 0; at < 50; at += 1) make(`a${at}/b/c/file.txt`);
    const { report } = await start();
    expect(report).toEqual({ folders: 151, swept: [] });
    expect([...seen]).toEqual([]);
    await expectSeen(make('a17/b/c/new.txt'));
  });

  test('tells of files that are made, changed, renamed and removed, in any depth', async () => {
    const changed = make('a/b/c/changed.txt');
    const renamed = make('a/renamed.txt');
    const removed = make('removed.txt');
    await start();
    writeFileSync(changed, 'else');
    renameSync(renamed, join(root, 'a/b/after.txt'));
    rmSync(removed);
    const made = make('a/made.txt');
    for (const path of [changed, renamed, join(root, 'a/b/after.txt'), removed, made]) await expectSeen(path);
  });

  test('follows folders that come, with what came into them before they were watched', async () => {
    await start();
    make('new/one/two/early.txt');
    await expectSeen(join(root, 'new/one/two'));
    await expectSeen(make('new/one/two/late.txt'));
  });

  test('follows folders that move: events come under the new path', async () => {
    make('from/sub/file.txt');
    await start();
    renameSync(join(root, 'from'), join(root, 'to'));
    await expectSeen(join(root, 'to/sub'));
    await expectSeen(make('to/sub/later.txt'));
  });

  test('a folder that is removed and made again is watched again', async () => {
    make('a/file.txt');
    await start();
    rmSync(join(root, 'a'), { recursive: true });
    await expectSeen(join(root, 'a'));
    seen.clear();
    make('a/file.txt');
    await expectSeen(join(root, 'a'));
    await expectSeen(make('a/again.txt'));
  });

  test('does not watch what is passed over', async () => {
    make('out/deep/file.txt');
    const { report } = await start({ isPassedOver: (folder) => folder === join(root, 'out') });
    expect(report.folders).toBe(1);
    make('out/more.txt');
    await expectSeen(make('in.txt'));
    expect([...seen].filter((path) => path.startsWith(join(root, 'out/')))).toEqual([]);
  });

  test.each([
    [false, 2],
    [true, 4],
  ])('links to folders are followed is %s; links that lead back never are', async (followSymlinks, folders) => {
    const outside = mkdtempSync(join(tmpdir(), 'crawler-watch-'));
    mkdirSync(join(outside, 'deep'));
    mkdirSync(join(root, 'a'));
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(root, join(root, 'a/back'));
    expect((await start({ followSymlinks })).report.folders).toBe(folders);
    rmSync(outside, { recursive: true });
  });

  test('a tree with more folders than can be watched is left to the scans, and it is said why', async () => {
    const { report } = await start({ knownFolders: 10_000_000 });
    expect(report.folders).toBe(0);
    expect(report.swept).toEqual([{ path: root, reason: expect.stringContaining('more folders than can be watched') }]);
  });

  test('a root that was made anew is noticed', async () => {
    const opened = await start();
    expect(opened.isStale()).toBe(false);
    renameSync(root, `${root}.old`);
    mkdirSync(root);
    expect(opened.isStale()).toBe(true);
    rmSync(`${root}.old`, { recursive: true });
  });
});

describe('who writes to a file', () => {
  function sightOf(path: string): [string, FileSight] {
    const sight = localSights.sight(path);
    if (sight === undefined) throw new Error(`${path} is not there.`);
    return [path, sight];
  }

  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux('is known of our own files: nobody, or some process that has it open for writing', () => {
    const closed = make('closed.txt');
    const read = make('read.txt');
    const written = make('written.txt');
    const [reader, writer] = [openSync(read, 'r'), openSync(written, 'a')];
    writeSync(writer, 'x');
    const answers = localSights.writers(new Map([closed, read, written].map(sightOf)));
    expect([closed, read, written].map((path) => answers.get(path))).toEqual(['none', 'none', 'some']);
    for (const file of [reader, writer]) closeSync(file);
    expect(localSights.writers(new Map([sightOf(written)])).get(written)).toBe('none');
  });

  test('a sight is of files alone', () => {
    expect(localSights.sight(root)).toBeUndefined();
    expect(localSights.sight(join(root, 'nowhere'))).toBeUndefined();
    expect(localSights.sight(make('a.txt'))).toMatchObject({ size: 5, inode: statSync(join(root, 'a.txt')).ino });
  });
});

test('the budget counts the watches that are in use', async () => {
  const before = inotifyBudget();
  for (let at = 0; at < 20; at += 1) mkdirSync(join(root, `folder-${at}`));
  await start();
  const after = inotifyBudget();
  const grown = (after?.inUse ?? 0) - (before?.inUse ?? 0);
  expect(after === undefined || grown > 0).toBe(true);
});
