import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { searchFields } from '../../../src/engine/search-fields.js';
import { everything } from '../../../src/search/find-request.js';
import { IndexSearch } from '../../../src/search/index-search.js';
import { shortNames } from '../../../src/search/query/short-names.js';
import { sortOrders } from '../../../src/search/sort-order.js';
import { typeFamilies } from '../../../src/search/type-families.js';
import { tempDir } from '../../support/temp-dir.js';

const SIGNAL = new AbortController().signal;
const page = readFileSync('docs/search.md', 'utf8');

/** First cells of the tables whose first column is [search], with the sign that a table cannot hold. */
const queries = [...page.matchAll(/^\| search .*\n\|.*\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
  [...rows.matchAll(/^\| `((?:[^`])+)` +\|/gm)].map(([, query = '']) => query.replaceAll('\\|', '|')),
);

describe('docs/search.md', () => {
  const engine = new EmbeddedEngine({
    directory: tempDir(),
    baseUrl: () => undefined,
    version: '0.0.0',
    logger: silentLogger,
  });
  const search = new IndexSearch({ engine, index: 'page_docs', searchFields: searchFields('text') });
  beforeAll(async () => {
    const document = { content: 'The lighthouse keeper of C++ heard fog in the harbour.', meta: { title: 'Harbour' } };
    await engine.write([{ kind: 'index', index: 'page_docs', id: 'a', document }], SIGNAL);
  });
  afterAll(() => engine.close());

  test('has searches', () => {
    expect(queries.length).toBeGreaterThan(20);
  });

  test.each(queries)('the search %s is understood', async (q) => {
    const { total } = await search.find({ ...everything, q }, { size: 1 }, SIGNAL);
    expect([0, 1]).toContain(total);
  });

  test.each([
    ['lighthouse keeper', 1],
    ['"lighthouse keeper"', 1],
    ['light*', 1],
    ['keepr~', 1],
    ['fog | horn', 1],
    ['lighthouse -keeper', 0],
    ['(fog | horn) harbour', 1],
    ['*', 1],
    ['meta.title:harbour', 1],
    ['_exists_:meta.author', 0],
  ])('%s finds %d document', async (q, total) => {
    expect(queries).toContain(q);
    expect((await search.find({ ...everything, q }, { size: 1 }, SIGNAL)).total).toBe(total);
  });

  test('names every short name, type and order', () => {
    for (const name of shortNames) expect(queries.some((query) => query.startsWith(`${name}:`))).toBe(true);
    for (const word of [...typeFamilies, ...sortOrders]) expect(page).toContain(`\`${word}\``);
  });
});
