import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../src/base/clock.js';
import { silentLogger } from '../../src/base/logger.js';
import type { CrawlerState } from '../../src/crawler/control.js';
import type { Health } from '../../src/operations/monitor/monitor.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { Access } from '../../src/rest/access/access.js';
import { KeyRing } from '../../src/rest/access/key-ring.js';
import { Sessions } from '../../src/rest/access/sessions.js';
import { restRoutes } from '../../src/rest/rest-app.js';
import { elasticsearchApiRoutes } from '../../src/rest/routes/elasticsearch-api.js';
import { BaseUrl } from '../../src/rest/base-url.js';
import type { RestContext } from '../../src/rest/rest-options.js';
import type { RestOptions } from '../../src/rest/rest-service.js';
import { Spool } from '../../src/source/spool.js';
import type { ThreadInspector } from '../../src/operations/inspector/thread-inspector.js';
import { InspectedTree } from '../support/inspected-tree.js';
import { ended, inspectorOf } from '../support/inspector-of.js';
import { MemoryIngester } from '../support/memory-ingester.js';
import { INDEX, baseOptions, call, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';
import { resolve, schemaFaults, compileSchema } from './schema-check.js';
import type { Schema } from './schema-check.js';

/** The description and the running service say the same. */
let folder: string;
let engine: EmbeddedEngine;
let rest: RestHarness;
let away: RestHarness;
let description: Schema;
let tree: InspectedTree;
let inspector: ThreadInspector;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  engine = new EmbeddedEngine({ directory: folder, baseUrl: () => rest.url, version: '1', logger: silentLogger });
  await engine.prepare(new AbortController().signal);
  const parts: Partial<RestOptions> = { engine, ingester: new MemoryIngester(engine, INDEX), maxUploadBytes: 100_000 };
  tree = new InspectedTree();
  tree.file('a.txt', 'a file of the job');
  tree.file('a.pdf', 'no pdf');
  await tree.run();
  inspector = inspectorOf(tree);
  rest = await startRest({
    ...parts,
    inspector: () => Promise.resolve(inspector),
    history: { samples: [{ atMs: 1, filesPerSecond: 2.25, queues: { folders: 1, extraction: 0, engine: 3 } }] },
  });
  away = await startRest({ engineReady: () => ({ ready: false, message: 'not yet' }), crawler: undefined });
  await writeFile(join(rest.root, 'a.txt'), 'a file of the job');
  const stored = { kind: 'index' as const, index: INDEX, document: STORED };
  const ids = ['stored', rest.ingester.idOf('stored')];
  await engine.write(
    ids.map((id) => ({ ...stored, id })),
    new AbortController().signal,
  );
  description = (await call(`${rest.url}/_openapi.json`)).body;
});

afterAll(async () => {
  await Promise.all([rest.close(), away.close()]);
  await inspector.close();
  tree.dispose();
  await engine.close();
  await rm(folder, { recursive: true });
});

type Operation = Readonly<Record<string, unknown>> & { readonly responses: Readonly<Record<string, Schema>> };

const METHODS = ['get', 'head', 'post', 'put', 'delete'];

function operations(): { path: string; method: string; operation: Operation }[] {
  return Object.entries(description['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

const form = (fields: Record<string, string | Blob>): FormData => {
  const result = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') result.append(name, value);
    else result.append(name, value, 'a.txt');
  }
  return result;
};
const document = (size = 10): FormData => form({ file: new Blob(['x'.repeat(size)]), tags: '{"external":{"a":1}}' });
const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const pageSends = (body: string): RequestInit => ({ headers: { 'x-crawler-page': '1' }, body });

/** A document whose file the index keeps. */
const STORED = {
  content: 'its source is stored',
  attachment: Buffer.from('source').toString('base64'),
  file: { filename: 'stored', last_modified: '2026-01-01T00:00:00.000Z' },
};
const STORED_TAG = { 'if-none-match': `"6-${Date.parse('2026-01-01T00:00:00.000Z').toString(16)}"` };
const range = (value: string): RequestInit => ({ headers: { range: value } });

interface Exercise {
  /** Operation and status that the request is to show. */
  readonly shows: string;
  readonly url?: string;
  readonly init?: RequestInit;
  readonly state?: CrawlerState;
  /** Ask the service whose engine is not there and which has no crawler. */
  readonly away?: true;
  readonly clearFailure?: string;
  readonly health?: Health;
  /** Waited for before the request. */
  readonly once?: () => Promise<void>;
}

const local = { type: 'local', local: { url: 'a.txt' } };
const broken = json('{bad');

const EXERCISES: readonly Exercise[] = [
  { shows: 'get / 200' },
  { shows: 'get /_openapi.json 200' },
  { shows: 'get /_session 200' },
  { shows: 'post /_session 403', init: json({ key: 'any' }) },
  { shows: 'post /_session 401', init: pageSends('{"key":"any"}') },
  { shows: 'post /_session 400', init: pageSends('{}') },
  { shows: 'delete /_session 200' },
  { shows: 'post /_document 200', init: { body: document() } },
  { shows: 'post /_document 200', url: '/_document?debug=true', init: { body: document() } },
  { shows: 'post /_document 200', url: '/_document?simulate=true', init: json(local) },
  { shows: 'post /_document 200', init: json({ type: 'local', local: { url: 'none' } }) },
  { shows: 'post /_document 200', init: { body: form({ other: 'x' }) } },
  { shows: 'post /_document 200', init: { body: form({ file: new Blob(['LOCKED x\nsecret']) }) } },
  { shows: 'post /_document 400', init: broken },
  { shows: 'post /_document 413', init: { body: document(200_000) } },
  { shows: 'post /_document 415', init: { body: 'x' } },
  { shows: 'post /_document 503', init: json(local), away: true },
  { shows: 'put /_document/{id} 200', url: '/_document/one', init: { body: document() } },
  { shows: 'put /_document/{id} 400', url: '/_document/one', init: broken },
  { shows: 'put /_document/{id} 413', url: '/_document/one', init: { body: document(200_000) } },
  { shows: 'put /_document/{id} 415', url: '/_document/one', init: { body: 'x' } },
  { shows: 'put /_document/{id} 503', url: '/_document/one', init: json(local), away: true },
  { shows: 'delete /_document 200', url: '/_document?filename=a.txt' },
  { shows: 'delete /_document 200', url: '/_document?filename=none' },
  { shows: 'delete /_document 200', url: '/_document' },
  { shows: 'delete /_document 400', url: '/_document?filename=x&index=' },
  { shows: 'delete /_document 503', url: '/_document?filename=x', away: true },
  { shows: 'delete /_document/{id} 200', url: '/_document/none' },
  { shows: 'delete /_document/{id} 400', url: '/_document/x?index=' },
  { shows: 'delete /_document/{id} 503', url: '/_document/x', away: true },
  ...(['RUNNING', 'PAUSED', 'STOPPED', 'COMPLETED', 'ERROR'] as const).map((state) => ({
    shows: 'get /_crawler/status 200',
    state,
  })),
  { shows: 'get /_crawler/status 200', away: true },
  { shows: 'post /_crawler/pause 200', state: 'RUNNING' },
  { shows: 'post /_crawler/pause 400', state: 'STOPPED' },
  { shows: 'post /_crawler/resume 200', state: 'PAUSED' },
  { shows: 'post /_crawler/resume 400', state: 'STOPPED' },
  { shows: 'post /_crawler/acknowledge 200' },
  { shows: 'post /_crawler/approve 200', state: 'PAUSED' },
  { shows: 'post /_crawler/approve 400', state: 'STOPPED' },
  { shows: 'post /_crawler/approve 400', url: '/_crawler/approve?document=1', state: 'PAUSED' },
  { shows: 'post /_crawler/approve 409', url: '/_crawler/approve?documents=1', state: 'PAUSED' },
  { shows: 'get /_crawler/history 200' },
  { shows: 'get /_crawler/history 400', url: '/_crawler/history?x=1' },
  { shows: 'get /_crawler/why 200', url: '/_crawler/why?path=a.txt' },
  { shows: 'get /_crawler/why 200', url: '/_crawler/why?path=none' },
  { shows: 'get /_crawler/why 200', url: '/_crawler/why?name=a' },
  { shows: 'get /_crawler/why 400' },
  { shows: 'get /_crawler/why 404', url: '/_crawler/why?path=a', away: true },
  { shows: 'get /_crawler/failures 200' },
  { shows: 'get /_crawler/failures 400', url: '/_crawler/failures?reason=x' },
  { shows: 'get /_crawler/failures 404', away: true },
  { shows: 'post /_crawler/failures/retry 200', init: json({ reason: 'encrypted' }) },
  { shows: 'post /_crawler/failures/retry 400', init: json({ reason: 'x' }) },
  { shows: 'post /_crawler/failures/retry 404', init: json({ paths: ['a'] }), away: true },
  { shows: 'get /_crawler/held 200' },
  { shows: 'get /_crawler/held 400', url: '/_crawler/held?size=0' },
  { shows: 'get /_crawler/held 404', away: true },
  ...(['plan', 'verify'] as const).flatMap((name): Exercise[] => [
    { shows: `get /_crawler/${name} 200` },
    { shows: `get /_crawler/${name} 400`, url: `/_crawler/${name}?x=1` },
    { shows: `get /_crawler/${name} 404`, away: true },
    { shows: `post /_crawler/${name} 202` },
    { shows: `post /_crawler/${name} 400`, url: `/_crawler/${name}?x=1` },
    { shows: `post /_crawler/${name} 404`, away: true },
    { shows: `get /_crawler/${name} 200`, once: () => ended(inspector[name]) },
    { shows: `delete /_crawler/${name} 200` },
    { shows: `delete /_crawler/${name} 400`, url: `/_crawler/${name}?x=1` },
    { shows: `delete /_crawler/${name} 404`, away: true },
  ]),
  { shows: 'delete /_crawler/checkpoint 200', state: 'PAUSED' },
  { shows: 'delete /_crawler/checkpoint 400', state: 'RUNNING' },
  { shows: 'delete /_crawler/checkpoint 404', away: true },
  { shows: 'delete /_crawler/checkpoint 500', state: 'PAUSED', clearFailure: 'no' },
  { shows: 'get /_health 200' },
  { shows: 'get /_health 503', health: { engine: 'away', stuck: false } },
  { shows: 'get /_health 503', health: { engine: 'up', stuck: true } },
  { shows: 'get /_metrics 200' },
  { shows: 'get /_search 200', url: '/_search?q=document+xxxxxxxxxx' },
  { shows: 'get /_search 200', url: '/_search?size=3&from=0' },
  { shows: 'get /_search 400', url: '/_search?size=x' },
  { shows: 'get /_search 503', url: '/_search', away: true },
  { shows: 'get /_find 200', url: '/_find?q=document' },
  { shows: 'get /_find 200', url: '/_find?size=1&sort=name&count=exact' },
  { shows: 'get /_find 400', url: '/_find?q=%22' },
  { shows: 'get /_find 503', away: true },
  { shows: 'get /_find/facets 200' },
  { shows: 'get /_find/facets 400', url: '/_find/facets?facets=x' },
  { shows: 'get /_find/facets 503', away: true },
  { shows: 'get /_find/suggestions 200', url: '/_find/suggestions?q=document+nothinglikethis' },
  { shows: 'get /_find/suggestions 400', url: '/_find/suggestions?sort=x' },
  { shows: 'get /_find/suggestions 503', away: true },
  ...['', '/text', '/matches'].flatMap((part): Exercise[] => [
    { shows: `get /_document/{id}${part} 200`, url: `/_document/stored${part}` },
    { shows: `get /_document/{id}${part} 400`, url: `/_document/stored${part}?x=1` },
    { shows: `get /_document/{id}${part} 404`, url: `/_document/none${part}` },
    { shows: `get /_document/{id}${part} 503`, url: `/_document/stored${part}`, away: true },
  ]),
  { shows: 'get /_document/{id}/text 200', url: '/_document/stored/text?q=source&page=1' },
  { shows: 'get /_document/{id}/matches 200', url: '/_document/stored/matches?q=source' },
  { shows: 'get /_document 200', url: '/_document?filename=stored' },
  { shows: 'get /_document 400' },
  { shows: 'get /_document 404', url: '/_document?filename=none' },
  { shows: 'get /_document 503', url: '/_document?filename=x', away: true },
  { shows: 'get /_document/{id}/original 200', url: '/_document/stored/original' },
  { shows: 'get /_document/{id}/original 206', url: '/_document/stored/original', init: range('bytes=1-2') },
  { shows: 'get /_document/{id}/original 304', url: '/_document/stored/original', init: { headers: STORED_TAG } },
  { shows: 'get /_document/{id}/original 400', url: '/_document/stored/original?disposition=x' },
  { shows: 'get /_document/{id}/original 404', url: '/_document/none/original' },
  { shows: 'get /_document/{id}/original 416', url: '/_document/stored/original', init: range('bytes=99-') },
  { shows: 'get /_document/{id}/original 503', url: '/_document/stored/original', away: true },
  { shows: 'get /_engine 200' },
  { shows: 'get /_engine/_search 200' },
  { shows: 'get /_engine/_search 400', url: '/_engine/_search?routing=x' },
  { shows: 'post /_engine/_search 200', init: json({ query: { match_all: {} } }) },
  { shows: 'post /_engine/_search 400', init: broken },
  { shows: 'get /_engine/{index}/_search 200', url: `/_engine/${INDEX}/_search?q=x*` },
  { shows: 'get /_engine/{index}/_search 400', url: `/_engine/${INDEX}/_search?size=x` },
  { shows: 'get /_engine/{index}/_search 404', url: '/_engine/none/_search' },
  {
    shows: 'post /_engine/{index}/_search 200',
    url: `/_engine/${INDEX}/_search`,
    init: json({ aggs: { e: { terms: { field: 'file.extension' } } } }),
  },
  { shows: 'post /_engine/{index}/_search 400', url: `/_engine/${INDEX}/_search`, init: json({ script_fields: {} }) },
  { shows: 'post /_engine/{index}/_search 404', url: '/_engine/none/_search' },
  { shows: 'get /_engine/_count 200' },
  { shows: 'get /_engine/_count 400', url: '/_engine/_count?terminate_after=1' },
  { shows: 'post /_engine/_count 200', init: json({ query: { match_all: {} } }) },
  { shows: 'post /_engine/_count 400', init: json({ size: 1 }) },
  { shows: 'get /_engine/{index}/_count 200', url: `/_engine/${INDEX}/_count` },
  { shows: 'get /_engine/{index}/_count 400', url: `/_engine/${INDEX}/_count?x=1` },
  { shows: 'get /_engine/{index}/_count 404', url: '/_engine/none/_count' },
  { shows: 'post /_engine/{index}/_count 200', url: `/_engine/${INDEX}/_count` },
  { shows: 'post /_engine/{index}/_count 400', url: `/_engine/${INDEX}/_count`, init: broken },
  { shows: 'post /_engine/{index}/_count 404', url: '/_engine/none/_count' },
  { shows: 'get /_engine/_mapping 200' },
  { shows: 'get /_engine/{index}/_mapping 200', url: `/_engine/${INDEX}/_mapping` },
  { shows: 'get /_engine/{index}/_mapping 404', url: '/_engine/none/_mapping' },
  { shows: 'get /_engine/_cat/indices 200' },
  { shows: 'get /_engine/_cat/indices 200', url: '/_engine/_cat/indices?format=json' },
  { shows: 'get /_engine/_cat/indices 400', url: '/_engine/_cat/indices?format=yaml' },
  { shows: 'get /_engine/_cat/indices/{index} 200', url: `/_engine/_cat/indices/${INDEX}` },
  { shows: 'get /_engine/_cat/indices/{index} 400', url: `/_engine/_cat/indices/${INDEX}?h=foo` },
  { shows: 'get /_engine/_cat/indices/{index} 404', url: '/_engine/_cat/indices/none' },
  { shows: 'get /_engine/{index}/_doc/{id} 200', url: `/_engine/${INDEX}/_doc/one` },
  { shows: 'get /_engine/{index}/_doc/{id} 400', url: `/_engine/${INDEX}/_doc/one?routing=x` },
  { shows: 'get /_engine/{index}/_doc/{id} 404', url: `/_engine/${INDEX}/_doc/none` },
  { shows: 'get /_engine/{index}/_doc/{id} 404', url: '/_engine/none/_doc/none' },
  { shows: 'get /_engine/{index}/_source/{id} 200', url: `/_engine/${INDEX}/_source/one` },
  { shows: 'get /_engine/{index}/_source/{id} 404', url: `/_engine/${INDEX}/_source/none` },
  { shows: 'get /_engine/{index} 200', url: `/_engine/${INDEX}` },
  { shows: 'get /_engine/{index} 404', url: '/_engine/none' },
  ...engineExercises(),
];

/** What is asked of every index, of one, and of some of its parts. */
function engineExercises(): Exercise[] {
  const lines = { headers: { 'content-type': 'application/x-ndjson' }, body: '{}\n{"size":0}\n' };
  const get = (path: string, url = path): Exercise => ({ shows: `get /_engine${path} 200`, url: `/_engine${url}` });
  const post = (path: string, url: string, init: RequestInit = {}): Exercise => ({
    shows: `post /_engine${path} 200`,
    url: `/_engine${url}`,
    init,
  });
  const everywhere = ['_settings', '_alias', '_stats', '_refresh', '_field_caps'].flatMap((name) => [
    get(`/${name}`, `/${name}${name === '_field_caps' ? '?fields=*' : ''}`),
    get(`/{index}/${name}`, `/${INDEX}/${name}${name === '_field_caps' ? '?fields=*' : ''}`),
  ]);
  const parts = [
    ['_settings', 'names', 'index.uuid'],
    ['_alias', 'names', 'job'],
    ['_stats', 'metrics', 'docs'],
    ['_mapping/field', 'fields', 'content'],
  ].flatMap(([name = '', part = '', value = '']) => [
    get(`/${name}/{${part}}`, `/${name}/${value}`),
    get(`/{index}/${name}/{${part}}`, `/${INDEX}/${name}/${value}`),
  ]);
  const cat = ['health', 'count', 'shards', 'aliases', 'nodes'].map((name) => get(`/_cat/${name}`));
  return [
    ...everywhere,
    ...parts,
    ...cat,
    get('/_cat/health', '/_cat/health?format=json'),
    get('/_cat/count/{index}', `/_cat/count/${INDEX}`),
    get('/_cat/shards/{index}', `/_cat/shards/${INDEX}`),
    get('/_cat/aliases/{names}', '/_cat/aliases/job'),
    post('/_cat/count', '/_cat/count'),
    post('/_cat/count/{index}', `/_cat/count/${INDEX}`),
    get('/_cluster/health'),
    get('/_cluster/health/{index}', `/_cluster/health/${INDEX}`),
    get('/_cluster/settings'),
    get('/_cluster/stats'),
    get('/_nodes'),
    get('/_nodes/{node}', '/_nodes/http'),
    get('/_nodes/{node}/{metrics}', '/_nodes/_all/http'),
    get('/_resolve/index/{index}', '/_resolve/index/*'),
    post('/_refresh', '/_refresh'),
    post('/{index}/_refresh', `/${INDEX}/_refresh`),
    post('/_field_caps', '/_field_caps', json({ fields: ['*'] })),
    post('/{index}/_field_caps', `/${INDEX}/_field_caps`, json({ fields: ['*'] })),
    post('/_msearch', '/_msearch', lines),
    post('/{index}/_msearch', `/${INDEX}/_msearch`, lines),
    post('/_mget', '/_mget', json({ docs: [{ _index: INDEX, _id: 'one' }] })),
    post('/{index}/_mget', `/${INDEX}/_mget`, json({ ids: ['one'] })),
    post('/{index}/_pit', `/${INDEX}/_pit?keep_alive=1m`),
    post('/{index}/_search/point_in_time', `/${INDEX}/_search/point_in_time?keep_alive=1m`),
    get('/_search/point_in_time/_all'),
    { shows: 'delete /_engine/_search/point_in_time/_all 200' },
    { shows: 'delete /_engine/_search/scroll/{scroll_id} 200', url: '/_engine/_search/scroll/_all' },
    { shows: 'delete /_engine/_search/scroll 200', init: json({ scroll_id: '_all' }) },
    {
      shows: 'delete /_engine/_search/point_in_time 200',
      init: json({ pit_id: ['AAAAAAAAAAAAAAAAAAAAAA'] }),
    },
  ];
}

/**
 * An exercise would need a job of another kind (test/rest/elasticsearch-api.test.ts), keys (test/rest/session.test.ts), or the
 * protocol of assistants (test/mcp).
 */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['', '/_search', '/_count', '/_mapping', '/_cat/indices'].flatMap((path) => [
    `get /_engine${path} 404`,
    `post /_engine${path} 404`,
  ]),
  // test/rest/inspect.test.ts
  ...['plan 409', 'verify 409', 'verify 503'].map((each) => `post /_crawler/${each}`),
  'post /_session 200',
  'post /mcp 200',
  'post /mcp 202',
]);

/** Bodies with GET, which fetch does not send, and what needs the id of an answer: the tests of the API show them. */
const SHOWN_BY_CLIENTS: ReadonlySet<string> = new Set([
  ...['/_msearch', '/{index}/_msearch', '/_mget', '/{index}/_mget'].map((path) => `get /_engine${path} 200`),
  ...['get', 'post'].flatMap((method) => [
    `${method} /_engine/_search/scroll 200`,
    `${method} /_engine/_search/scroll/{scroll_id} 200`,
  ]),
  'delete /_engine/_pit 200',
]);

async function perform({
  shows,
  url,
  init = {},
  state,
  away: isAway,
  clearFailure,
  health,
  once,
}: Exercise): Promise<Answer> {
  await once?.();
  const [method = '', path = ''] = shows.split(' ');
  const service = isAway === true ? away : rest;
  if (state !== undefined) {
    const ran = state !== 'STOPPED';
    service.crawler.become({
      state,
      scanStartMs: ran ? Date.now() - 100_000 : undefined,
      scanId: ran ? 'scan' : undefined,
    });
  }
  service.crawler.clearFailure = clearFailure;
  service.monitor.condition = health ?? { engine: 'up', stuck: false };
  return call(service.url + (url ?? path), { method: method.toUpperCase(), ...init });
}

function responseFor(shows: string): Schema | undefined {
  const [method, path, status = ''] = shows.split(' ');
  const found = operations().find((each) => each.method === method && each.path === path)?.operation.responses[status];
  return typeof found?.['$ref'] === 'string' ? resolve(found['$ref'], description) : found;
}

/** Of parameters, bodies and answers. */
function schemasIn(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
    name === 'schema' ? [value as Schema, ...schemasIn(value)] : schemasIn(value),
  );
}

describe('the description', () => {
  test('is OpenAPI 3.1 with the version and the address of the service', () => {
    expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' }, servers: [{ url: rest.url }] });
  });

  test('lists what the service answers, and nothing else', () => {
    const context = {
      ...emptyContext(),
      crawler: rest.crawler,
      monitor: rest.monitor,
      engine,
      ingester: rest.ingester,
      mcp: () => Promise.reject(new Error('not asked for')),
    };
    const api = elasticsearchApiRoutes(context).map(({ method, path }) => ({
      method,
      path: `/_engine${path}`.replace(/\/$/, ''),
    }));
    const served = [...restRoutes(context), ...api].map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    const described = operations().map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...served].sort());
  });

  test('has only references that lead somewhere, and one operationId each', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference = '']) => reference,
    );
    for (const reference of references) expect(resolve(reference, description)).toBeDefined();
    const ids = operations().flatMap(({ operation }) => operation['operationId'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('holds no schema that JSON Schema does not know', () => {
    const schemas = [
      ...schemasIn(description),
      ...Object.values(resolve('#/components/schemas', description) as Readonly<Record<string, Schema>>),
    ];
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) expect(() => compileSchema(schema, description)).not.toThrow();
  });

  test.each([
    '/_find',
    ...['/_find/facets', '/_find/suggestions', '/_document'],
    ...['', '/text', '/matches', '/original'].map((part) => `/_document/{id}${part}`),
    ...['history', 'why', 'failures', 'plan', 'verify', 'held'].map((name) => `/_crawler/${name}`),
  ])('names the parameters that GET %s takes, and it takes no others', async (path) => {
    const found = operations().find((each) => each.method === 'get' && each.path === path)?.operation['parameters'];
    const named = ((found ?? []) as Schema[])
      .map((each) => (typeof each['$ref'] === 'string' ? resolve(each['$ref'], description) : each))
      .filter((each) => each['in'] === 'query')
      .map((each) => each['name']);
    const { status, body } = await call(`${rest.url}${path.replace('{id}', 'stored')}?zzzzzz=1`);
    const message = String(body['message']);
    const [, taken] = /It (?:knows (.+)|takes none)\.$/.exec(message) ?? [];
    expect([status, message]).toEqual([400, expect.stringContaining('There is no parameter [zzzzzz] here. It ')]);
    expect(taken?.split(', ').sort() ?? []).toEqual(named.sort());
  });

  test('is exercised below in every status that it names', () => {
    const named = operations().flatMap(({ path, method, operation }) =>
      Object.keys(operation.responses)
        .filter((status) => status !== 'default')
        .map((status) => `${method} ${path} ${status}`),
    );
    const shown = new Set(EXERCISES.map(({ shows }) => shows));
    expect(
      named.filter((each) => !shown.has(each) && !SHOWN_ELSEWHERE.has(each) && !SHOWN_BY_CLIENTS.has(each)),
    ).toEqual([]);
  });
});

test.each(EXERCISES.map((exercise): [string, string, Exercise] => [exercise.shows, exercise.url ?? '', exercise]))(
  '%s is as described %s',
  async (shows, _url, exercise) => {
    const answer = await perform(exercise);
    expect(`${shows.split(' ').slice(0, 2).join(' ')} ${answer.status}`).toBe(shows);
    const content = responseFor(shows)?.['content'] as Readonly<Record<string, { schema: Schema }>> | undefined;
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (content === undefined) {
      expect(answer.text).toBe('');
      return;
    }
    expect(Object.keys(content)).toContain(type);
    const value: unknown = type === 'application/json' ? JSON.parse(answer.text) : answer.text;
    expect(schemaFaults(value, content[type]?.schema ?? {}, description)).toEqual([]);
  },
);

function accessOf(): Access {
  const keys = new KeyRing({ apiKeys: [], readKeys: [] });
  return new Access({ keys, sessions: new Sessions(systemClock), cookie: 'crawler_1', allowedHosts: [] });
}

function emptyContext(): Omit<RestContext, 'crawler' | 'monitor' | 'engine' | 'ingester'> {
  return {
    ...baseOptions(),
    spoolDirectory: folder,
    silenceMs: 1000,
    baseUrl: new BaseUrl({ own: 'http://127.0.0.1', prefix: '', listensEverywhere: false }),
    access: accessOf(),
    host: '127.0.0.1',
    loopback: true,
    spool: new Spool(folder, 'requests'),
    fetchSources: new Map(),
    stopping: new AbortController().signal,
  };
}
