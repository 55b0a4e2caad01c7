import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange } from './raw-http.js';
import { startEngineRest } from './engine-harness.js';
import type { EngineHarness } from './engine-harness.js';

/** The Elasticsearch API by hand: its shapes, its limits, and what strangers may try. */
let api: EngineHarness;

beforeAll(async () => {
  api = await startEngineRest();
  await api.write({
    one: { content: 'quick fox', file: { filename: 'fox.txt', filesize: 3 }, external: { team: 'a', rank: 1 } },
    two: { content: 'slow bear', file: { filename: 'bear.pdf', filesize: 2 } },
  });
  await api.write({ f: { path: { real: '/docs', virtual: '/' }, external: { rank: 'text here' } } }, 'job_folder');
});

afterAll(() => api.close());

const lines = (...objects: readonly unknown[]): string => objects.map((each) => `${JSON.stringify(each)}\n`).join('');
const ndjson = (body: string, path = '/_msearch'): ReturnType<EngineHarness['ask']> =>
  api.ask(path, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body });

describe('_msearch', () => {
  test('answers each search in its place, also those that fail', async () => {
    const { status, body } = await ndjson(
      lines(
        { index: 'job_docs' },
        { query: { match: { content: 'fox' } } },
        { index: 'none' },
        {},
        {},
        { size: 0 },
        { index: ['job_docs', 'none'], ignore_unavailable: true, preference: 'x' },
        { query: { unknown: {} } },
        { index: 'job' },
        { sort: [] },
      ),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      took: expect.any(Number),
      responses: [
        { status: 200, hits: { hits: [{ _id: 'one' }] }, _shards: { total: 1 } },
        { status: 404, error: { type: 'index_not_found_exception', reason: 'no such index [none]' } },
        { status: 200, hits: { total: { value: 3 } }, _shards: { total: 2 } },
        { status: 400, error: { reason: expect.stringContaining('[unknown]') } },
        { status: 200, hits: { total: { value: 2 } } },
      ],
    });
  });

  test('takes its index from the path, and an empty line for no header', async () => {
    const { body } = await ndjson('\n{"size":0}\n\n{}\n', '/job_folder/_msearch?rest_total_hits_as_int=true');
    expect(body).toMatchObject({ responses: [{ hits: { total: 1 } }, { hits: { total: 1, hits: [{ _id: 'f' }] } }] });
  });

  test.each<[string, string, number, string]>([
    ['no body', '', 400, 'request body is required'],
    ['no line feed at its end', '{}\n{}', 400, 'terminated by a newline'],
    ['a header without a body', '{}\n{}\n{}\n', 400, 'line 3 begins has no body'],
    ['only a line feed', '\n', 400, 'has no body'],
    ['what is no JSON', '{}\n{"a": hunter2}\n', 400, 'Line 2 of the body is not a JSON object'],
    ['a list', '{}\n[]\n', 400, 'Line 2 of the body is not a JSON object'],
    ['an unknown member in a header', '{"foo":1}\n{}\n', 400, 'key [foo] is not supported'],
    ['routing', '{"routing":"x"}\n{}\n', 400, 'key [routing]'],
    ['an index that is no text', '{"index":{}}\n{}\n', 400, '[index] must be'],
    ['more than 200 searches', '{}\n{"size":0}\n'.repeat(201), 400, 'More than 200 searches'],
    ['too deep a line', `{}\n${'['.repeat(1000)}\n`, 400, 'nested deeper than 100 levels'],
    ['too many members', `{}\n{"a":[${'{"b":1},'.repeat(60_000)}{}]}\n`, 400, 'more than 50000 members'],
    ['more than 10 MB', `{}\n{"a":"${'x'.repeat(11_000_000)}"}\n`, 413, 'larger than 10485760 bytes'],
  ])('with %s is refused', async (_name, body, status, reason) => {
    const answer = await ndjson(body);
    expect(answer).toMatchObject({ status, body: { error: { reason: expect.stringContaining(reason) } } });
    expect(answer.text).not.toContain('hunter2');
  });

  test('with typed keys beside aggregations is refused', async () => {
    const aggs = { a: { terms: { field: 'file.filename' } } };
    expect((await ndjson(lines({}, { size: 0 }), '/_msearch?typed_keys=true')).status).toBe(200);
    expect(await ndjson(lines({ index: 'job' }, { aggs }), '/_msearch?typed_keys=true')).toMatchObject({
      status: 400,
      body: { error: { reason: expect.stringContaining('typed_keys') } },
    });
  });
});

describe('_mget', () => {
  test('answers each document in its place, also those that there are not', async () => {
    const { body } = await api.post('/_mget', {
      docs: [
        { _index: 'job_docs', _id: 'one', _source: ['external'] },
        { _index: 'job_docs', _id: 'none' },
        { _index: 'none', _id: 'one' },
        { _index: 'job', _id: 'two', _source: false },
        { _index: 'job_docs', _id: 'one', _source: { includes: ['file.*'], excludes: '*.filesize' } },
        { _index: 'job_*', _id: 'one' },
      ],
    });
    expect(body).toEqual({
      docs: [
        expect.objectContaining({ found: true, _version: 1, _source: { external: { team: 'a', rank: 1 } } }),
        { _index: 'job_docs', _id: 'none', found: false },
        { _index: 'none', _id: 'one', error: expect.objectContaining({ type: 'index_not_found_exception' }) },
        { _index: 'job_docs', _id: 'two', _version: 1, _seq_no: 0, _primary_term: 1, found: true },
        expect.objectContaining({ _source: { file: { filename: 'fox.txt' } } }),
        { _index: 'job_*', _id: 'one', error: expect.objectContaining({ type: 'illegal_argument_exception' }) },
      ],
    });
  });

  test('takes ids of the index in the path, and what to show from the URL', async () => {
    const { body } = await api.post('/job_docs/_mget?_source_includes=file.filename', { ids: ['one', 'two'] });
    expect(body).toMatchObject({
      docs: [{ _source: { file: { filename: 'fox.txt' } } }, { _source: { file: { filename: 'bear.pdf' } } }],
    });
  });

  test.each<[string, unknown, string]>([
    ['no documents', { docs: [] }, 'no documents to get'],
    ['no index', { ids: ['1'] }, 'index is missing for doc 0'],
    ['no id', { docs: [{ _index: 'job_docs' }] }, 'id is missing for doc 0'],
    ['an unknown member', { docs: [{ _index: 'job_docs', _id: '1', foo: 1 }] }, 'unknown field [foo]'],
    ['routing', { docs: [{ _index: 'job_docs', _id: '1', routing: 'x' }] }, 'unknown field [routing]'],
    ['documents that are no list', { docs: {} }, '[docs] must be a list'],
    [
      'too many of them',
      { docs: Array.from({ length: 10_001 }, () => ({ _index: 'job_docs', _id: 'x' })) },
      'More than 10000',
    ],
    ['no body', '', 'request body is required'],
  ])('of %s is refused', async (_name, body, reason) => {
    expect(await api.post('/_mget', body)).toMatchObject({
      status: 400,
      body: { error: { reason: expect.stringContaining(reason) } },
    });
  });
});

describe('filter_path', () => {
  test.each<[string, string, unknown]>([
    ['/_count?filter_path=count', 'one member', { count: 3 }],
    ['/job_docs/_search?q=fox&filter_path=hits.hits._id', 'members of a list', { hits: { hits: [{ _id: 'one' }] } }],
    [
      '/job_docs/_search?q=fox&filter_path=hits.hits._source.*.team',
      'a part of a path',
      { hits: { hits: [{ _source: { external: { team: 'a' } } }] } },
    ],
    [
      '/job_docs/_search?q=fox&filter_path=**.team',
      'any depth',
      { hits: { hits: [{ _source: { external: { team: 'a' } } }] } },
    ],
    ['/job_docs/_search?q=fox&filter_path=hits.t*.v*', 'parts of names', { hits: { total: { value: 1 } } }],
    ['/job_docs/_search?q=nothinglikethis&filter_path=hits.hits._source', 'nothing that is there', {}],
    ['/_alias?filter_path=-job_folder', 'all but one', { job_docs: { aliases: { job: {} } } }],
    ['/_cluster/health?filter_path=-*_*,-timed*', 'all but some', { status: 'green' }],
    [
      '/job_docs/_doc/one?filter_path=_source,-_source.file,-_source.content',
      'both',
      { _source: { external: { team: 'a', rank: 1 } } },
    ],
    [
      '/_cat/indices?format=json&h=index,docs.count&filter_path=index',
      'rows',
      [{ index: 'job_docs' }, { index: 'job_folder' }],
    ],
  ])('%s keeps %s', async (path, _what, expected) => {
    expect((await api.ask(path)).body).toEqual(expected);
  });

  test('does not hide what is wrong', async () => {
    expect(await api.ask('/none/_search?filter_path=hits')).toMatchObject({ status: 404, body: { error: {} } });
  });
});

describe('_cat', () => {
  test.each<[string, RegExp]>([
    [
      '/_cat/health?v',
      /^epoch +timestamp cluster status node\.total .*\n\d+ +\d\d:\d\d:\d\d +job +green +1 .* 100\.0%\n$/,
    ],
    ['/_cat/health?ts=false&h=cluster,st', /^job green\n$/],
    ['/_cat/count', /^\d+ \d\d:\d\d:\d\d 3\n$/],
    ['/_cat/count/job?h=count', /^2\n$/],
    ['/_cat/aliases?v', /^alias index +filter .*\njob +job_docs - /],
    ['/_cat/aliases/other', /^$/],
    ['/_cat/indices?h=i,dc&s=docs.count', /^job_folder 1\njob_docs +2\n$/],
    ['/_cat/indices/job?h=i*', /^job_docs\n$/],
    ['/_cat/indices?h=index,store.size&s=store.size:desc&bytes=kb', /^job_docs +0\njob_folder 0\n$/],
  ])('%s', async (path, expected) => {
    const { headers, text } = await api.ask(path);
    expect(headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(text).toMatch(expected);
  });

  test.each(['?h=foo', '?s=foo', '?bytes=x', '?help', '?x=1', '?format=yaml'])('%s is refused', async (query) => {
    expect(await api.ask(`/_cat/indices${query}`)).toMatchObject({ status: 400, body: { status: 400 } });
  });
});

describe('what an index is', () => {
  test.each<[string, number, unknown]>([
    [
      '/_settings',
      200,
      { job_docs: { settings: { index: { number_of_shards: '1', provided_name: 'job_docs' } } }, job_folder: {} },
    ],
    [
      '/job/_settings/index.number_of_*?flat_settings=true',
      200,
      { job_docs: { settings: { 'index.number_of_replicas': '0' } } },
    ],
    ['/none/_settings', 404, { error: { type: 'index_not_found_exception' } }],
    ['/_alias/job', 200, { job_docs: { aliases: { job: {} } } }],
    ['/_alias/j*', 200, { job_docs: { aliases: { job: {} } } }],
    ['/_alias/none', 404, { error: 'alias [none] missing', status: 404 }],
    ['/job_folder/_alias', 200, { job_folder: { aliases: {} } }],
    [
      '/_stats/store',
      200,
      { _all: { total: { store: { size_in_bytes: expect.any(Number) } } }, _shards: { total: 2 } },
    ],
    ['/_stats/indexing', 400, { error: { reason: expect.stringContaining('[indexing]') } }],
    [
      '/_mapping/field/*.filename',
      200,
      { job_docs: { mappings: { 'file.filename': { mapping: { filename: { type: 'keyword' } } } } } },
    ],
    ['/job_docs/_mapping/field/none', 200, { job_docs: { mappings: {} } }],
    ['/_field_caps', 400, { error: { reason: expect.stringContaining('no fields specified') } }],
    ['/_resolve/index/none', 404, { error: { type: 'index_not_found_exception' } }],
    ['/_cluster/health/none', 408, { status: 'red', timed_out: true }],
    [
      '/_cluster/health/job?level=indices',
      200,
      { status: 'green', indices: { job_docs: { status: 'green', number_of_replicas: 0 } } },
    ],
    ['/_nodes/stats', 400, { error: { reason: expect.stringContaining('[stats]') } }],
    ['/_unknown', 400, { error: { reason: '[GET /_unknown] is not supported by the embedded index' } }],
    ['/_all', 200, { job_docs: {}, job_folder: {} }],
    ['/job_*,-job_f*/_count', 200, { count: 2 }],
    ['/job_*,-job/_count', 200, { count: 1 }],
  ])('%s is a %i', async (path, status, body) => {
    expect(await api.ask(path)).toMatchObject({ status, body });
  });

  test('fields of two types name their indices', async () => {
    expect((await api.ask('/_field_caps?fields=external.rank,content&include_unmapped')).body).toMatchObject({
      fields: {
        'external.rank': {
          long: { type: 'long', indices: ['job_docs'] },
          text: { type: 'text', aggregatable: false, indices: ['job_folder'] },
        },
        content: { text: expect.not.objectContaining({ indices: expect.anything() }) },
      },
    });
    const filtered = await api.post('/_field_caps?fields=external.*&types=long', {
      index_filter: { term: { _id: 'one' } },
    });
    expect(filtered.body).toEqual({ indices: ['job_docs'], fields: { 'external.rank': { long: expect.any(Object) } } });
  });

  test('an index of the name of the job leaves no free name for its alias', async () => {
    const other = await startEngineRest({ jobName: 'job_docs' });
    await other.write({ one: { content: 'x' } });
    expect((await other.ask('/_alias')).body).toEqual({ job_docs: { aliases: {} } });
    expect((await other.ask('/job_docs/_count')).body).toMatchObject({ count: 1 });
    await other.close();
  });
});

const NEW_ENDPOINTS: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/_msearch'],
  ['POST', '/_mget'],
  ['POST', '/job_docs/_search?scroll=1m'],
  ['POST', '/_search/scroll'],
  ['DELETE', '/_search/scroll/_all'],
  ['POST', '/job_docs/_pit?keep_alive=1m'],
  ['DELETE', '/_pit'],
  ['GET', '/_search/point_in_time/_all'],
  ['GET', '/_cluster/health'],
  ['GET', '/_cluster/settings'],
  ['GET', '/_cluster/stats'],
  ['GET', '/_cat/health'],
  ['GET', '/_cat/count'],
  ['GET', '/_cat/aliases'],
  ['GET', '/_cat/nodes'],
  ['GET', '/_cat/shards'],
  ['GET', '/_nodes'],
  ['GET', '/_nodes/http'],
  ['GET', '/_stats'],
  ['GET', '/_alias'],
  ['GET', '/_settings'],
  ['GET', '/_field_caps?fields=*'],
  ['POST', '/_refresh'],
  ['GET', '/_mapping/field/content'],
  ['GET', '/_resolve/index/*'],
  ['GET', '/job'],
];

describe('strangers', () => {
  test.each(NEW_ENDPOINTS)('%s %s asks for the key, under the path of the service', async (method, path) => {
    const { node, rest } = guarded;
    expect((await fetch(`${node}${path}`, { method })).status).toBe(401);
    const headers = { authorization: 'Bearer the-key' };
    const answer = await fetch(`${node}${path}`, { method, headers });
    expect([200, 400]).toContain(answer.status);
    expect(answer.headers.get('x-elastic-product')).toBe('Elasticsearch');
    const outside = await fetch(`${new URL(rest.url).origin}/_engine${path}`, { method, headers });
    expect(outside.status).toBe(404);
    const foreign = await fetch(`${node}${path}`, { method, headers: { ...headers, origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
  });

  test.each(NEW_ENDPOINTS)('%s %s answers other pages only with rest.enable_cors', async (method, path) => {
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    const answer = await fetch(`${open.node}${path}`, { method, headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetch(`${open.node}${path}`, { method: 'OPTIONS', headers })).status).toBe(200);
  });

  test.each(NEW_ENDPOINTS.filter(([method]) => method === 'GET'))(
    'HEAD instead of %s %s has no body',
    async (_method, path) => {
      const answer = await api.ask(path, { method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([200, '']);
    },
  );

  let guarded: EngineHarness;
  let open: EngineHarness;

  beforeAll(async () => {
    guarded = await startEngineRest({ url: 'http://127.0.0.1:0/below', apiKeys: ['the-key'] });
    open = await startEngineRest({ enableCors: true });
    for (const each of [guarded, open]) await each.write({ one: { content: 'x' } });
  });

  afterAll(async () => {
    await guarded.close();
    await open.close();
  });

  test.each([
    '..',
    '.',
    '%2e%2e%2f%2e%2e%2fetc',
    '%00',
    'a%00b',
    'job_docs%2f..',
    '<job-{now/d}>',
    'x'.repeat(5000),
    `${'a*'.repeat(2000)}b`,
    '__proto__',
    'constructor',
    '-job_docs',
    '*%3A*',
    '%F0%9F%93%84',
    'job_docs,,',
    ',',
  ])('an index called %s is none, or none of others', async (name) => {
    for (const path of [
      `/${name}/_search`,
      `/${name}/_alias`,
      `/${name}/_field_caps?fields=*`,
      `/_resolve/index/${name}`,
    ]) {
      const answer = await exchange(
        api.rest.url,
        `GET /_engine${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      );
      expect([200, 400, 404]).toContain(answer.status);
      expect(() => JSON.parse(answer.body) as unknown).not.toThrow();
    }
  });

  test.each([
    [`/_search?filter_path=${'**.a,'.repeat(500)}`, 200],
    [`/_search?filter_path=${'*a*b*c*d'.repeat(500)}`, 200],
    [`/_search?_source_includes=${'*a*b*c*d'.repeat(500)}`, 200],
    [`/_mapping/field/${'*a*b*c*d'.repeat(500)}`, 200],
    [`/_cat/indices?h=${'*a*b*c*d'.repeat(500)}`, 200],
    ['/_search/scroll/../../x', 400],
    ['/_search/scroll?scroll_id=__proto__', 400],
    ['/_nodes/__proto__/constructor', 400],
  ])('a pattern that would cost much is answered: %s', async (path, status) => {
    const answer = await exchange(api.rest.url, `GET /_engine${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
  });
});
