import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { numbered, startEngineRest } from './engine-harness.js';
import type { EngineHarness } from './engine-harness.js';

/**
 * What tools ask of Elasticsearch when they are opened, as recorded from their sources: elasticvue 1.10, Searchkit 4 and
 * Kibana 9. What only reads is answered; what writes, or needs a licence, is refused by name.
 */
const COUNT = 30;

let api: EngineHarness;

beforeAll(async () => {
  api = await startEngineRest();
  await api.write(numbered(COUNT));
  await api.write({ f: { path: { real: '/docs', virtual: '/' } } }, 'job_folder');
});

afterAll(() => api.close());

type Recorded = readonly [what: string, method: string, path: string, body: unknown, answer: unknown];

/** Every request of elasticvue has these headers, those without a body too. */
const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

function ask(
  [, method, path, body]: Recorded,
  contentType = HEADERS['content-type'],
): Promise<{ status: number; body: unknown }> {
  return api.ask(path, {
    method,
    headers: { ...HEADERS, 'content-type': contentType },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const EVERYTHING = { query: { query_string: { query: '*', fields: ['*', '*.*'] } }, size: 10, from: 0, sort: [] };

const ELASTICVUE: readonly Recorded[] = [
  ['connects', 'GET', '/', undefined, { cluster_name: 'job', version: { number: '9.0.0' } }],
  ['tests the connection', 'POST', '/_search', { size: 0 }, { hits: { total: { value: COUNT + 1 }, hits: [] } }],
  [
    'shows the health',
    'GET',
    '/_cluster/health',
    undefined,
    { status: 'green', active_shards: 2, unassigned_shards: 0 },
  ],
  [
    'shows the cluster',
    'GET',
    '/_cluster/stats',
    undefined,
    {
      status: 'green',
      nodes: { count: { total: 1, master: 1, data: 1 } },
      indices: {
        count: 2,
        shards: { total: 2, primaries: 2 },
        docs: { count: COUNT + 1 },
        store: { size_in_bytes: expect.any(Number) },
      },
    },
  ],
  [
    'lists the indices',
    'GET',
    '/_cat/indices/?h=index%2Chealth%2Cstatus%2Cuuid%2Cpri%2Crep%2Cdocs.count%2Cstore.size%2Csc%2Ccd&bytes=b&expand_wildcards=all',
    undefined,
    [
      { index: 'job_docs', health: 'green', pri: '1', rep: '0', 'docs.count': String(COUNT), sc: null, cd: null },
      { index: 'job_folder', 'store.size': expect.stringMatching(/^\d+$/) },
    ],
  ],
  ['offers indices to search', 'GET', '/_cat/indices/', undefined, [{ index: 'job_docs' }, { index: 'job_folder' }]],
  ['fits a pattern', 'GET', '/_cat/indices/?index=job_f*&h=index', undefined, [{ index: 'job_folder' }]],
  ['looks for what is not well', 'GET', '/_cat/indices/?h=index&health=yellow', undefined, []],
  [
    'searches',
    'POST',
    '/job_docs/_search',
    EVERYTHING,
    { hits: { total: { value: COUNT }, hits: expect.arrayContaining([]) } },
  ],
  [
    'sorts',
    'POST',
    '/job_docs/_search',
    { ...EVERYTHING, sort: [{ 'file.filesize': 'desc' }] },
    { hits: { total: { value: COUNT } } },
  ],
  ['opens a document', 'GET', '/job_docs/_doc/d1', undefined, { found: true, _id: 'd1' }],
  ['opens an index', 'GET', '/job_docs', undefined, { job_docs: { aliases: { job: {} }, mappings: {}, settings: {} } }],
  [
    'opens its numbers',
    'GET',
    '/job_docs/_stats',
    undefined,
    { indices: { job_docs: { total: { docs: { count: COUNT } } } } },
  ],
  ['opens its aliases', 'GET', '/job_docs/_alias', undefined, { job_docs: { aliases: { job: {} } } }],
  ['refreshes', 'POST', '/job_docs,job_folder/_refresh', undefined, { _shards: { total: 2, failed: 0 } }],
  [
    'lists the nodes',
    'GET',
    '/_cat/nodes?h=ip%2Cid%2Cname%2Cversion%2Cheap.percent%2Cheap.current%2Cheap.max%2Cram.percent%2Cram.current%2Cram.max%2Cnode.role%2Cmaster%2Ccpu%2Cload_1m%2Cload_5m%2Cload_15m%2Cdisk.used_percent%2Cdisk.used%2Cdisk.total%2Cshards&full_id=true',
    undefined,
    [{ ip: '127.0.0.1', id: 'crawler', name: 'crawler', master: '*', 'heap.percent': null }],
  ],
  [
    'and what they are',
    'GET',
    '/_nodes',
    undefined,
    { nodes: { crawler: { settings: { node: { name: 'crawler' } } } } },
  ],
  [
    'lists the shards',
    'GET',
    '/_cat/shards/?h=index%2Cshard%2Cprirep%2Cstate%2Cnode%2Cdocs%2Cstore%2Cip%2Cnode%2Cunassigned.reason',
    undefined,
    [{ index: 'job_docs', shard: '0', prirep: 'p', state: 'STARTED', node: 'crawler', docs: String(COUNT) }, {}],
  ],
  [
    'of indices in an order',
    'GET',
    '/_cat/indices/?h=index%2Chealth%2Cpri%2Crep%2Cstatus&s=health%3Adesc%2Cindex%3Adesc',
    undefined,
    [{ index: 'job_folder' }, { index: 'job_docs' }],
  ],
];

const SEARCHKIT_BODY = {
  aggs: {
    'file.extension': { terms: { field: 'file.extension', size: 10 } },
    'file.filesize$_stats': { stats: { field: 'file.filesize' } },
    'file.filesize$_entries': { terms: { field: 'file.filesize', size: 10 } },
  },
  query: { bool: { filter: [], must: { match_all: {} } } },
  size: 20,
  from: 0,
  _source: { includes: ['file.filename', 'content'] },
  highlight: {
    pre_tags: ['<em>'],
    post_tags: ['</em>'],
    fields: { 'file.filename': { number_of_fragments: 0 }, content: { number_of_fragments: 5, fragment_size: 100 } },
  },
};
const lines = (...objects: readonly object[]): string => objects.map((each) => `${JSON.stringify(each)}\n`).join('');
const PDFS = { bool: { should: [{ term: { 'file.extension': 'pdf' } }] } };

const SEARCHKIT: readonly Recorded[] = [
  [
    'opens, with facets',
    'POST',
    '/_msearch',
    lines({ index: 'job_docs' }, SEARCHKIT_BODY),
    {
      responses: [
        {
          status: 200,
          hits: { total: { value: COUNT } },
          aggregations: {
            'file.extension': {
              buckets: [
                { key: 'txt', doc_count: 20 },
                { key: 'pdf', doc_count: 10 },
              ],
            },
            'file.filesize$_stats': { min: 0 },
          },
        },
      ],
    },
  ],
  [
    'refines by a facet, and counts the others without it',
    'POST',
    '/_msearch',
    lines(
      { index: 'job_docs' },
      { ...SEARCHKIT_BODY, query: { bool: { filter: [PDFS], must: { match_all: {} } } } },
      { index: 'job_docs' },
      { ...SEARCHKIT_BODY, size: 0 },
    ),
    {
      responses: [
        { status: 200, hits: { total: { value: 10 } } },
        { status: 200, hits: { total: { value: COUNT } } },
      ],
    },
  ],
];

const KIBANA: readonly Recorded[] = [
  [
    'asks for the versions of the nodes',
    'GET',
    '/_nodes?filter_path=nodes.*.version%2Cnodes.*.http.publish_address%2Cnodes.*.ip',
    undefined,
    {
      nodes: {
        crawler: { version: '9.0.0', ip: '127.0.0.1', http: { publish_address: expect.stringMatching(/:\d+$/) } },
      },
    },
  ],
  [
    'in its later releases so',
    'GET',
    '/_nodes/_all/_none?filter_path=nodes.*.version',
    undefined,
    { nodes: { crawler: { version: '9.0.0' } } },
  ],
  ['looks for its own indices', 'GET', '/.kibana,.kibana_9.0.0?ignore_unavailable=true', undefined, {}],
  [
    'asks for cluster settings',
    'GET',
    '/_cluster/settings?flat_settings=true',
    undefined,
    { persistent: {}, transient: {} },
  ],
  [
    'lists what a data view can be made of',
    'GET',
    '/_resolve/index/*?expand_wildcards=open',
    undefined,
    { indices: [{ name: 'job_docs' }, { name: 'job_folder' }], aliases: [{ name: 'job', indices: ['job_docs'] }] },
  ],
  [
    'also of other clusters',
    'GET',
    '/_resolve/index/*%3A*?expand_wildcards=open',
    undefined,
    { indices: [], aliases: [] },
  ],
  [
    'reads the fields of a data view',
    'POST',
    '/job*/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=false&include_unmapped=false&include_empty_fields=true',
    { index_filter: { match_all: {} } },
    {
      indices: ['job_docs', 'job_folder'],
      fields: {
        content: { text: { searchable: true, aggregatable: false } },
        'file.filesize': { long: { searchable: true, aggregatable: true, metadata_field: false } },
        'path.virtual.tree': { text: { searchable: true } },
        file: { object: { searchable: false } },
        _id: { _id: { metadata_field: true } },
      },
    },
  ],
  [
    'reads aliases',
    'GET',
    '/job*/_alias?ignore_unavailable=true&allow_no_indices=false',
    undefined,
    { job_docs: {}, job_folder: {} },
  ],
];

/** `[…]` of the reason. */
const REFUSED: readonly Recorded[] = [
  ['elasticvue shows templates', 'GET', '/_index_template', undefined, 'GET /_index_template'],
  ['elasticvue shows repositories', 'GET', '/_snapshot', undefined, 'GET /_snapshot'],
  ['elasticvue clears a cache', 'POST', '/job_docs/_cache/clear', undefined, 'POST /job_docs/_cache/clear'],
  ['elasticvue deletes an index', 'DELETE', '/job_docs', undefined, 'DELETE /job_docs'],
  ['elasticvue saves a document', 'PUT', '/job_docs/_doc/d1?refresh=true', {}, 'PUT /job_docs/_doc/d1'],
  ['Kibana asks for the licence', 'GET', '/_xpack', undefined, 'GET /_xpack'],
  ['Kibana makes its index', 'PUT', '/.kibana_9.0.0_001', {}, 'PUT /.kibana_9.0.0_001'],
  ['Kibana searches in the background', 'POST', '/job_docs/_async_search', {}, 'POST /job_docs/_async_search'],
  [
    'Kibana reads runtime fields',
    'POST',
    '/job_docs/_field_caps?fields=*',
    { runtime_mappings: { a: {} } },
    'runtime_mappings',
  ],
];

describe.each([
  ['elasticvue', ELASTICVUE],
  ['Kibana', KIBANA],
])('%s', (_tool, recorded) => {
  test.each(recorded)('%s', async (...request) => {
    const answer = await ask(request);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(request[4] as object);
  });
});

describe('Searchkit', () => {
  test.each(SEARCHKIT)('%s', async (...request) => {
    const answer = await ask(request);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(request[4] as object);
  });
});

test.each(REFUSED)('%s: refused', async (...request) => {
  expect(await ask(request)).toMatchObject({
    status: 400,
    body: {
      status: 400,
      error: { type: 'illegal_argument_exception', reason: expect.stringContaining(`[${String(request[4])}]`) },
    },
  });
});

test('Kibana is told that a data view fits nothing', async () => {
  const path = '/logs-*/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=false';
  expect(await api.ask(path)).toMatchObject({ status: 404, body: { error: { type: 'index_not_found_exception' } } });
});
