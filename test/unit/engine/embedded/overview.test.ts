import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../../../src/base/sqlite.js';
import type { EmbeddedEngine } from '../../../../src/engine/embedded/embedded-engine.js';
import { searchOverview } from '../../../../src/engine/search-overview.js';
import { tempDir } from '../../../support/temp-dir.js';
import { openEmbedded, SIGNAL } from './library.js';

/** The thread that writes answers as a search does, and a run that has written needs no other thread for it. */
const directory = tempDir();
const engine = openEmbedded(directory);
afterAll(() => engine.close());

const EXPECTED = {
  documents: 16,
  extensions: [
    { extension: 'pdf', documents: 3 },
    { extension: 'txt', documents: 2 },
    ...Array.from({ length: 10 }, (_, at) => ({ extension: `a${at}`, documents: 1 })),
  ],
};

test('an index is told in one line, by the thread that has written it and by one that has not', async () => {
  await expect(engine.overview('docs', SIGNAL)).rejects.toMatchObject({ code: 'not_found' });
  const names = ['pdf', 'txt', 'pdf', 'txt', 'pdf', ...Array.from({ length: 10 }, (_, at) => `a${at}`)];
  const documents = [...names.map((extension) => ({ file: { extension } })), { content: 'an upload without a name' }];
  await engine.write(
    documents.map((document, at) => ({ kind: 'index', index: 'docs', id: `d${at}`, document }) as const),
    SIGNAL,
  );
  expect(await engine.overview('docs', SIGNAL)).toEqual(EXPECTED);
  expect(await searchOverview(engine, 'docs', SIGNAL)).toEqual(EXPECTED);
  await expect(engine.overview('others', SIGNAL)).rejects.toMatchObject({ code: 'not_found' });
  await engine.close();
  const later = openEmbedded(directory);
  expect(await later.overview('docs', SIGNAL)).toEqual(EXPECTED);
  await later.close();
});

describe('what was counted', () => {
  const folder = tempDir();
  const opened = (): EmbeddedEngine => openEmbedded(folder);
  const put = (engine: EmbeddedEngine, id: string, extension: string): Promise<unknown> =>
    engine.write([{ kind: 'index', index: 'docs', id, document: { file: { extension } } }], SIGNAL);
  const extensionsOf = async (engine: EmbeddedEngine): Promise<unknown> =>
    (await engine.overview('docs', SIGNAL)).extensions.map(({ extension, documents }) => `${documents} ${extension}`);

  test('is kept for the runs that write nothing, and forgotten with the next write', async () => {
    const first = opened();
    await put(first, 'one', 'pdf');
    await put(first, 'two', 'pdf');
    expect(await extensionsOf(first)).toEqual(['2 pdf']);
    await first.close();

    const database = new Database(join(folder, 'index.db'));
    const kept = `SELECT value FROM property WHERE name GLOB 'overview:*'`;
    expect(database.values(kept)).toEqual(['{"documents":2,"extensions":[{"extension":"pdf","documents":2}]}']);
    // Whoever says so has not counted.
    database.exec(`UPDATE property SET value = replace(value, 'pdf', 'kept') WHERE name GLOB 'overview:*'`);
    const second = opened();
    expect(await extensionsOf(second)).toEqual(['2 kept']);
    // As many documents as before.
    await put(second, 'two', 'txt');
    expect(database.values(kept)).toEqual([]);
    expect(await extensionsOf(second)).toEqual(['1 pdf', '1 txt']);
    await put(second, 'two', 'pdf');
    expect(await extensionsOf(second)).toEqual(['2 pdf']);
    await second.close();
    database.close();
  });

  test('is not believed of another number of documents', async () => {
    const database = new Database(join(folder, 'index.db'));
    database.exec(`UPDATE property SET value = '{"documents":3,"extensions":[]}' WHERE name GLOB 'overview:*'`);
    database.close();
    const engine = opened();
    expect(await extensionsOf(engine)).toEqual(['2 pdf']);
    await engine.close();
  });
});

test('an index that was just made is empty until something is written to it', async () => {
  const fresh = openEmbedded(tempDir());
  const ids = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const page of fresh.scan('docs', SIGNAL)) found.push(...page.map(({ id }) => id));
    return found;
  };
  await fresh.prepare(SIGNAL);
  expect(await ids()).toEqual([]);
  await fresh.write([{ kind: 'index', index: 'docs', id: 'one', document: { content: 'word' } }], SIGNAL);
  expect(await ids()).toEqual(['one']);
  await fresh.close();
});
