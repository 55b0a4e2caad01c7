import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, errors } from '@elastic/elasticsearch';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { MemoryEngine } from '../support/memory-engine.js';
import { call, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

/** The real embedded index behind `_engine`, asked by hand and by the official client. */
let folder: string;
let engine: EmbeddedEngine;
let rest: RestHarness;
let client: Client;

const signal = new AbortController().signal;

interface Doc {
  readonly content: string;
  readonly file: {
    readonly filename: string;
    readonly extension: string;
    readonly filesize: number;
    readonly last_modified: string;
  };
  readonly meta: { readonly title?: string };
}

const doc = (content: string, filename: string, filesize: number, last_modified: string, title?: string): Doc => ({
  content,
  file: { filename, extension: filename.split('.').at(-1) ?? '', filesize, last_modified },
  meta: title === undefined ? {} : { title },
});

const DOCUMENTS: Readonly<Record<string, Doc>> = {
  '1': doc('The quick brown fox jumps over the lazy dog', 'fox.txt', 43, '2024-01-01T10:00:00.000Z', 'Fox and dog'),
  '2': doc('A slow brown bear sleeps', 'bear.pdf', 2400, '2024-02-01T10:00:00.000Z'),
  '3': doc('Quick thinking wins', 'thinking.pdf', 1900, '2024-02-20T10:00:00.000Z', 'On thinking'),
  'a/b c': doc('The id of this one needs encoding', 'odd.txt', 33, '2025-01-01T10:00:00.000Z'),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elasticsearch-api-'));
  engine = new EmbeddedEngine({ directory: folder, baseUrl: () => rest.url, version: '1.2.3', logger: silentLogger });
  await engine.prepare(signal);
  rest = await startRest({ engine });
  client = new Client({ node: `${rest.url}/_engine` });
  const documents = Object.entries(DOCUMENTS);
  await engine.write(
    [
      ...documents.map(([id, document]) => ({
        kind: 'index' as const,
        index: 'job_docs',
        id,
        document: { ...document },
      })),
      { kind: 'index', index: 'job_folder', id: 'f', document: { path: { real: '/docs', virtual: '/' } } },
    ],
    signal,
  );
});

afterAll(async () => {
  await client.close();
  await rest.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit): Promise<Answer> => call(`${rest.url}/_engine${path}`, init);

const idsOf = (hits: readonly { _id?: string | undefined }[]): (string | undefined)[] => hits.map(({ _id }) => _id);

describe('the official client', () => {
  test('takes the service for its product', async () => {
    const info = await client.info();
    expect(info).toMatchObject({
      cluster_name: 'job',
      tagline: 'You Know, for Search',
      version: { build_flavor: 'embedded' },
    });
    expect(await client.ping()).toBe(true);
  });

  test('reads documents, their source, and parts of it', async () => {
    expect(await client.get({ index: 'job_docs', id: '1' })).toEqual({
      _index: 'job_docs',
      _id: '1',
      _version: 1,
      _seq_no: 0,
      _primary_term: 1,
      found: true,
      _source: DOCUMENTS['1'],
    });
    expect(await client.getSource({ index: 'job_docs', id: 'a/b c' })).toEqual(DOCUMENTS['a/b c']);
    expect(
      await client.get({
        index: 'job_docs',
        id: '1',
        _source_includes: ['file.*', 'meta'],
        _source_excludes: ['*.filesize'],
      }),
    ).toMatchObject({
      _source: {
        file: { filename: 'fox.txt', extension: 'txt', last_modified: '2024-01-01T10:00:00.000Z' },
        meta: { title: 'Fox and dog' },
      },
    });
    expect(await client.exists({ index: 'job_docs', id: '1' })).toBe(true);
    expect(await client.exists({ index: 'job_docs', id: 'none' })).toBe(false);
    expect(await client.indices.exists({ index: 'job_docs' })).toBe(true);
    expect(await client.indices.exists({ index: 'none' })).toBe(false);
  });

  test.each<[string, object, string[]]>([
    ['match_all', { match_all: {} }, ['1', '2', '3', 'a/b c']],
    ['match', { match: { content: 'quick' } }, ['1', '3']],
    ['match with and', { match: { content: { query: 'quick fox', operator: 'and' } } }, ['1']],
    ['match_phrase', { match_phrase: { content: 'brown fox' } }, ['1']],
    ['multi_match', { multi_match: { query: 'thinking', fields: ['content', 'meta.title'] } }, ['3']],
    ['term', { term: { 'file.extension': 'pdf' } }, ['2', '3']],
    ['terms', { terms: { 'file.filename': ['fox.txt', 'bear.pdf'] } }, ['1', '2']],
    ['prefix', { prefix: { 'file.filename': 'th' } }, ['3']],
    ['range', { range: { 'file.filesize': { gte: 1900, lt: 2400 } } }, ['3']],
    ['range of dates', { range: { 'file.last_modified': { gte: '2024-02-01', lte: '2024-12-31' } } }, ['2', '3']],
    ['exists', { exists: { field: 'meta.title' } }, ['1', '3']],
    ['ids', { ids: { values: ['2', 'a/b c'] } }, ['2', 'a/b c']],
    [
      'bool',
      { bool: { must: { match: { content: 'brown' } }, must_not: { term: { 'file.extension': 'pdf' } } } },
      ['1'],
    ],
    ['query_string', { query_string: { query: 'content:(brown AND bear)' } }, ['2']],
    ['simple_query_string', { simple_query_string: { query: '"lazy dog"', fields: ['content'] } }, ['1']],
  ])('finds with %s', async (_name, query, expected) => {
    const { hits } = await client.search({ index: 'job_docs', query });
    expect(idsOf(hits.hits).sort()).toEqual(expected);
    expect(hits.total).toEqual({ value: expected.length, relation: 'eq' });
    expect((await client.count({ index: 'job_docs', query })).count).toBe(expected.length);
  });

  test('sorts, pages and continues behind a hit', async () => {
    const sort = [{ 'file.filesize': 'desc' as const }];
    const all = await client.search({ index: 'job_docs', sort, size: 10 });
    expect(idsOf(all.hits.hits)).toEqual(['2', '3', '1', 'a/b c']);
    const page = await client.search({ index: 'job_docs', sort, from: 1, size: 2 });
    expect(idsOf(page.hits.hits)).toEqual(['3', '1']);
    const after = page.hits.hits.at(-1)?.sort;
    expect(
      idsOf((await client.search({ index: 'job_docs', sort, ...(after && { search_after: after }) })).hits.hits),
    ).toEqual(['a/b c']);
  });

  test('highlights and aggregates', async () => {
    const found = await client.search({
      index: 'job_docs',
      query: { match: { content: 'quick' } },
      highlight: { fields: { content: {} } },
      aggs: {
        types: { terms: { field: 'file.extension' } },
        months: { date_histogram: { field: 'file.last_modified', calendar_interval: 'month' } },
      },
    });
    expect(found.hits.hits.find(({ _id }) => _id === '1')?.highlight?.['content']?.[0]).toContain(
      '<em>quick</em> brown',
    );
    expect(found.aggregations).toMatchObject({
      types: {
        buckets: [
          { key: 'pdf', doc_count: 1 },
          { key: 'txt', doc_count: 1 },
        ],
      },
      months: { buckets: expect.arrayContaining([expect.objectContaining({ doc_count: 1 })]) },
    });
  });

  test('searches several indices and all of them', async () => {
    expect((await client.search({ size: 100 })).hits.hits).toHaveLength(5);
    expect((await client.search({ index: 'job_*', size: 2 })).hits).toMatchObject({ total: { value: 5 } });
    expect((await client.search({ index: ['job_docs', 'job_folder'], size: 100 })).hits.hits).toHaveLength(5);
    expect((await client.search({ index: ['job_docs', 'none'], ignore_unavailable: true })).hits.total).toMatchObject({
      value: 4,
    });
    expect((await client.count()).count).toBe(5);
    const sorted = await client.search({ index: 'job_*', sort: [{ 'file.filesize': 'desc' }], from: 1, size: 3 });
    expect(idsOf(sorted.hits.hits)).toEqual(['3', '1', 'a/b c']);
    expect((await client.search({ index: 'nothing-*' })).hits).toMatchObject({ total: { value: 0 }, hits: [] });
  });

  test('reads mappings and the list of indices', async () => {
    const mapping = await client.indices.getMapping({ index: 'job_docs' });
    expect(mapping).toMatchObject({ job_docs: { mappings: { properties: { content: { type: 'text' } } } } });
    expect(Object.keys(await client.indices.getMapping())).toEqual(['job_docs', 'job_folder']);
    expect(await client.cat.indices({ format: 'json', bytes: 'b' })).toMatchObject([
      { index: 'job_docs', 'docs.count': '4', health: 'green' },
      { index: 'job_folder', 'docs.count': '1' },
    ]);
  });

  test('gets errors as it knows them', async () => {
    const missing = await client.search({ index: 'none' }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(errors.ResponseError);
    expect(missing).toMatchObject({
      statusCode: 404,
      body: { error: { type: 'index_not_found_exception', reason: 'no such index [none]' } },
    });
    const get404 = await client.get({ index: 'job_docs', id: 'none' }).catch((error: unknown) => error);
    expect(get404).toMatchObject({ statusCode: 404, body: { _index: 'job_docs', _id: 'none', found: false } });
    expect(await client.get({ index: 'none', id: '1' }).catch((error: unknown) => error)).toMatchObject({
      statusCode: 404,
      body: { error: { type: 'index_not_found_exception' } },
    });
    expect(await client.getSource({ index: 'job_docs', id: 'none' }).catch((error: unknown) => error)).toMatchObject({
      statusCode: 404,
      body: { error: { type: 'resource_not_found_exception' } },
    });
  });

  test.each<[string, string, (api: Client) => Promise<unknown>]>([
    ['a write', 'PUT /job_docs/_doc/1', (api) => api.index({ index: 'job_docs', id: '1', document: {} })],
    ['a bulk', 'PUT /_bulk', (api) => api.bulk({ operations: [{ delete: { _index: 'job_docs', _id: '1' } }] })],
    ['a delete', 'DELETE /job_docs/_doc/1', (api) => api.delete({ index: 'job_docs', id: '1' })],
    ['the removal of an index', 'DELETE /job_docs', (api) => api.indices.delete({ index: 'job_docs' })],
    ['a state', 'GET /_cluster/state', (api) => api.cluster.state()],
    [
      'a search template',
      'POST /job_docs/_search/template',
      (api) => api.searchTemplate({ index: 'job_docs', id: 'x' }),
    ],
    [
      'a query that is not known',
      'regexp',
      (api) => api.search({ index: 'job_docs', query: { regexp: { content: 'x' } } }),
    ],
    [
      'a member that is not known',
      'rescore',
      (api) => api.search({ index: 'job_docs', rescore: { query: { rescore_query: { match_all: {} } } } }),
    ],
    ['a parameter that is not known', 'routing', (api) => api.get({ index: 'job_docs', id: '1', routing: 'x' })],
    [
      'an aggregation over several indices',
      'aggregation',
      (api) => api.search({ index: 'job_*', aggs: { a: { terms: { field: 'file.extension' } } } }),
    ],
    ['a count with more than a query', '[min_score]', (api) => api.count({ index: 'job_docs', min_score: 1 })],
  ])('is refused %s by name', async (_name, word, act) => {
    const failure = await act(client).catch((error: unknown) => error);
    expect(failure).toMatchObject({ statusCode: 400 });
    expect((failure as Error).message.toLowerCase()).toContain(word.split(' ').at(-1)?.toLowerCase());
    expect((await client.count({ index: 'job_docs' })).count).toBe(4);
  });
});

describe('by hand', () => {
  test.each([
    ['application/vnd.elasticsearch+json;compatible-with=9', 'application/vnd.elasticsearch+json;compatible-with=9'],
    ['application/vnd.elasticsearch+json; compatible-with=8', 'application/vnd.elasticsearch+json; compatible-with=8'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
  ])('Accept %s is answered as %s, with the product header', async (accept, type) => {
    const { headers } = await get('/job_docs/_doc/1', { headers: { accept } });
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch');
  });

  test.each([
    ['?q=quick', ['1', '3']],
    ['?q=content:bear', ['2']],
    ['?q=brown+bear&default_operator=AND', ['2']],
    ['?q=quick&df=content&size=1&sort=file.filesize:desc', ['3']],
    ['?q=*&sort=file.filesize&_source=false', ['a/b c', '1', '3', '2']],
  ])('a search in the URL: %s', async (query, expected) => {
    const { body } = await get(`/job_docs/_search${query}`);
    const ids = idsOf((body['hits'] as { hits: { _id: string }[] }).hits);
    expect(query.includes('sort') ? ids : ids.sort()).toEqual(expected);
    expect(body).toMatchObject({ timed_out: false, _shards: { failed: 0 } });
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.elasticsearch+json;compatible-with=9',
  ])('a body of the type %s is read, also with GET', async (type) => {
    const body = JSON.stringify({ query: { term: { 'file.extension': 'pdf' } } });
    for (const path of ['/job_docs/_search', '/job_docs/_count', '/_search']) {
      expect((await get(path, { method: 'POST', headers: { 'content-type': type }, body })).status).toBe(200);
    }
  });

  test.each([
    ['text/plain', '{}', 415],
    ['application/json', '{bad', 400],
    ['application/json', '[]', 400],
    ['application/json', '['.repeat(100_000), 400],
    ['application/json', '{"query":{"match":{"content":{"query":"x","fuzziness":"x"}}}}', 400],
    ['application/json', '{"query":7}', 400],
  ])('a body of the type %s that is %s is a %i in the shape of Elasticsearch', async (type, body, status) => {
    const answer = await get('/job_docs/_search', { method: 'POST', headers: { 'content-type': type }, body });
    expect(answer).toMatchObject({
      status,
      body: {
        status,
        error: { type: expect.any(String), reason: expect.any(String), root_cause: [expect.anything()] },
      },
    });
  });

  test.each(['?size=x', '?from=-1', '?unknown=1', '?routing=a', '?size=20000', '?filter_path=**.a.**.b'])(
    '%s is refused',
    async (query) => {
      expect(await get(`/job_docs/_search${query}`)).toMatchObject({
        status: 400,
        body: { error: { type: 'illegal_argument_exception' } },
      });
    },
  );

  test('pretty prints', async () => {
    expect((await get('/?pretty')).text).toContain('\n  "name"');
    expect((await get('/')).text).not.toContain('\n');
  });

  test('_cat/indices is a table with heads when asked', async () => {
    const { headers, text } = await get('/_cat/indices?v&h=index,docs.count');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toBe('index      docs.count\njob_docs   4\njob_folder 1\n');
    expect((await get('/_cat/indices/job_docs?h=index')).text).toBe('job_docs\n');
    expect((await get('/_cat/indices?format=json&h=index')).body).toEqual([
      { index: 'job_docs' },
      { index: 'job_folder' },
    ]);
    expect((await get('/_cat/indices?h=nothing')).status).toBe(400);
  });

  test('the address of a document resolves, whatever its id', async () => {
    for (const id of Object.keys(DOCUMENTS)) {
      expect((await call(engine.urlOf('job_docs', id))).body).toMatchObject({ found: true, _id: id });
    }
  });

  test('an id that is not properly encoded is a 400', async () => {
    expect(await get('/job_docs/_doc/%zz')).toMatchObject({ status: 400, body: { status: 400 } });
  });

  test('a job whose index is elsewhere has none here', async () => {
    const remote = await startRest({ engine: new MemoryEngine({ type: 'elastic' }) });
    const answer = await call(`${remote.url}/_engine/_search`);
    expect(answer).toMatchObject({ status: 404, body: { error: { reason: expect.stringContaining('engine.urls') } } });
    await remote.close();
  });

  test('while the index is not open it is a 503', async () => {
    const waiting = await startRest({ engineReady: () => ({ ready: false, message: 'not yet' }) });
    expect(await call(`${waiting.url}/_engine/_search`)).toMatchObject({
      status: 503,
      body: { error: { reason: 'not yet' } },
    });
    await waiting.close();
  });
});

describe('GET /_search', () => {
  const search = (query: string): Promise<Answer> => call(`${rest.url}/_search${query}`);

  test('finds documents of the job by the words of a person, with the places marked', async () => {
    const { status, body } = await search('?q=quick+fox');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      total: 1,
      from: 0,
      size: 10,
      hits: [
        {
          id: '1',
          index: 'job_docs',
          url: engine.urlOf('job_docs', '1'),
          highlight: { content: [expect.stringContaining('<em>quick</em>')] },
          doc: { file: { filename: 'fox.txt' }, meta: { title: 'Fox and dog' } },
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('"content":"The quick');
  });

  test.each([
    ['', 4],
    ['?q=', 4],
    ['?q=thinking', 1],
    ['?q=fox.txt', 1],
    ['?q=%22brown+bear%22', 1],
    ['?q=brown+-bear', 1],
    ['?q=nothinglikethis', 0],
    [`?q=${encodeURIComponent(String.raw`\"lazy \(dog\)`)}`, 1],
    [`?q=${encodeURIComponent('"brown bear" | (quick -thinking)')}`, 2],
  ])('%s: %i', async (query, total) => {
    expect((await search(query)).body).toMatchObject({ ok: true, total });
  });

  test('pages, and takes its parameters as headers too', async () => {
    const first = await search('?size=1');
    const second = await call(`${rest.url}/_search`, { headers: { size: '1', from: '1' } });
    expect([first.body['hits'], second.body['hits']].map((hits) => (hits as unknown[]).length)).toEqual([1, 1]);
    expect(first.body['hits']).not.toEqual(second.body['hits']);
  });

  test.each(['?size=x', '?size=-1', '?size=1001', '?from=10000', '?from=1.5', '?size='])(
    '%s is a 400',
    async (query) => {
      expect(await search(query)).toMatchObject({ status: 400, body: { ok: false } });
    },
  );

  test.each([
    ['?q=fox&sise=3', 'There is no parameter [sise] here. Did you mean [size]?'],
    ['?query=fox', 'There is no parameter [query] here. It knows q, size, from.'],
    ['?Q=fox', 'There is no parameter [Q] here. Did you mean [q]?'],
    [`?q=${encodeURIComponent('"lazy dog')}`, 'The quotation mark at character 1 of the search is not closed.'],
    [`?q=${encodeURIComponent('fox (dog | bear')}`, 'The parenthesis at character 5 of the search is not closed.'],
    [`?q=${encodeURIComponent('fox) dog')}`, 'The parenthesis at character 4 of the search has no opening one.'],
    [`?q=${encodeURIComponent('"a ) b" "')}`, 'The quotation mark at character 9'],
  ])('%s is a 400 that tells why', async (query, message) => {
    const answer = await search(query);
    expect(answer).toMatchObject({ status: 400, body: { ok: false, message: expect.stringContaining(message) } });
  });

  test('an index that does not exist yet holds nothing', async () => {
    const empty = await startRest();
    expect((await call(`${empty.url}/_search?q=x`)).body).toMatchObject({ ok: true, total: 0, hits: [] });
    await empty.close();
  });
});
