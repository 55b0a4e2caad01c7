import { rmSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ListingsAhead } from '../../../src/crawler/listing-ahead/listings-ahead.js';
import { summarise } from '../../../src/crawler/listing-ahead/listing-summary.js';
import { readListing } from '../../../src/crawler/scan/folder-listing.js';
import type { SharedFolders, SharedListing } from '../../../src/crawler/scan/shared-listing.js';
import type { Entry } from '../../../src/model/entry.js';
import { LocalSource } from '../../../src/source/local/local-source.js';
import { ScanBench } from '../../support/scan-bench.js';

const FOLDERS = 100;
const { signal } = new AbortController();

/** Folders that the scan itself has listed. */
class CountingSource extends LocalSource {
  readonly listed: string[] = [];

  override list(folder: string, stop: AbortSignal): AsyncGenerator<readonly Entry[]> {
    this.listed.push(folder);
    return super.list(folder, stop);
  }
}

/** The scan gets the first folder of those that are shared; all others are for the other thread, however long that takes to start. */
class MostlyAhead implements SharedListing {
  readonly minEntries = 0;
  readonly ahead: ListingsAhead;
  /** Runs when the other thread has listed its folders, before the scan hears of it. */
  onListed: () => void = () => undefined;

  constructor(bench: ScanBench) {
    const rules = bench.rules();
    const seed = rules.listingSeed(rules.fingerprint(undefined));
    const { settings } = bench;
    const metaFilename = settings.tags.metaFilename;
    this.ahead = new ListingsAhead({ settings, rules: { seed, metaFilename }, inBackground: false }, 0);
  }

  share(folders: readonly string[]): SharedFolders | undefined {
    const shared = this.ahead.share(folders);
    if (shared === undefined) return undefined;
    const listed: SharedFolders['listed'] = async () => {
      const summaries = await shared.listed();
      this.onListed();
      return summaries;
    };
    return { claim: (at) => at === 0 && shared.claim(at), listed };
  }
}

let bench: ScanBench;
let mostlyAhead: MostlyAhead;
let source: CountingSource;

beforeEach(async () => {
  bench = new ScanBench().set('tags.meta_filename=.meta.yml');
  for (let at = 0; at < FOLDERS; at += 1) bench.file(`${at % 10}/${at}/file.txt`);
  await bench.run();
  source = new CountingSource({ followSymlinks: false });
  bench.source = source;
  mostlyAhead = new MostlyAhead(bench);
  bench.sharedListing = mostlyAhead;
});
afterEach(async () => {
  await mostlyAhead.ahead.close();
  bench.dispose();
});

describe('a scan that shares its listings with another thread', () => {
  test('goes through the whole tree, and lists only what is its own', async () => {
    const end = await bench.run();
    expect(end).toMatchObject({
      kind: 'completed',
      progress: { seen: 10 + FOLDERS + FOLDERS, completedFolders: 1 + 10 + FOLDERS, deleted: 0, failed: 0 },
    });
    expect(bench.extracted()).toEqual([]);
    expect(source.listed.length).toBeGreaterThan(0);
    expect(source.listed.length).toBeLessThan(10);
  });

  test('finds what has changed in folders that the other thread has listed', async () => {
    bench.file('3/33/file.txt', 'changed');
    bench.file('3/33/new.txt');
    bench.file('9/new/new.txt');
    unlinkSync(bench.path('5/55/file.txt'));
    rmSync(bench.path('7/77'), { recursive: true });
    const end = await bench.run();
    expect(bench.extracted()).toEqual(['3/33/file.txt', '3/33/new.txt', '9/new/new.txt']);
    expect(end).toMatchObject({ kind: 'completed', progress: { deleted: 2, failed: 0 } });
    expect(bench.indexed()).not.toContain('5/55/file.txt');
  });

  test('sees to folders where more than the listing decides', async () => {
    bench.file('3/33/.meta.yml', 'external:\n  owner: A\n');
    bench.file('4/44/.crawlerignore', '');
    await bench.run();
    expect(bench.extracted()).toEqual(['3/33/file.txt']);
    expect(bench.indexed()).not.toContain('4/44/file.txt');
    await bench.run();
    expect(bench.extracted()).toEqual([]);
    expect(bench.indexed()).toHaveLength(FOLDERS - 1);
  });

  test('lists anew what was listed before it was held', async () => {
    let isHeld = false;
    mostlyAhead.onListed = () => {
      if (isHeld) return;
      isHeld = true;
      void bench.scan?.hold();
      for (let at = 0; at < 10; at += 1) bench.file(`${at}/new.txt`);
      setTimeout(() => bench.scan?.continue(), 20);
    };
    await bench.run();
    expect(isHeld).toBe(true);
    expect(bench.extracted()).toHaveLength(9);
  });

  test('lists everything itself once that thread is dead', async () => {
    bench.file('3/33/new.txt');
    mostlyAhead.onListed = () => void mostlyAhead.ahead.close();
    await bench.run();
    expect(bench.extracted()).toEqual(['3/33/new.txt']);
    expect(mostlyAhead.share(['/'])).toBeUndefined();
    expect(source.listed.length).toBeGreaterThan(FOLDERS / 2);
  });

  test('ends at once when it is stopped while the other thread lists', async () => {
    const never: SharedFolders = { claim: () => false, listed: () => new Promise(() => undefined) };
    bench.sharedListing = { minEntries: 0, share: () => never };
    const end = bench.run();
    setTimeout(() => bench.scan?.stop(), 20);
    expect(await end).toMatchObject({ kind: 'stopped' });
  });
});

describe('a summary', () => {
  const summaryOf = (name: string, metaFilename = '.meta.yml') =>
    summarise(source, bench.path(name), { seed: 'seed', metaFilename }, signal);

  test('has the digest of the listing', async () => {
    const listing = await readListing(source, bench.path('3'), bench.rules().selection, signal);
    expect(await summaryOf('3')).toEqual({ digest: listing.digest.value('seed'), entries: 10, holdsFolders: true });
    expect(await summaryOf('3/33')).toMatchObject({ entries: 1, holdsFolders: false });
  });

  test('is not made of folders that have a metadata file or a marker, in whatever case', async () => {
    bench.file('3/33/.META.yml', '');
    bench.file('4/44/.CrawlerIgnore', '');
    expect(await summaryOf('3/33')).toBeUndefined();
    expect(await summaryOf('3/33', '')).toMatchObject({ entries: 2 });
    expect(await summaryOf('4/44')).toBeUndefined();
  });

  test('is not made of what cannot be listed', async () => {
    await expect(summaryOf('not/there')).rejects.toMatchObject({ code: 'not_found' });
  });
});
