import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { Database } from '../../../src/base/sqlite.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { acknowledgeIncidents, readIncidents } from '../../../src/engine/index-incidents.js';
import type { WriteOperation } from '../../../src/engine/engine.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { tempDir } from '../../support/temp-dir.js';
import { startWriting } from '../../integration/embedded/writing-process.js';

/** 120 crawled documents, 20 uploads and three folders; every document has a word of its own. */
const SIGNAL = new AbortController().signal;
const PAGE = 8192;
const directory = tempDir();
const sound = join(directory, 'sound');
const documents = new Map(operations().map((operation) => [operation.id ?? '', operation]));

function operations(): (WriteOperation & { kind: 'index' })[] {
  const words = (own: string): string => `${own} ${Array.from({ length: 150 }, (_, at) => `${own}w${at}`).join(' ')}`;
  const crawled = Array.from({ length: 120 }, (_, at) => ({
    kind: 'index' as const,
    index: 'docs',
    id: `crawled${at}`,
    document: {
      content: words(`file${at}x`),
      file: { filename: `${at}.txt`, filesize: at },
      path: { root: 'r', real: `/data/${at}.txt`, virtual: `/${at}.txt` },
      meta: { title: `title ${at}` },
    },
  }));
  const uploads = Array.from({ length: 20 }, (_, at) => ({
    kind: 'index' as const,
    index: 'docs',
    id: `upload${at}`,
    document: { content: words(`letter${at}x`), file: { filename: `letter ${at}.pdf` }, external: { number: at } },
  }));
  const folders = Array.from({ length: 3 }, (_, at) => ({
    kind: 'index' as const,
    index: 'folders',
    id: `folder${at}`,
    document: { path: { root: 'r', real: `/data/folder${at}` } },
  }));
  return [...folders, ...crawled.slice(0, 60), ...uploads, ...crawled.slice(60)];
}

function open(folder: string, logger = new RecordingLogger()): EmbeddedEngine {
  return new EmbeddedEngine({
    directory: folder,
    baseUrl: () => undefined,
    version: '0',
    logger,
    owned: true,
    index: 'docs',
  });
}

beforeAll(async () => {
  const engine = open(sound);
  await engine.write([...documents.values()], SIGNAL);
  await engine.close();
});

/** A copy of the sound index with its bytes changed. */
function damaged(name: string, change: (bytes: Buffer, pages: number) => Buffer | undefined): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  copyFileSync(join(sound, 'index-summary.json'), join(folder, 'index-summary.json'));
  const bytes = readFileSync(join(sound, 'index.db'));
  writeFileSync(join(folder, 'index.db'), change(bytes, bytes.length / PAGE) ?? bytes);
  return folder;
}

/** Every document is as it was or not there at all; those that are not there and have no file are told by number. */
async function expectRepaired(folder: string): Promise<{ recovered: number; lost: number }> {
  const engine = open(folder);
  await engine.prepare(SIGNAL);
  const found = new Map<string, unknown>();
  for (const index of ['docs', 'folders']) {
    for await (const page of engine.scan(index, SIGNAL)) for (const { id, source } of page) found.set(id, source);
  }
  const uploads = [...documents.values()].map(({ document }) => document).filter((document) => 'external' in document);
  for (const [id, source] of found) {
    // An upload whose row is lost has another id.
    if (documents.has(id)) expect(source).toEqual(documents.get(id)?.document);
    else expect(uploads).toContainEqual(source);
  }
  const word = async (id: string): Promise<string[]> => {
    const { content } = documents.get(id)?.document as { content: string };
    const query = { match_phrase: { content: content.slice(0, content.indexOf(' ')) } };
    return (await engine.search({ index: 'docs', body: { query } }, SIGNAL)).hits.hits.map(({ _id }) => _id);
  };
  for (const id of found.keys()) {
    if (documents.has(id) && !id.startsWith('folder')) expect(await word(id)).toEqual([id]);
  }
  await engine.close();
  const [incident] = readIncidents(folder);
  const kept = [...found.values()].filter((source) => 'external' in (source as object)).length;
  expect(incident?.lost ?? 0).toBe(uploads.length - kept);
  expect(incident?.recovered ?? documents.size).toBe(found.size);
  return { recovered: found.size, lost: uploads.length - kept };
}

describe('whatever part of the file is damaged', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])('a page of zeros (%i of 12 places)', async (place) => {
    const folder = damaged(`zeros-${place}`, (bytes, pages) => {
      // The first pages are all different; later ones are bodies and words.
      const page = place < 8 ? place : Math.floor((pages * (place - 7)) / 5);
      return bytes.fill(0, page * PAGE, (page + 1) * PAGE);
    });
    const { recovered } = await expectRepaired(folder);
    expect(recovered).toBeGreaterThan(documents.size - 20);
  });

  test.each([1, 2, 3, 4])('fifty bits that have flipped anywhere (%i)', async (seed) => {
    let state = seed;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const folder = damaged(`flips-${seed}`, (bytes) => {
      for (let flip = 0; flip < 50; flip += 1) {
        const at = random(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      }
      return undefined;
    });
    await expectRepaired(folder);
    expect(readIncidents(folder)).toHaveLength(1);
  });

  test.each<[string, (bytes: Buffer, pages: number) => Buffer]>([
    ['its second half is missing', (bytes, pages) => bytes.subarray(0, Math.floor(pages / 2) * PAGE)],
    ['it ends in the middle of a page', (bytes) => bytes.subarray(0, bytes.length - 3000)],
    ['its beginning is overwritten', (bytes) => bytes.fill('x', 0, 2 * PAGE)],
    [
      'a large part of its middle is overwritten',
      (bytes, pages) => bytes.fill(255, 10 * PAGE, Math.floor(pages / 2) * PAGE),
    ],
    ['nothing of it is left', (bytes) => bytes.fill(0)],
  ])('%s', async (what, change) => {
    const folder = damaged(what.replaceAll(' ', '-'), change);
    await expectRepaired(folder);
    const [kept] = readdirSync(folder).filter((name) => /^index\.db\.damaged-\d+T\d+$/.test(name));
    const [incident] = readIncidents(folder);
    expect(incident).toMatchObject({ kept: join(folder, kept ?? ''), documents: documents.size });
    expect(incident?.message).toContain(incident?.kept);
  });
});

test('words that have changed are noticed by their checksum, and nothing is lost for them', async () => {
  const reader = new Database(join(sound, 'index.db'), { readOnly: true });
  const [words] = reader.values('SELECT max(substr(block, 100, 200)) FROM fts_2_data WHERE length(block) > 3000');
  reader.close();
  const folder = damaged('words', (bytes) => {
    // Pages that are no longer in use may hold it, too.
    for (let at = bytes.indexOf(words as Buffer); at >= 0; at = bytes.indexOf(words as Buffer, at + 1)) {
      bytes[at + 100] = (bytes[at + 100] ?? 0) ^ 1;
    }
    return undefined;
  });
  const logger = new RecordingLogger();
  const engine = open(folder, logger);
  await engine.prepare(SIGNAL);
  await engine.close();
  expect(logger.messages('warn')[0]).toContain('some of its words are not as they were written');
  expect(await expectRepaired(folder)).toEqual({ recovered: documents.size, lost: 0 });
});

test('what only the log holds is recovered from it', async () => {
  const folder = join(directory, 'log');
  const writing = open(join(directory, 'writing'));
  await writing.write([...documents.values()], SIGNAL);
  mkdirSync(folder);
  for (const suffix of ['', '-wal'])
    copyFileSync(join(directory, 'writing', `index.db${suffix}`), join(folder, `index.db${suffix}`));
  await writing.close();
  const bytes = readFileSync(join(folder, 'index.db'));
  writeFileSync(join(folder, 'index.db'), bytes.fill(0x55, 0, 1000));
  expect(await expectRepaired(folder)).toEqual({ recovered: documents.size, lost: 0 });
});

test('a repair that is killed again and again comes to its end', async () => {
  const folder = damaged('killed', (bytes, pages) => bytes.fill(0, (pages - 4) * PAGE, (pages - 3) * PAGE));
  for (let round = 0; round < 8; round += 1) {
    const { child, ended } = startWriting(folder, 'prepare');
    await sleep(60 + round * 60);
    child.kill('SIGKILL');
    await ended;
  }
  const { recovered } = await expectRepaired(folder);
  expect(recovered).toBeGreaterThan(documents.size - 20);
  expect(readIncidents(folder)).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.includes('repair'))).toEqual([]);
});

test('a damaged index does not keep writers waiting: it is repaired under them', async () => {
  const folder = damaged('under-way', () => undefined);
  const engine = open(folder);
  const { identity } = await engine.prepare(SIGNAL);
  const path = join(folder, 'index.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, PAGE, bytes.length));
  const operation = { kind: 'index', index: 'docs', id: 'crawled1', document: { content: 'new' } } as const;
  const outcomes: unknown[] = [];
  for (;;) {
    const [outcome] = await engine.write([operation], SIGNAL);
    outcomes.push(outcome);
    if (outcome?.ok === true) break;
    expect(outcome).toMatchObject({ code: 'unavailable' });
    await sleep(50);
  }
  expect(outcomes.length).toBeGreaterThan(1);
  expect(await engine.identity(SIGNAL)).not.toBe(identity);
  expect(await engine.get('docs', 'crawled1', SIGNAL)).toMatchObject({ source: { content: 'new' } });
  await engine.close();
});

describe('an index that is gone', () => {
  test('is reported when uploads went with it, until somebody has acknowledged it', async () => {
    const folder = damaged('gone', () => undefined);
    rmSync(join(folder, 'index.db'));
    const logger = new RecordingLogger();
    for (let start = 0; start < 2; start += 1) {
      const engine = open(folder, logger);
      await engine.prepare(SIGNAL);
      await engine.close();
    }
    expect(readIncidents(folder)).toMatchObject([{ documents: documents.size, lost: 20, recovered: 0, kept: null }]);
    expect(logger.messages('warn')).toEqual([
      expect.stringMatching(/is gone or was replaced\. It held 143 documents, 20 of them/),
    ]);
    expect(acknowledgeIncidents(folder)).toHaveLength(1);
    expect(readIncidents(folder)).toEqual([]);
    const again = open(folder, logger);
    await again.prepare(SIGNAL);
    await again.close();
    expect(readIncidents(folder)).toEqual([]);
  });

  test('is nothing to speak of when the tree has everything', async () => {
    const folder = join(directory, 'only-crawled');
    const engine = open(folder);
    await engine.write(
      [...documents.values()].filter(({ id }) => id?.startsWith('crawled')),
      SIGNAL,
    );
    await engine.close();
    rmSync(join(folder, 'index.db'));
    const logger = new RecordingLogger();
    const again = open(folder, logger);
    await again.prepare(SIGNAL);
    await again.close();
    expect([readIncidents(folder), logger.messages('warn')]).toEqual([[], []]);
  });
});

test('an index of the version before is used as it is, and gets its checksums', async () => {
  const folder = damaged('version-1', () => undefined);
  const database = new Database(join(folder, 'index.db'));
  for (const index of [1, 2]) {
    database.exec(`DROP INDEX doc_${index}_without_file; ALTER TABLE body_${index} DROP COLUMN sum;`);
  }
  database.exec(`DROP TABLE word_sum; DELETE FROM property WHERE name = 'derivation'; PRAGMA user_version=1;`);
  database.close();
  expect(await expectRepaired(folder)).toEqual({ recovered: documents.size, lost: 0 });
  expect(readIncidents(folder)).toEqual([]);
  const engine = open(folder);
  await engine.write([{ kind: 'delete', index: 'docs', id: 'crawled0' }], SIGNAL);
  await engine.close();
  const upgraded = new Database(join(folder, 'index.db'), { readOnly: true });
  expect(upgraded.values('SELECT count(*) > 0 FROM word_sum')).toEqual([1]);
  upgraded.close();
});

test.each([true, false])('the whole index is checked on demand, with its progress (deep: %p)', async (deep) => {
  const engine = new EmbeddedEngine({ directory: sound, baseUrl: () => undefined, version: '0', logger: silentLogger });
  const progress: number[] = [];
  await engine.check({ deep, signal: SIGNAL, onProgress: (count) => progress.push(count) });
  await engine.close();
  expect(progress.at(-1)).toBe(documents.size);
  expect(existsSync(join(sound, 'index.db.is-damaged'))).toBe(false);
});
