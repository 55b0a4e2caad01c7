import { Client as Client9 } from '@elastic/elasticsearch';
import { Client as OpenSearchClient } from '@opensearch-project/opensearch';
import { Client as Client8 } from 'es8';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { numbered, startEngineRest } from './engine-harness.js';
import type { EngineHarness } from './engine-harness.js';

/** The official JavaScript clients with their own helpers, each in the version that a user installs today. */
const COUNT = 250;
const KEY = 'a key of the service';

let api: EngineHarness;

beforeAll(async () => {
  // As a service that others reach is set up: below a path, with keys.
  api = await startEngineRest({ url: 'http://127.0.0.1:0/crawler', apiKeys: [KEY] });
  await api.write(numbered(COUNT));
  await api.write({ f: { path: { real: '/docs', virtual: '/' } } }, 'job_folder');
});

afterAll(() => api.close());

interface Doc {
  readonly content: string;
  readonly file: { readonly filename: string; readonly filesize: number };
}
const query = { match: { content: 'lighthouse' } };
const ALL = Object.keys(numbered(COUNT)).sort();

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

describe.each([
  ['@elastic/elasticsearch 8', () => new Client8({ node: api.node, auth: { username: 'x', password: KEY } })],
  ['@elastic/elasticsearch 9', () => new Client9({ node: api.node, auth: { bearer: KEY } })],
])('%s', (_name, connect) => {
  // The two have the same surface here; one type stands for both.
  let client: Client9;

  beforeAll(() => {
    client = connect() as unknown as Client9;
  });

  afterAll(() => client.close());

  test('helpers.search gives documents', async () => {
    const documents = await client.helpers.search<Doc>({ index: 'job', query, size: 5 });
    expect(documents).toHaveLength(5);
    expect(documents[0]?.content).toContain('lighthouse');
  });

  test('helpers.scrollDocuments reads every document', async () => {
    const documents = await collect(client.helpers.scrollDocuments<Doc>({ index: 'job_docs', query, size: 60 }));
    expect(new Set(documents.map(({ file }) => file.filename)).size).toBe(COUNT);
  });

  test('helpers.scrollSearch reads every page, in an order, and closes its scroll', async () => {
    const sort = [{ 'file.filesize': 'desc' as const }];
    const pages = await collect(client.helpers.scrollSearch<Doc>({ index: 'job_docs', size: 100, sort }));
    expect(pages.map(({ documents }) => documents.length)).toEqual([100, 100, 50]);
    const sizes = pages.flatMap(({ documents }) => documents.map(({ file }) => file.filesize));
    expect(sizes).toEqual([...sizes].sort((left, right) => right - left));
    expect((await client.clearScroll({ scroll_id: '_all' })).num_freed).toBe(0);
  });

  test('helpers.msearch answers searches that are asked one by one', async () => {
    const helper = client.helpers.msearch({ flushInterval: 5 });
    const [found, missing] = await Promise.allSettled([
      helper.search<Doc>({ index: 'job_docs' }, { query, size: 3 }),
      helper.search<Doc>({ index: 'none' }, { query }),
    ]);
    helper.stop();
    expect(found).toMatchObject({ status: 'fulfilled', value: { documents: [{}, {}, {}] } });
    expect(missing).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('none') } });
  });

  test('points in time are read with search_after', async () => {
    const { id } = await client.openPointInTime({ index: 'job_docs', keep_alive: '1m' });
    const ids: (string | undefined)[] = [];
    for (let after: readonly unknown[] | undefined; ;) {
      const page = await client.search<Doc>({
        pit: { id, keep_alive: '1m' },
        size: 80,
        sort: [{ 'file.filesize': 'asc' }],
        ...(after === undefined ? {} : { search_after: after as number[] }),
      });
      ids.push(...page.hits.hits.map((hit) => hit._id));
      after = page.hits.hits.at(-1)?.sort;
      if (after === undefined) break;
    }
    expect(ids.sort()).toEqual(ALL);
    expect(await client.closePointInTime({ id })).toMatchObject({ num_freed: 1 });
  });

  test('near spellings, suggestions, groups and filters behind the aggregations', async () => {
    const found = await client.search<Doc>({
      index: 'job',
      query: { match: { content: { query: 'lighthuose', fuzziness: 'AUTO' } } },
      post_filter: { term: { 'file.extension': 'pdf' } },
      min_score: 0,
      collapse: { field: 'file.extension' },
      aggs: { types: { terms: { field: 'file.extension' } } },
      suggest: { meant: { text: 'lighthuose', term: { field: 'content' } } },
    });
    expect(found.hits.total).toEqual({ value: Math.ceil(COUNT / 3), relation: 'eq' });
    expect(found.hits.hits.map(({ fields }) => fields)).toEqual([{ 'file.extension': ['pdf'] }]);
    expect(found.aggregations).toMatchObject({ types: { buckets: [{ key: 'txt' }, { key: 'pdf' }] } });
    expect(found.suggest).toMatchObject({
      meant: [{ text: 'lighthuose', options: [{ text: 'lighthouse', freq: COUNT }] }],
    });
  });

  test('helpers.scrollDocuments reads what a filter behind the query lets pass', async () => {
    const post_filter = { term: { 'file.extension': 'pdf' } };
    const documents = await collect(
      client.helpers.scrollDocuments<Doc>({ index: 'job', query, post_filter, size: 40 }),
    );
    expect(documents).toHaveLength(Math.ceil(COUNT / 3));
  });

  test('mget, and the alias of the job', async () => {
    const { docs } = await client.mget<Doc>({ index: 'job', ids: ['d1', 'none', 'd2'], _source: ['file.filename'] });
    expect(docs).toMatchObject([
      { _index: 'job_docs', _id: 'd1', found: true, _source: { file: { filename: 'f1.txt' } } },
      { _id: 'none', found: false },
      { _id: 'd2', found: true },
    ]);
    expect(await client.indices.getAlias({ name: 'job' })).toEqual({ job_docs: { aliases: { job: {} } } });
    expect(await client.indices.existsAlias({ name: 'job' })).toBe(true);
    expect(await client.indices.existsAlias({ name: 'other' })).toBe(false);
    expect((await client.get<Doc>({ index: 'job', id: 'd1' }))._index).toBe('job_docs');
    expect((await client.count({ index: 'job' })).count).toBe(COUNT);
  });

  test('what a script asks of a cluster before it begins', async () => {
    expect(await client.ping()).toBe(true);
    expect(await client.cluster.health({ wait_for_status: 'yellow', timeout: '5s' })).toMatchObject({
      status: 'green',
    });
    expect(await client.cat.health({ format: 'json' })).toMatchObject([{ status: 'green', cluster: 'job' }]);
    expect(await client.cat.count({ index: 'job_docs', format: 'json' })).toMatchObject([{ count: String(COUNT) }]);
    expect(await client.cat.aliases({ format: 'json' })).toMatchObject([{ alias: 'job', index: 'job_docs' }]);
    expect(await client.indices.refresh({ index: 'job' })).toMatchObject({ _shards: { failed: 0 } });
    expect(await client.indices.stats({ index: 'job', metric: 'docs' })).toMatchObject({
      indices: { job_docs: { primaries: { docs: { count: COUNT } } } },
    });
    expect(await client.indices.getSettings({ index: 'job_docs' })).toMatchObject({
      job_docs: { settings: { index: { number_of_shards: '1' } } },
    });
    expect(await client.indices.getFieldMapping({ index: 'job_docs', fields: 'file.filesize' })).toEqual({
      job_docs: {
        mappings: { 'file.filesize': { full_name: 'file.filesize', mapping: { filesize: { type: 'long' } } } },
      },
    });
    expect(await client.indices.resolveIndex({ name: 'job*' })).toMatchObject({
      indices: [{ name: 'job_docs', aliases: ['job'] }, { name: 'job_folder' }],
      aliases: [{ name: 'job', indices: ['job_docs'] }],
    });
    expect(await client.indices.get({ index: 'job' })).toMatchObject({ job_docs: { aliases: { job: {} } } });
    expect((await client.fieldCaps({ index: 'job', fields: ['file.*'] })).fields).toMatchObject({
      'file.filesize': { long: { aggregatable: true } },
    });
    expect(Object.keys((await client.nodes.info({ metric: 'http' })).nodes)).toHaveLength(1);
  });

  test.each<[string, (writer: Client9) => Promise<unknown>]>([
    [
      'helpers.bulk',
      (writer) =>
        writer.helpers.bulk({ datasource: [{ a: 1 }], onDocument: () => ({ index: { _index: 'job_docs' } }) }),
    ],
    ['update', (writer) => writer.update({ index: 'job_docs', id: 'd1', doc: { a: 1 } })],
    ['delete by query', (writer) => writer.deleteByQuery({ index: 'job_docs', query })],
    ['reindex', (writer) => writer.reindex({ source: { index: 'job_docs' }, dest: { index: 'other' } })],
    ['an index', (writer) => writer.indices.create({ index: 'other' })],
    ['an alias', (writer) => writer.indices.putAlias({ index: 'job_docs', name: 'other' })],
    ['SQL', (writer) => writer.sql.query({ query: 'SELECT 1' })],
  ])('%s is refused by name', async (_name, write) => {
    await expect(write(client)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('not supported'),
    });
    expect((await client.count({ index: 'job_docs' })).count).toBe(COUNT);
  });
});

describe('@opensearch-project/opensearch', () => {
  let client: OpenSearchClient;

  beforeAll(() => {
    client = new OpenSearchClient({ node: api.node, auth: { username: 'x', password: KEY } });
  });

  afterAll(() => client.close());

  test('helpers.scrollDocuments and helpers.msearch', async () => {
    const documents = await collect(client.helpers.scrollDocuments({ index: 'job', body: { query }, size: 60 }));
    expect(documents).toHaveLength(COUNT);
    const helper = client.helpers.msearch({ flushInterval: 5 });
    const answer = await helper.search({ index: 'job' }, { query, size: 2 });
    helper.stop();
    expect(answer.body).toMatchObject({ hits: { hits: [{}, {}] } });
  });

  test('points in time under its own addresses', async () => {
    const { body: opened } = await client.createPit({ index: ['job_docs'], keep_alive: '1m' });
    const id = opened.pit_id;
    const { body: page } = await client.search({ body: { pit: { id }, size: 3, sort: [{ _shard_doc: 'asc' }] } });
    expect(page.hits.hits).toHaveLength(3);
    expect((await client.getAllPits()).body).toMatchObject({ pits: [{ pit_id: id }] });
    expect((await client.deletePit({ body: { pit_id: [id] } })).body).toMatchObject({ pits: [{ successful: true }] });
  });
});
