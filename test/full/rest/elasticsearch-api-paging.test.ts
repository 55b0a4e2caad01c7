import { setTimeout as sleep } from 'node:timers/promises';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { numbered, startEngineRest } from '../../rest/engine-harness.js';
import type { EngineHarness } from '../../rest/engine-harness.js';

/** Scrolls and points in time: reading all hits of a search while documents come, change and go. */
const COUNT = 300;
const PAGE = 40;

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly unknown[];
}
interface Page {
  readonly _scroll_id: string;
  readonly pit_id: string;
  readonly hits: {
    readonly total: { readonly value: number };
    readonly max_score: number | null;
    readonly hits: readonly Hit[];
  };
  readonly aggregations?: object;
}

let api: EngineHarness;

async function search(body: object, path = '/job_docs/_search'): Promise<Page> {
  const { status, body: answer } = await api.post(path, body);
  expect({ status, answer }).toMatchObject({ status: 200 });
  return answer as unknown as Page;
}

/** All pages of a scroll; `between` runs behind the first and the second. */
async function scrollAll(
  body: object,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<Page[]> {
  const pages = [await search({ size: PAGE, ...body }, '/job_docs/_search?scroll=1m')];
  for (let last = pages[0]; last !== undefined && last.hits.hits.length > 0; last = pages.at(-1)) {
    await between(pages.length);
    pages.push(await search({ scroll: '1m', scroll_id: last._scroll_id }, '/_search/scroll'));
  }
  await api.post('/_search/scroll', { scroll_id: pages[0]?._scroll_id }, 'DELETE');
  return pages;
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ hits }) => hits.hits.map(({ _id }) => _id));

/** Half of what comes would stand before what has been read already. */
async function crawlGoesOn(page: number): Promise<void> {
  await api.write({ ...numbered(50, 10_000 * page), [`heavy${page}`]: { content: 'lighthouse '.repeat(50) } });
  // Changed: keeps its place or not, but is listed once.
  await api.write({ d7: { content: `keeper of number ${page}`, file: { filesize: page } } });
  await api.remove([`d${COUNT - page}`]);
}

/** Documents that nobody has touched. */
const UNTOUCHED = Object.keys(numbered(COUNT - 10)).filter((id) => id !== 'd7');

function expectEachOnce(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(UNTOUCHED));
}

async function start(): Promise<void> {
  api = await startEngineRest();
  await api.write(numbered(COUNT));
}

describe('a scroll while documents come and go', () => {
  beforeEach(start);
  afterEach(() => api.close());

  test.each<[string, object]>([
    ['everything', {}],
    ['everything by _doc', { sort: ['_doc'] }],
    ['words by _doc', { sort: '_doc', query: { match: { content: 'lighthouse' } } }],
    ['words by score', { query: { match: { content: 'lighthouse keeper' } } }],
    ['words by a field', { query: { match: { content: 'number' } }, sort: [{ 'file.filesize': 'desc' }] }],
    ['a filter by two fields', { query: { exists: { field: 'content' } }, sort: ['file.extension', 'file.filename'] }],
    ['everything, the last first', { sort: [{ _doc: 'desc' }] }],
  ])('of %s lists every untouched document once while a crawl continues', async (_name, body) => {
    const pages = await scrollAll(body, async (page) => {
      if (page < 5) await crawlGoesOn(page);
    });
    expectEachOnce(idsOf(pages));
    expect(new Set(pages.map(({ hits }) => hits.total.value))).toEqual(new Set([COUNT]));
  });

  test('shows documents as they are when their page is read', async () => {
    const first = await search({ size: PAGE, sort: ['file.filename'] }, '/job_docs/_search?scroll=1m');
    await api.write({ d99: { content: 'written anew', file: { filename: 'f99.pdf' } } });
    const next: Page[] = [];
    for (let page = first; page.hits.hits.length > 0; next.push(page)) {
      page = await search({ scroll_id: first._scroll_id }, '/_search/scroll');
    }
    expect(next.flatMap(({ hits }) => hits.hits)).toContainEqual(
      expect.objectContaining({ _id: 'd99', _source: { content: 'written anew', file: { filename: 'f99.pdf' } } }),
    );
  });

  test('of documents of which most are gone meanwhile has no empty page before its end', async () => {
    const body = { sort: [{ 'file.filesize': 'asc' }], query: { match: { content: 'number' } } };
    const kept = new Set(['d1', 'd150', 'd299']);
    const pages = await scrollAll({ ...body, size: 5 }, async (page) => {
      if (page === 1) await api.remove(Object.keys(numbered(COUNT)).filter((id) => !kept.has(id)));
    });
    const later = idsOf(pages.slice(1));
    const shown = new Set(idsOf(pages.slice(0, 1)));
    expect([...later].sort()).toEqual([...kept].filter((id) => !shown.has(id)).sort());
  });

  test('over several indices reads one after the other, in the order of the index only', async () => {
    await api.write(numbered(60, 1000), 'job_other');
    const pages = [await search({ size: 50 }, '/job_*/_search?scroll=1m')];
    while ((pages.at(-1)?.hits.hits.length ?? 0) > 0) {
      pages.push(await search({ scroll_id: pages[0]?._scroll_id }, '/_search/scroll'));
    }
    expect(pages[0]?.hits.total.value).toBe(COUNT + 60);
    expect(new Set(idsOf(pages)).size).toBe(COUNT + 60);
    const sorted = await api.post('/job_*/_search?scroll=1m', { sort: ['file.filesize'] });
    expect(sorted).toMatchObject({ status: 400, body: { error: { reason: expect.stringContaining('[_doc]') } } });
  });

  test('of an index that was replaced ends', async () => {
    const { _scroll_id: id } = await search({ size: 10, sort: ['file.filename'] }, '/job_docs/_search?scroll=1m');
    for (const file of await readdir(api.folder)) await rm(join(api.folder, file));
    await api.engine.identity(new AbortController().signal);
    await api.write(numbered(COUNT, 5000));
    expect(await api.ask(`/_search/scroll/${id}`)).toMatchObject({
      status: 404,
      body: { error: { type: 'search_context_missing_exception' } },
    });
  });
});

describe('a scroll', () => {
  beforeAll(start);
  afterAll(() => api.close());

  test('gives its hits in the order of an ordinary search, with the same scores and sort values', async () => {
    for (const body of [
      { query: { match: { content: 'keeper' } } },
      { query: { match: { content: 'number' } }, sort: [{ 'file.filesize': 'desc' }, '_score'], track_scores: true },
      { query: { match_all: {} } },
    ]) {
      const whole = await search({ ...body, size: COUNT });
      const pages = await scrollAll(body);
      expect(pages.flatMap(({ hits }) => hits.hits)).toEqual(whole.hits.hits);
      expect(pages[0]?.hits).toMatchObject({ total: whole.hits.total, max_score: whole.hits.max_score });
    }
  });

  test('answers aggregations with its first page', async () => {
    const aggs = { types: { terms: { field: 'file.extension' } } };
    const pages = await scrollAll({ aggs });
    expect(pages.map(({ aggregations }) => aggregations !== undefined)).toEqual([
      true,
      ...pages.slice(1).map(() => false),
    ]);
  });

  test('asked for two pages at once gives two', async () => {
    const first = await search({ size: PAGE, sort: ['file.filename'] }, '/job_docs/_search?scroll=1m');
    const next = (): Promise<Page> => search({ scroll_id: first._scroll_id }, '/_search/scroll');
    const pages = await Promise.all([next(), next(), next()]);
    expect(new Set(idsOf([first, ...pages])).size).toBe(4 * PAGE);
  });

  test('is reached in every way that Elasticsearch knows', async () => {
    const { _scroll_id: id } = await search({ size: 10 }, '/job_docs/_search?scroll=1m');
    const ways = [
      await api.ask(`/_search/scroll?scroll=1m&scroll_id=${id}`),
      await api.ask(`/_search/scroll/${id}`),
      await api.ask(`/_search/scroll/${id}?scroll=2m&rest_total_hits_as_int=true`, { method: 'POST' }),
    ];
    expect(ways.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ways[2]?.body).toMatchObject({ hits: { total: COUNT } });
    expect((await api.ask(`/_search/scroll/${id}`, { method: 'DELETE' })).body).toEqual({
      succeeded: true,
      num_freed: 1,
    });
    expect((await api.post('/_search/scroll', { scroll_id: [id] }, 'DELETE')).status).toBe(404);
  });

  test.each<[string, string, object, number, string]>([
    ['too long a life', '?scroll=2d', {}, 400, 'Keep alive for request (2d) is too large'],
    ['a life without a unit', '?scroll=5', {}, 400, 'failed to parse setting [scroll] with value [5]'],
    ['a negative life', '?scroll=-1', {}, 400, 'failed to parse setting [scroll]'],
    ['no life', '?scroll=', {}, 400, 'failed to parse setting [scroll]'],
    ['a from', '?scroll=1m&from=2', {}, 400, '[from] is not allowed in a scroll context'],
    ['no hits', '?scroll=1m&size=0', {}, 400, '[size] cannot be [0] in a scroll context'],
    ['too large a page', '?scroll=1m&size=20000', {}, 400, 'more than 10000 hits'],
    ['search_after', '?scroll=1m', { sort: ['_doc'], search_after: [1] }, 400, '[search_after] cannot be used'],
    ['no total', '?scroll=1m', { track_total_hits: false }, 400, 'disabling [track_total_hits]'],
    ['collapse', '?scroll=1m', { collapse: { field: 'file.extension' } }, 400, '[collapse] in a scroll'],
    ['a point in time', '?scroll=1m', { pit: { id: 'x' } }, 400, '[point in time] is not allowed'],
    ['an unknown query', '?scroll=1m', { query: { percolate: {} } }, 400, 'percolate'],
    ['slices', '?scroll=1m', { slice: { id: 0, max: 2 } }, 400, 'slice'],
  ])('with %s is refused', async (_name, query, body, status, reason) => {
    const answer = await api.post(`/job_docs/_search${query}`, body);
    expect(answer).toMatchObject({ status, body: { error: { reason: expect.stringContaining(reason) } } });
  });

  test.each<[string, object, number, string]>([
    ['no id', {}, 400, 'action_request_validation_exception'],
    ['what is no id', { scroll_id: 'abc' }, 400, 'illegal_argument_exception'],
    ['an id that is a number', { scroll_id: 7 }, 400, 'action_request_validation_exception'],
    ['an id that was never given', { scroll_id: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404, 'search_context_missing_exception'],
    ['an unknown member', { scroll_id: 'AAAAAAAAAAAAAAAAAAAAAA', x: 1 }, 400, 'illegal_argument_exception'],
  ])('by %s is not read on', async (_name, body, status, type) => {
    expect(await api.post('/_search/scroll', body)).toMatchObject({ status, body: { status, error: { type } } });
  });

  test('ends when nobody has asked for its pages during its life', async () => {
    const { _scroll_id: id } = await search({ size: 10 }, '/job_docs/_search?scroll=50ms');
    let status = 200;
    for (let tries = 0; tries < 300 && status === 200; tries++) {
      await sleep(100);
      ({ status } = await api.ask(`/_search/scroll/${id}?scroll=50ms`));
    }
    expect(status).toBe(404);
  });

  test('lives longer when a page asks for it', async () => {
    const { _scroll_id: id } = await search({ size: 10 }, '/job_docs/_search?scroll=5s');
    await search({ scroll_id: id, scroll: '1m' }, '/_search/scroll');
    await sleep(5500);
    expect((await search({ scroll_id: id }, '/_search/scroll')).hits.hits).toHaveLength(10);
  });

  test('is one of 500 at most, which _all closes together', async () => {
    const open = () => api.ask('/job_docs/_search?scroll=1m&size=1&_source=false');
    await api.ask('/_search/scroll/_all', { method: 'DELETE' });
    for (let at = 0; at < 500; at += 50) await Promise.all(Array.from({ length: 50 }, open));
    expect(await open()).toMatchObject({
      status: 429,
      body: { error: { type: 'too_many_scroll_contexts_exception' } },
    });
    expect((await api.ask('/_search/scroll/_all', { method: 'DELETE' })).body).toEqual({
      succeeded: true,
      num_freed: 500,
    });
    expect((await open()).status).toBe(200);
  });
});

async function openPit(path = '/job_docs/_pit?keep_alive=1m'): Promise<string> {
  const { status, body } = await api.ask(path, { method: 'POST' });
  expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining({ id: expect.any(String) }) });
  return String(body['id']);
}

/** All pages behind the last hit of the one before. */
async function readAllOfPit(
  body: object,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<Page[]> {
  const pit = { id: await openPit(), keep_alive: '1m' };
  const pages: Page[] = [];
  for (let after: readonly unknown[] | undefined; ; after = pages.at(-1)?.hits.hits.at(-1)?.sort) {
    const behind = after === undefined ? {} : { search_after: after };
    pages.push(await search({ pit, size: PAGE, ...body, ...behind }, '/_search'));
    if (pages.at(-1)?.hits.hits.length === 0) return pages;
    await between(pages.length);
  }
}

describe('a point in time while documents come and go', () => {
  beforeEach(start);
  afterEach(() => api.close());

  test.each<[string, object]>([
    ['its own order', { sort: ['_shard_doc'] }],
    ['a field', { sort: [{ 'file.filesize': 'desc' }] }],
    ['score', { query: { match: { content: 'lighthouse keeper' } }, sort: ['_score'] }],
    [
      'a field and score',
      { query: { match: { content: 'number' } }, sort: [{ 'file.extension': 'asc', _score: 'desc' }] },
    ],
    ['a field in the other direction', { sort: [{ 'file.filename': { order: 'desc' } }, { _shard_doc: 'desc' }] }],
  ])('read by %s lists every untouched document once while a crawl continues', async (_name, body) => {
    const pages = await readAllOfPit(body, async (page) => {
      if (page < 5) await crawlGoesOn(page);
    });
    expectEachOnce(idsOf(pages));
    expect(new Set(pages.map(({ hits }) => hits.total.value))).toEqual(new Set([COUNT]));
  });

  test('paged by [from] keeps its pages apart while a crawl continues', async () => {
    const pit = { id: await openPit() };
    const pages: Page[] = [];
    for (let from = 0; from < COUNT; from += PAGE) {
      pages.push(await search({ pit, from, size: PAGE, query: { match: { content: 'lighthouse' } } }, '/_search'));
      if (from < 5 * PAGE) await crawlGoesOn(1 + from / PAGE);
    }
    expectEachOnce(idsOf(pages));
  });

  test('reads several indices one after the other', async () => {
    await api.write(numbered(60, 1000), 'job_other');
    const pit = { id: await openPit('/job_*/_pit?keep_alive=1m') };
    const ids: string[] = [];
    for (let after: readonly unknown[] | undefined; ;) {
      const behind = after === undefined ? {} : { search_after: after };
      const page = await search({ pit, size: 50, sort: ['_shard_doc'], ...behind }, '/_search');
      if (page.hits.hits.length === 0) break;
      ids.push(...idsOf([page]));
      after = page.hits.hits.at(-1)?.sort;
    }
    expect(new Set(ids).size).toBe(COUNT + 60);
    expect(await api.post('/_search', { pit, sort: ['file.filename'] })).toMatchObject({ status: 400 });
  });
});

describe('a point in time', () => {
  beforeAll(start);
  afterAll(() => api.close());

  test('has the row as the last value of a sort, and none without a sort', async () => {
    const pit = { id: await openPit() };
    const sorted = await search({ pit, size: 2, sort: [{ 'file.filesize': 'desc' }] }, '/_search');
    expect(sorted).toMatchObject({
      pit_id: pit.id,
      hits: { hits: [{ sort: [expect.any(Number), expect.any(Number)] }, {}] },
    });
    const plain = await search({ pit, size: 2 }, '/_search');
    expect(plain.hits.hits.every((hit) => !('sort' in hit))).toBe(true);
    const rows = await search({ pit, size: 2, sort: ['_shard_doc'] }, '/_search');
    expect(rows.hits.hits[0]?.sort).toHaveLength(1);
  });

  test('takes values of a sort without the row, as Elasticsearch does', async () => {
    const pit = { id: await openPit() };
    const page = await search({ pit, size: 2, sort: ['file.filename'], search_after: ['f1.txt'] }, '/_search');
    expect(idsOf([page])).toEqual(['d10', 'd100']);
    expect(page.hits.hits[0]?.sort).toEqual(['f10.txt']);
  });

  test('counts, aggregates and shows other parts with each search', async () => {
    const pit = { id: await openPit() };
    const aggs = { types: { terms: { field: 'file.extension' } } };
    expect(await search({ pit, size: 0, aggs }, '/_search')).toMatchObject({
      hits: { total: { value: COUNT }, hits: [] },
      aggregations: {
        types: {
          buckets: [
            { key: 'txt', doc_count: 200 },
            { key: 'pdf', doc_count: 100 },
          ],
        },
      },
    });
    const shown = await search({ pit, size: 1, _source: ['file.extension'], sort: ['_shard_doc'] }, '/_search');
    expect(shown.hits.hits[0]).toMatchObject({ _source: { file: { extension: 'pdf' } } });
  });

  test('is closed once, and then missing', async () => {
    const id = await openPit();
    expect((await api.post('/_pit', { id }, 'DELETE')).body).toEqual({ succeeded: true, num_freed: 1 });
    expect(await api.post('/_pit', { id }, 'DELETE')).toMatchObject({ status: 404, body: { succeeded: false } });
    expect(await api.post('/_search', { pit: { id } })).toMatchObject({
      status: 404,
      body: { error: { type: 'search_context_missing_exception' } },
    });
  });

  test.each<[string, string, string, unknown, number, string]>([
    ['without a life', 'POST', '/job_docs/_pit', undefined, 400, '[keep_alive] is not specified'],
    ['of an index that there is not', 'POST', '/none/_pit?keep_alive=1m', undefined, 404, 'no such index [none]'],
    ['of no index', 'POST', '/_pit?keep_alive=1m', undefined, 400, '[POST /_pit]'],
    ['with a filter', 'POST', '/job_docs/_pit?keep_alive=1m', { index_filter: {} }, 400, '[index_filter]'],
    ['closed without an id', 'DELETE', '/_pit', {}, 400, 'id is not provided'],
    ['closed by what is no id', 'DELETE', '/_pit', { id: '../..' }, 400, 'Cannot parse'],
    ['searched beside an index', 'POST', '/job_docs/_search', { pit: { id: 'x' } }, 400, '[indices] cannot be used'],
    ['searched without an id', 'POST', '/_search', { pit: {} }, 400, 'id is not provided'],
    ['that is no object', 'POST', '/_search', { pit: 7 }, 400, '[pit] must be an object'],
    ['with more than its id and life', 'POST', '/_search', { pit: { id: 'x', y: 1 } }, 400, 'unknown field [y]'],
  ])('%s is refused', async (_name, method, path, body, status, reason) => {
    const answer = body === undefined ? await api.ask(path, { method }) : await api.post(path, body, method);
    expect(answer).toMatchObject({ status, body: { error: { reason: expect.stringContaining(reason) } } });
  });

  test.each<[string, object, string]>([
    ['search_after without a sort', { search_after: [1] }, '[search_after] needs a [sort]'],
    ['search_after that is no list', { sort: ['_doc'], search_after: 1 }, '[search_after] must be a list'],
    ['search_after and from', { sort: ['_doc'], search_after: [1], from: 3 }, 'without [from]'],
    ['search_after of too many values', { sort: ['_doc'], search_after: [1, 2, 3] }, '[search_after]'],
    ['collapse', { collapse: { field: 'file.extension' } }, '[collapse] in a point in time'],
    ['a page beyond the window', { from: 9_999, size: 2 }, '10000'],
    ['a size that is none', { size: 'x' }, '[size]'],
  ])('searched with %s is refused', async (_name, body, reason) => {
    const pit = { id: await openPit() };
    expect(await api.post('/_search', { pit, ...body })).toMatchObject({
      status: 400,
      body: { error: { reason: expect.stringContaining(reason) } },
    });
  });

  test('of OpenSearch is opened, listed and closed under its addresses', async () => {
    const opened = await api.ask('/job_docs/_search/point_in_time?keep_alive=1m', { method: 'POST' });
    const id = String(opened.body['pit_id']);
    expect(opened.body).toMatchObject({ pit_id: id, creation_time: expect.any(Number), _shards: { failed: 0 } });
    expect((await api.ask('/_search/point_in_time/_all')).body).toMatchObject({
      pits: expect.arrayContaining([expect.objectContaining({ pit_id: id, keep_alive: 60_000 })]),
    });
    expect((await search({ pit: { id }, size: 1 }, '/_search')).hits.total.value).toBe(COUNT);
    expect((await api.post('/_search/point_in_time', { pit_id: [id] }, 'DELETE')).body).toEqual({
      pits: [{ pit_id: id, successful: true }],
    });
    await openPit();
    const closed = await api.ask('/_search/point_in_time/_all', { method: 'DELETE' });
    expect(closed.body).toMatchObject({
      pits: expect.arrayContaining([{ pit_id: expect.any(String), successful: true }]),
    });
    expect((await api.ask('/_search/point_in_time/_all')).body).toEqual({ pits: [] });
  });
});
