import type { Request, Response } from 'express';
import { pathParameter } from '../../route.js';
import type { RestRoute } from '../../route.js';
import { sendApi } from '../api-answer.js';
import { unsupported } from '../api-error.js';
import { namedIn } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { resolveIndices } from '../index-names.js';
import type { Body } from '../json-body.js';
import { UrlParameters } from '../url-parameters.js';

/** What clients and tools ask of a cluster before they search. It has one node, which is well as long as it answers. */
export const COMPATIBLE_VERSION = '9.0.0';
export const NODE = 'crawler';
export const ROLES = ['data', 'data_content', 'master'];

export function clusterEndpoints(api: ApiRequests): readonly RestRoute[] {
  const health: RestRoute['handle'] = (request, response) => answerHealth(api, request, response);
  const nodes: RestRoute['handle'] = (request, response) => answerNodes(api, request, response);
  return [
    { method: 'GET', path: '/', handle: (request, response) => answerInfo(api, request, response) },
    { method: 'GET', path: '/_cluster/health', handle: health },
    { method: 'GET', path: '/_cluster/health/:index', handle: health },
    { method: 'GET', path: '/_cluster/settings', handle: answerSettings },
    { method: 'GET', path: '/_cluster/stats', handle: (request, response) => answerStats(api, request, response) },
    { method: 'GET', path: '/_nodes', handle: nodes },
    { method: 'GET', path: '/_nodes/:node', handle: nodes },
    { method: 'GET', path: '/_nodes/:node/:metrics', handle: nodes },
  ];
}

function answerInfo({ context: { jobName, version } }: ApiRequests, request: Request, response: Response): void {
  new UrlParameters(request, []);
  sendApi(request, response, 200, {
    name: NODE,
    cluster_name: jobName,
    cluster_uuid: 'embedded',
    version: {
      number: COMPATIBLE_VERSION,
      build_flavor: 'embedded',
      build_hash: version,
      build_type: 'embedded',
      build_snapshot: false,
      minimum_wire_compatibility_version: '8.0.0',
      minimum_index_compatibility_version: '8.0.0',
    },
    tagline: 'You Know, for Search',
  });
}

/** What may be waited for is so already, or will never be. */
const WAITING = [
  'wait_for_status',
  'wait_for_active_shards',
  'wait_for_nodes',
  'wait_for_events',
  'wait_for_no_relocating_shards',
  'wait_for_no_initializing_shards',
  'timeout',
];

async function answerHealth(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...WAITING, 'level', 'expand_wildcards']);
  parameters.only('level', ['cluster', 'indices']);
  const known = await api.known(api.signal(response));
  const expression = namedIn(request);
  const indices = resolveIndices(known, expression, { ignoreMissing: true });
  const isMissing = expression !== undefined && !/[*]|^_all$/.test(expression) && indices.length === 0;
  const health = healthOf(api.context.jobName, isMissing ? undefined : indices.length);
  const each = indices.map((index): [string, Body] => [
    index,
    { ...shardCounts(1), number_of_shards: 1, number_of_replicas: 0 },
  ]);
  sendApi(request, response, isMissing ? 408 : 200, {
    ...health,
    ...(parameters.text('level') === 'indices' ? { indices: Object.fromEntries(each) } : {}),
  });
}

/** Of so many indices; undefined for an index that there is not, which a cluster waits for in vain. */
export function healthOf(jobName: string, indices: number | undefined): Body & { readonly status: string } {
  return {
    cluster_name: jobName,
    timed_out: indices === undefined,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...shardCounts(indices ?? 0),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: 100,
    status: indices === undefined ? 'red' : 'green',
  };
}

function shardCounts(shards: number): Body & { readonly status: string } {
  return {
    status: 'green',
    active_primary_shards: shards,
    active_shards: shards,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: 0,
    unassigned_primary_shards: 0,
  };
}

function answerSettings(request: Request, response: Response): void {
  const parameters = new UrlParameters(request, ['flat_settings', 'include_defaults', 'timeout']);
  if (parameters.flag('include_defaults') === true) throw unsupported('[include_defaults]');
  sendApi(request, response, 200, { persistent: {}, transient: {} });
}

async function answerStats(api: ApiRequests, request: Request, response: Response): Promise<void> {
  new UrlParameters(request, ['timeout']);
  const { summaries } = await api.known(api.signal(response));
  const sum = (of: 'documents' | 'bytes'): number => summaries.reduce((total, each) => total + each[of], 0);
  sendApi(request, response, 200, {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: api.context.jobName,
    cluster_uuid: 'embedded',
    timestamp: Date.now(),
    status: 'green',
    indices: {
      count: summaries.length,
      shards: { total: summaries.length, primaries: summaries.length, replication: 0 },
      docs: { count: sum('documents'), deleted: 0 },
      store: { size_in_bytes: sum('bytes'), reserved_in_bytes: 0 },
    },
    nodes: {
      count: { total: 1, ...Object.fromEntries(ROLES.map((role) => [role, 1])) },
      versions: [COMPATIBLE_VERSION],
    },
  });
}

const METRICS = ['_all', '_none', 'http', 'settings'];
/** Ways to name the one node that there is. */
const NODE_NAMES = ['_all', '_local', '_master', '*', NODE];

/** `/_nodes`, `/_nodes/http`, `/_nodes/_all/http`: the first name may be a metric. */
function answerNodes(api: ApiRequests, request: Request, response: Response): void {
  const parameters = new UrlParameters(request, ['flat_settings', 'timeout']);
  if (parameters.flag('flat_settings') === true) throw unsupported('[flat_settings]');
  const named = namesIn(request, 'node');
  const isMetric = request.params['metrics'] === undefined && named.some((name) => METRICS.includes(name));
  const metrics = isMetric ? named : namesIn(request, 'metrics');
  const unknown = metrics.find((metric) => !METRICS.includes(metric));
  if (unknown !== undefined) throw unsupported(`[${unknown}] of _nodes`);
  const isThere = isMetric || named.length === 0 || named.some((name) => NODE_NAMES.includes(name));
  if (!isThere) throw unsupported(`[${named.join(',')}] of _nodes`);
  sendApi(request, response, 200, {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: api.context.jobName,
    nodes: { [NODE]: nodeInfo(api, request, metrics) },
  });
}

function nodeInfo(
  { context: { baseUrl, jobName, version } }: ApiRequests,
  request: Request,
  metrics: readonly string[],
): Body {
  const { host, hostname } = new URL(baseUrl.for(request));
  const wants = (metric: string): boolean =>
    metrics.length === 0 || metrics.includes('_all') || metrics.includes(metric);
  return {
    name: NODE,
    host: hostname,
    ip: hostname,
    version: COMPATIBLE_VERSION,
    build_flavor: 'embedded',
    build_type: 'embedded',
    build_hash: version,
    roles: ROLES,
    ...(wants('settings') ? { settings: { cluster: { name: jobName }, node: { name: NODE } } } : {}),
    ...(wants('http') ? { http: { bound_address: [host], publish_address: host } } : {}),
  };
}

function namesIn(request: Request, parameter: string): readonly string[] {
  return request.params[parameter] === undefined ? [] : pathParameter(request, parameter).split(',');
}
