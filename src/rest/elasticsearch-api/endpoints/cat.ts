import type { Request, Response } from 'express';
import { wildcard } from '../../../base/wildcard.js';
import type { IndexSummary } from '../../../engine/engine.js';
import { pathParameter } from '../../route.js';
import type { RestRoute } from '../../route.js';
import { unsupported } from '../api-error.js';
import { namedIn } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { CAT_PARAMETERS, sendCat } from '../cat-table.js';
import type { CatColumn } from '../cat-table.js';
import { resolveIndices } from '../index-names.js';
import { readBody } from '../json-body.js';
import { UrlParameters } from '../url-parameters.js';
import { COMPATIBLE_VERSION, NODE, healthOf } from './cluster.js';
import { getAndPost } from './search.js';

/** The tables of `_cat` that tools show first. */
export function catEndpoints(api: ApiRequests): readonly RestRoute[] {
  const get = (paths: readonly string[], answer: Answer): RestRoute[] =>
    paths.map((path) => ({ method: 'GET', path, handle: (request, response) => answer(api, request, response) }));
  return [
    ...get(['/_cat/indices', '/_cat/indices/:index'], catIndices),
    ...['/_cat/count', '/_cat/count/:index'].flatMap((path) =>
      getAndPost(path, (request, response) => catCount(api, request, response)),
    ),
    ...get(['/_cat/shards', '/_cat/shards/:index'], catShards),
    ...get(['/_cat/aliases', '/_cat/aliases/:names'], catAliases),
    ...get(['/_cat/health'], catHealth),
    ...get(['/_cat/nodes'], catNodes),
  ];
}

type Answer = (api: ApiRequests, request: Request, response: Response) => Promise<void> | void;

function column<Row>(
  name: string,
  short: string,
  value: CatColumn<Row>['value'],
  options: Partial<CatColumn<Row>> = {},
): CatColumn<Row> {
  return { name, short: short === '' ? [] : short.split(','), value, ...options };
}

const HIDDEN = { hidden: true } as const;
const SIZE = { isSize: true } as const;

const INDEX_COLUMNS: readonly CatColumn<IndexSummary>[] = [
  column('health', 'h', () => 'green'),
  column('status', 's', () => 'open'),
  column('index', 'i,idx', ({ index }) => index),
  column('uuid', 'id', ({ index }) => index),
  column('pri', 'p,shards.primary,shardsPrimary', () => 1),
  column('rep', 'r,shards.replica,shardsReplica', () => 0),
  column('docs.count', 'dc,docsCount', ({ documents }) => documents),
  column('docs.deleted', 'dd,docsDeleted', () => 0),
  column('store.size', 'ss,storeSize', ({ bytes }) => bytes, SIZE),
  column('pri.store.size', '', ({ bytes }) => bytes, SIZE),
  column('dataset.size', '', ({ bytes }) => bytes, { ...SIZE, ...HIDDEN }),
  column('segments.count', 'sc,segmentsCount', () => null, HIDDEN),
  column('creation.date', 'cd', () => null, HIDDEN),
  column('creation.date.string', 'cds', () => null, HIDDEN),
];

async function catIndices(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...CAT_PARAMETERS, 'health', 'pri', 'index']);
  const health = parameters.text('health') ?? 'green';
  const rows = health === 'green' ? await summariesOf(api, request, response, parameters) : [];
  sendCat(request, response, { columns: INDEX_COLUMNS, rows, parameters });
}

async function summariesOf(
  api: ApiRequests,
  request: Request,
  response: Response,
  parameters: UrlParameters,
): Promise<readonly IndexSummary[]> {
  const known = await api.known(api.signal(response));
  const names = resolveIndices(known, namedIn(request) ?? parameters.text('index'));
  return known.summaries.filter(({ index }) => names.includes(index));
}

interface Moment {
  readonly now: Date;
}

const MOMENT_COLUMNS: readonly CatColumn<Moment>[] = [
  column('epoch', 't,time', ({ now }) => Math.floor(now.getTime() / 1000)),
  column('timestamp', 'ts,hms,hhmmss', ({ now }) => now.toISOString().slice(11, 19)),
];

/** Also by POST: clients of Elasticsearch 9.5 ask so. */
async function catCount(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, CAT_PARAMETERS);
  const [member] = Object.keys((await readBody(request, response)) ?? {});
  if (member !== undefined) throw unsupported(`[${member}] in a _cat/count`);
  const summaries = await summariesOf(api, request, response, parameters);
  const count = summaries.reduce((sum, { documents }) => sum + documents, 0);
  const columns: readonly CatColumn<Moment>[] = [
    ...MOMENT_COLUMNS,
    column('count', 'dc,docs.count,docsCount', () => count),
  ];
  sendCat(request, response, { columns, rows: [{ now: new Date() }], parameters });
}

async function catHealth(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, CAT_PARAMETERS);
  const { summaries } = await api.known(api.signal(response));
  const shards = summaries.length;
  const health = healthOf(api.context.jobName, shards);
  const columns: readonly CatColumn<Moment>[] = [
    ...(parameters.flag('ts') === false ? [] : MOMENT_COLUMNS),
    column('cluster', 'cl', () => api.context.jobName),
    column('status', 'st', () => health.status),
    column('node.total', 'nt,nodeTotal', () => 1),
    column('node.data', 'nd,nodeData', () => 1),
    column('shards', 'sh,shards.total,shardsTotal', () => shards),
    column('pri', 'p,shards.primary,shardsPrimary', () => shards),
    ...['relo', 'init', 'unassign', 'unassign.pri', 'pending_tasks'].map((name) => column<Moment>(name, '', () => 0)),
    column('max_task_wait_time', 'mtwt,maxTaskWaitTime', () => '-'),
    column('active_shards_percent', 'asp,activeShardsPercent', () => '100.0%'),
  ];
  sendCat(request, response, { columns, rows: [{ now: new Date() }], parameters });
}

const ALIAS_COLUMNS: readonly CatColumn<readonly [alias: string, index: string]>[] = [
  column('alias', 'a', ([alias]) => alias),
  column('index', 'i,idx', ([, index]) => index),
  column('filter', 'f,fi', () => '-'),
  column('routing.index', 'ri,routingIndex', () => '-'),
  column('routing.search', 'rs,routingSearch', () => '-'),
  column('is_write_index', 'w,isWriteIndex', () => '-'),
];

async function catAliases(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, CAT_PARAMETERS);
  const patterns = request.params['names'] === undefined ? ['*'] : pathParameter(request, 'names').split(',');
  const { aliases } = await api.known(api.signal(response));
  const rows = [...aliases].filter(([alias]) => patterns.some((pattern) => wildcard(pattern)(alias)));
  sendCat(request, response, { columns: ALIAS_COLUMNS, rows, parameters });
}

const SHARD_COLUMNS: readonly CatColumn<IndexSummary>[] = [
  column('index', 'i,idx', ({ index }) => index),
  column('shard', 's,sh', () => 0),
  column('prirep', 'p,pr,primaryOrReplica', () => 'p'),
  column('state', 'st', () => 'STARTED'),
  column('docs', 'd,dc', ({ documents }) => documents),
  column('store', 'sto', ({ bytes }) => bytes, SIZE),
  column('ip', '', () => null),
  column('node', 'n', () => NODE),
  column('unassigned.reason', 'ur', () => null, HIDDEN),
];

async function catShards(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, CAT_PARAMETERS);
  const rows = await summariesOf(api, request, response, parameters);
  sendCat(request, response, { columns: SHARD_COLUMNS, rows, parameters });
}

/** What a node of Elasticsearch reports about its machine is left out here. */
const NODE_COLUMNS: readonly CatColumn<string>[] = [
  column('ip', 'i', (ip) => ip),
  ...['heap.percent', 'ram.percent', 'cpu', 'load_1m', 'load_5m', 'load_15m'].map((name) =>
    column<string>(name, '', () => null),
  ),
  column('node.role', 'r,role,nodeRole', () => 'dm'),
  column('master', 'm', () => '*'),
  column('name', 'n', () => NODE),
  column('id', 'nodeId', () => NODE, HIDDEN),
  column('version', 'v', () => COMPATIBLE_VERSION, HIDDEN),
  ...[
    'heap.current',
    'heap.max',
    'ram.current',
    'ram.max',
    'disk.used_percent',
    'disk.used',
    'disk.total',
    'disk.avail',
    'uptime',
    'shards',
  ].map((name) => column<string>(name, '', () => null, HIDDEN)),
];

function catNodes(api: ApiRequests, request: Request, response: Response): void {
  const parameters = new UrlParameters(request, [...CAT_PARAMETERS, 'full_id', 'include_unloaded_segments']);
  const { hostname } = new URL(api.context.baseUrl.for(request));
  sendCat(request, response, { columns: NODE_COLUMNS, rows: [hostname], parameters });
}
