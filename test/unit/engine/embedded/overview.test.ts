import { afterAll, expect, test } from '@jest/globals';
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
