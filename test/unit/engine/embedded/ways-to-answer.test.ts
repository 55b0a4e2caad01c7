import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../../src/engine/embedded/embedded-engine.js';
import type { SearchResponse } from '../../../../src/engine/engine.js';
import { tempDir } from '../../../support/temp-dir.js';

/** All documents, many and few of them are counted and sorted in different ways: the answers are the same. */
const DOCUMENTS = 120;
const directory = tempDir();
const { signal } = new AbortController();
let engine: EmbeddedEngine;

beforeAll(async () => {
  const options = { directory, baseUrl: () => undefined, version: '1', logger: silentLogger };
  engine = new EmbeddedEngine(options);
  await engine.prepare(signal);
  const operations = Array.from({ length: DOCUMENTS }, (_, at) => ({
    kind: 'index' as const,
    index: 'many',
    id: `d${at}`,
    document: {
      content: `every word${at === 7 || at === 77 ? ' seldom' : ''}`,
      file: {
        filename: `f${at}.txt`,
        extension: at % 3 === 0 ? 'txt' : 'pdf',
        filesize: at * 100,
        ...(at % 10 === 9 ? {} : { last_modified: new Date(1.7e12 + (at % 12) * 86_400_000).toISOString() }),
      },
      meta: { author: `Author ${at % 4}`, keywords: ['a', at % 2 === 0 ? 'b' : 'a'] },
      path: { real: `/d/${at % 5}/f${at}.txt`, virtual: `/${at % 5}/f${at}.txt`, root: 'r' },
    },
  }));
  await engine.write(operations, signal);
});
afterAll(() => engine.close());

const search = (body: object): Promise<SearchResponse> => engine.search({ index: 'many', body: { ...body } }, signal);
const ALL = { match_all: {} };
/** Finds all documents as well, by their words. */
const BY_WORD = { match: { content: 'every' } };

const term = (field: string): object => ({ terms: { field } });
const larger = (than: number): object => ({ filter: { range: { 'file.filesize': { gte: than } } } });
const filters = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`over ${at}`, larger(at * 1000)]));

describe('counting', () => {
  test.each([
    ['columns', { result: term('file.extension') }],
    ['exact views of texts', { result: term('meta.author') }],
    ['lists', { result: term('meta.keywords') }],
    ['a few filters', filters(4)],
    ['many filters', filters(12)],
    ['a filter that asks the full text', { result: { filter: { match: { content: 'seldom' } } } }],
    ['a filter with buckets of its own', { result: { ...larger(5000), aggs: { inner: term('file.extension') } } }],
    ['an exact view that no document has', { result: term('meta.title.keyword') }],
    ['days', { result: { date_histogram: { field: 'file.last_modified', calendar_interval: 'day' } } }],
    ['metrics', { result: { stats: { field: 'file.filesize' } } }],
  ])('%s', async (_what, aggs) => {
    const [all, byWord] = [
      await search({ size: 0, query: ALL, aggs }),
      await search({ size: 0, query: BY_WORD, aggs }),
    ];
    expect(all.aggregations).toEqual(byWord.aggregations);
  });

  test('few documents of many', async () => {
    const aggs = { author: term('meta.author'), keywords: term('meta.keywords'), ext: term('file.extension') };
    const { aggregations } = await search({ size: 0, query: { match: { content: 'seldom' } }, aggs: { ...aggs } });
    const buckets = (name: string): unknown =>
      (aggregations?.[name] as { buckets: { key: string; doc_count: number }[] }).buckets.map((each) => [
        each.key,
        each.doc_count,
      ]);
    expect([buckets('author'), buckets('keywords'), buckets('ext')]).toEqual([
      [
        ['Author 1', 1],
        ['Author 3', 1],
      ],
      [['a', 2]],
      [['pdf', 2]],
    ]);
  });
});

describe('sorting', () => {
  test.each([
    ['newest, page after page', [{ 'file.last_modified': 'desc' }, { _doc: 'asc' }]],
    ['oldest', [{ 'file.last_modified': { order: 'asc', missing: '_last' } }, { _doc: 'asc' }]],
    ['by name', [{ 'file.filename': 'asc' }, { _doc: 'asc' }]],
    ['by row', [{ _doc: 'asc' }]],
    ['by score', [{ _score: 'desc' }, { _doc: 'asc' }]],
  ])('%s', async (_what, sort) => {
    const idsOf = async (query: object): Promise<string[]> => {
      const ids: string[] = [];
      let after: readonly unknown[] | undefined;
      do {
        const { hits } = await search({
          query,
          sort,
          size: 50,
          ...(after === undefined ? {} : { search_after: after }),
        });
        ids.push(...hits.hits.map(({ _id: id }) => id));
        after = hits.hits.at(-1)?.sort;
      } while (after !== undefined);
      return ids;
    };
    const all = await idsOf(ALL);
    expect(new Set(all).size).toBe(DOCUMENTS);
    // Texts of one length score the same but for the two with a word more, so that the order is that of the rows.
    if (sort.some((key) => '_score' in key)) expect(all).toEqual(await idsOf({ ids: { values: all } }));
    else expect(all).toEqual(await idsOf(BY_WORD));
  });
});
