import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { joinPath } from '../../src/base/path.js';
import type { Entry } from '../../src/model/entry.js';
import type { TreeSource } from '../../src/source/source.js';
import type { SourceTree } from '../support/source-tree.js';

/** What a suite hands over: an empty place, and a source that looks at it. */
export interface ContractPlace {
  readonly tree: SourceTree;
  readonly source: TreeSource;
  /** How exact the dates of the protocol are. */
  readonly datePrecisionMs: number;
  /** Stops what was started for it. The source has been closed. */
  end(): Promise<void>;
}

const NAMES = [
  'plain.txt',
  'with blank.txt',
  ' leading blank.txt',
  'two  blanks.txt',
  'Üml ä ß.txt',
  '漢字 かな.txt',
  'emoji 😀.txt',
  'quote \' " `.txt',
  'percent %20 %41 %.txt',
  'plus + & = ? #.txt',
  '[brackets] {braces} (parens).txt',
  'star * and $HOME ~.txt',
  'semicolon; size=1; x.txt',
  'arrow -> target.txt',
  'back\\slash.txt',
  'looks like \\xE9.txt',
  '-a.txt',
  '.hidden',
  'no extension',
];

const never = new AbortController().signal;

/** What every source of a tree promises, whatever it talks to. */
export function sourceContract(name: string, open: () => Promise<ContractPlace>): void {
  describe(name, () => {
    let place: ContractPlace;
    let source: TreeSource;
    let tree: SourceTree;
    const at = (path: string): string => joinPath(tree.root, path);

    beforeAll(async () => {
      place = await open();
      ({ source, tree } = place);
      for (const [index, each] of NAMES.entries()) await tree.write(`names/${each}`, `content ${index}`);
      await tree.write('sizes/empty.bin', '');
      await tree.write('sizes/one.bin', 'x');
      await tree.write('sizes/large.bin', largeBytes());
      await tree.write('deep/one/two/three/file.txt', 'deep');
    });

    afterAll(async () => {
      await source.close();
      await place.end();
    });

    test('looks at the root and counts what lies in it', async () => {
      expect((await source.probe(tree.root, never)).entries).toBe(3);
    });

    test('lists files and folders with their names, kinds, paths and sizes', async () => {
      const folders = await listed(source, tree.root);
      expect(folders.map(({ name, kind, path }) => [name, kind, path])).toEqual([
        ['deep', 'folder', at('deep')],
        ['names', 'folder', at('names')],
        ['sizes', 'folder', at('sizes')],
      ]);
      const files = await listed(source, at('sizes'));
      expect(files.map(({ name, kind, size }) => [name, kind, size])).toEqual([
        ['empty.bin', 'file', 0],
        ['large.bin', 'file', largeBytes().length],
        ['one.bin', 'file', 1],
      ]);
    });

    test('dates files as exactly as the protocol can', async () => {
      const writtenMs = await tree.write('dated/file.txt', 'dated');
      const [file] = await listed(source, at('dated'));
      expect(Math.abs((file?.modifiedMs ?? 0) - (writtenMs ?? Date.now()))).toBeLessThanOrEqual(place.datePrecisionMs);
      await tree.remove('dated');
    });

    test('lists and reads names of every kind', async () => {
      const entries = await listed(source, at('names'));
      expect(entries.map(({ name }) => name)).toEqual([...NAMES].sort());
      const texts = await Promise.all(entries.map((entry) => textOf(source, entry)));
      expect(texts).toEqual(entries.map(({ name }) => `content ${NAMES.indexOf(name)}`));
    });

    test('walks down folder by folder', async () => {
      const [file] = await listed(source, at('deep/one/two/three'));
      expect([file?.path, await textOf(source, file!)]).toEqual([at('deep/one/two/three/file.txt'), 'deep']);
    });

    test.each(['empty.bin', 'one.bin', 'large.bin'])('reads %s byte for byte, also twice', async (file) => {
      const entry = await source.stat(at(`sizes/${file}`), never);
      const [first, second] = [await bytesOf(source, entry), await bytesOf(source, entry)];
      expect(first).toHaveLength(entry.size);
      expect(second.equals(first)).toBe(true);

      if (file === 'large.bin') expect(digest(first)).toBe(digest(largeBytes()));
    });

    test('reads many files side by side', async () => {
      const entry = await source.stat(at('sizes/large.bin'), never);
      const all = await Promise.all(Array.from({ length: 20 }, () => bytesOf(source, entry)));
      expect(new Set(all.map(digest))).toEqual(new Set([digest(largeBytes())]));
    });

    test('a read that is given up does not stand in the way of the next ones', async () => {
      const entry = await source.stat(at('sizes/large.bin'), never);
      for (let time = 0; time < source.features.maxConnections + 2; time += 1) {
        const stream = await source.read(entry, never);
        for await (const chunk of stream) {
          expect((chunk as Buffer).length).toBeGreaterThan(0);
          break;
        }
      }
      expect(digest(await bytesOf(source, entry))).toBe(digest(largeBytes()));
    });

    test('tells the same of a path as the listing of its folder', async () => {
      const [entry] = await listed(source, at('sizes'));
      const alone = await source.stat(at('sizes/empty.bin'), never);
      expect([alone.name, alone.path, alone.kind, alone.size]).toEqual([
        entry?.name,
        entry?.path,
        entry?.kind,
        entry?.size,
      ]);
      expect((await source.stat(at('sizes'), never)).kind).toBe('folder');
    });

    test('finds nothing changed when nothing has changed', async () => {
      const [before, after] = [await listed(source, at('names')), await listed(source, at('names'))];
      expect(after.map(fingerprint)).toEqual(before.map(fingerprint));
    });

    test('shows a changed file as changed, a new one as new, and a removed one no more', async () => {
      await tree.write('changes/changed.txt', 'before');
      await tree.write('changes/removed.txt', 'here');
      const before = await listed(source, at('changes'));
      await tree.write('changes/changed.txt', 'after!');
      await tree.write('changes/new.txt', 'new');
      await tree.remove('changes/removed.txt');
      const after = await listed(source, at('changes'));
      expect(after.map(({ name }) => name)).toEqual(['changed.txt', 'new.txt']);
      expect(fingerprint(after[0]!)).not.toEqual(fingerprint(before[0]!));
      expect(await textOf(source, after[0]!)).toBe('after!');
      await tree.remove('changes/changed.txt');
      await tree.remove('changes/new.txt');
    });

    test('lists a folder of thousands of files without losing or repeating one', async () => {
      const names = Array.from({ length: 2500 }, (_, index) => `file-${String(index).padStart(4, '0')}.txt`);
      await Promise.all(names.map((each) => tree.write(`many/${each}`, each)));
      const entries = await listed(source, at('many'));
      expect(entries.map(({ name }) => name)).toEqual(names);
    });

    test('lists an empty folder as empty', async () => {
      await tree.makeFolder?.('empty');

      expect(tree.makeFolder === undefined ? [] : await listed(source, at('empty'))).toEqual([]);
    });

    test.each([
      ['probe', (path: string) => source.probe(path, never)],
      ['list', (path: string) => listed(source, path)],
      ['stat', (path: string) => source.stat(path, never)],
      [
        'read',
        async (path: string) => source.read({ ...(await source.stat(at('sizes/one.bin'), never)), path }, never),
      ],
    ])('%s of a missing path is [not_found], with a sentence that names it', async (_call, attempt) => {
      const path = at('names/not there ü');
      await expect(attempt(path)).rejects.toMatchObject({
        name: 'CrawlerError',
        code: 'not_found',
        message: expect.stringContaining('not there ü') as unknown,
      });
    });

    test('a cancelled call ends as [cancelled], and the source keeps working', async () => {
      const entry = await source.stat(at('sizes/large.bin'), never);
      const cancel = new AbortController();
      const calls = [
        source.read(entry, cancel.signal).then(buffer),
        listed(source, at('many'), cancel.signal),
        source.stat(at('sizes'), cancel.signal),
      ];
      cancel.abort();
      const ends = await Promise.allSettled(calls);
      const codes = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code: string }).code] : []));
      expect(codes.filter((code) => !['cancelled', 'ABORT_ERR'].includes(code))).toEqual([]);
      expect(await bytesOf(source, entry)).toHaveLength(entry.size);
    });

    test('a signal that is already aborted starts nothing', async () => {
      const aborted = AbortSignal.abort();
      await expect(source.stat(at('sizes'), aborted)).rejects.toMatchObject({ code: 'cancelled' });
      await expect(listed(source, at('sizes'), aborted)).rejects.toMatchObject({ code: 'cancelled' });
    });
  });
}

/** Sorted by name. */
export async function listed(source: TreeSource, folder: string, signal: AbortSignal = never): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of source.list(folder, signal)) entries.push(...batch);
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export async function bytesOf(source: TreeSource, entry: Entry): Promise<Buffer> {
  return await buffer(await source.read(entry, never));
}

async function textOf(source: TreeSource, entry: Entry): Promise<string> {
  return (await bytesOf(source, entry)).toString('utf8');
}

function fingerprint({ name, kind, size, modifiedMs, changedMs, inode, version }: Entry): unknown {
  return { name, kind, size, modifiedMs, changedMs, inode, version };
}

/** 3 MB and a bit, which no block size divides. */
function largeBytes(): Buffer {
  return Buffer.alloc(3_000_017, 'The quick brown fox jumps over the lazy dog. 0123456789\r\n');
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
