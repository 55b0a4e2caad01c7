import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ANOTHER_DISK } from '../../../src/model/entry.js';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { sourceContract } from '../../contract/source-contract.js';
import { folderTree } from '../../support/source-tree.js';

sourceContract('Local source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-source-'));
  return Promise.resolve({
    tree: folderTree(folder, folder),
    datePrecisionMs: 1,
    source: new LocalSource({ followSymlinks: false }),
    end: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
});

describe('a folder that changes while it is listed', () => {
  const FILES = 2500;
  const { signal } = new AbortController();
  let parent: string;
  let folder: string;
  let listing: AsyncGenerator<readonly { readonly name: string }[]>;

  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), 'local-source-'));
    folder = join(parent, 'folder');
    mkdirSync(folder);
    for (let at = 0; at < FILES; at += 1) writeFileSync(join(folder, `${at}.txt`), '');
    listing = new LocalSource({ followSymlinks: false }).list(folder, signal);
    // The names are read; those of the later batches have not been looked at.
    await listing.next();
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  async function namesOfTheRest(): Promise<string[]> {
    const names: string[] = [];
    for await (const batch of listing) names.push(...batch.map(({ name }) => name));
    return names;
  }

  test('and is taken away is no shorter listing, but none', async () => {
    renameSync(folder, join(parent, 'away'));
    await expect(namesOfTheRest()).rejects.toMatchObject({ code: 'not_found', subject: folder });
  });

  test('and comes back is complete', async () => {
    renameSync(folder, join(parent, 'away'));
    const second = await listing.next().catch((error: unknown) => error);
    expect(second).toMatchObject({ done: false, value: [] });
    renameSync(join(parent, 'away'), folder);
    expect(await namesOfTheRest()).toHaveLength(FILES - 1000);
  });

  test('and is replaced by an empty one, as when its disk is unmounted, is no shorter listing', async () => {
    renameSync(folder, join(parent, 'away'));
    mkdirSync(folder);
    await expect(namesOfTheRest()).rejects.toMatchObject({ code: 'not_found', subject: folder });
  });

  test('and is replaced by another one is not a listing of either', async () => {
    const other = join(parent, 'other');
    mkdirSync(other);
    for (let at = 0; at < FILES; at += 1) writeFileSync(join(other, `${at}.txt`), '');
    renameSync(folder, join(parent, 'away'));
    renameSync(other, folder);
    await expect(namesOfTheRest()).rejects.toMatchObject({ code: 'not_found', subject: folder });
  });

  test('and loses files is without them', async () => {
    const lost = [...Array(FILES).keys()].slice(0, FILES / 2).map((at) => `${at}.txt`);
    for (const name of lost) rmSync(join(folder, name));
    const names = await namesOfTheRest();
    expect(names.filter((name) => lost.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(FILES / 2 - 1000);
  });
});

test.each([true, false])(
  'of a link to a file on another disk it is said that it is one (followed: %s)',
  async (followSymlinks) => {
    const parent = mkdtempSync(join(tmpdir(), 'local-source-'));
    const signal = new AbortController().signal;
    writeFileSync(join(parent, 'file'), '');
    symlinkSync(join(parent, 'file'), join(parent, 'near'));
    symlinkSync('/proc/version', join(parent, 'far'));
    const source = new LocalSource({ followSymlinks });
    const versions = new Map<string, string | undefined>();
    for await (const batch of source.list(parent, signal))
      for (const { name, version } of batch) versions.set(name, version);
    expect(versions.get('near')).toBeUndefined();
    expect(versions.get('far')).toBe(followSymlinks ? ANOTHER_DISK : undefined);
    expect((await source.stat(join(parent, 'far'), signal)).version).toBe(versions.get('far'));
    rmSync(parent, { recursive: true });
  },
);
