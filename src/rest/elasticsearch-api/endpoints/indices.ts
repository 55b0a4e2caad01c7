import type { Request, Response } from 'express';
import { wildcard } from '../../../base/wildcard.js';
import { pathParameter } from '../../route.js';
import type { RestRoute } from '../../route.js';
import { sendApi } from '../api-answer.js';
import { invalidArgument, unsupported } from '../api-error.js';
import { namedIn, shardsOf } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { fieldsOf } from '../field-mapping.js';
import { resolveIndices } from '../index-names.js';
import type { KnownIndices } from '../index-names.js';
import { without } from '../json-body.js';
import type { Body } from '../json-body.js';
import { INDEX_PARAMETERS, UrlParameters } from '../url-parameters.js';

/** What an index is: its mapping, settings, alias and size. */
export function indexEndpoints(api: ApiRequests): readonly RestRoute[] {
  const get = (paths: readonly string[], answer: Answer): RestRoute[] =>
    paths.map((path) => ({ method: 'GET', path, handle: (request, response) => answer(api, request, response) }));
  const refresh: RestRoute['handle'] = (request, response) => answerRefresh(api, request, response);
  return [
    ...get(['/_mapping', '/:index/_mapping'], answerMapping),
    ...get(['/_mapping/field/:fields', '/:index/_mapping/field/:fields'], answerFieldMapping),
    ...get(['/_settings', '/:index/_settings', '/_settings/:names', '/:index/_settings/:names'], answerSettings),
    ...get(['/_alias', '/:index/_alias', '/_alias/:names', '/:index/_alias/:names'], answerAliases),
    ...get(['/_stats', '/:index/_stats', '/_stats/:metrics', '/:index/_stats/:metrics'], answerStats),
    ...get(['/_resolve/index/:index'], answerResolve),
    ...['/_refresh', '/:index/_refresh'].flatMap((path): RestRoute[] => [
      { method: 'GET', path, handle: refresh },
      { method: 'POST', path, handle: refresh },
    ]),
  ];
}

/** `GET` and `HEAD` of an index itself. Behind all others: its path fits many of theirs. */
export function wholeIndexEndpoints(api: ApiRequests): readonly RestRoute[] {
  return [{ method: 'GET', path: '/:index', handle: (request, response) => answerIndex(api, request, response) }];
}

type Answer = (api: ApiRequests, request: Request, response: Response) => Promise<void>;

async function answerIndex(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const name = pathParameter(request, 'index');
  // Names of indices do not begin so; it is an endpoint that there is not.
  if (name.startsWith('_') && name !== '_all') throw unsupported(`[${request.method} ${request.path}]`);
  const parameters = new UrlParameters(request, [...INDEX_PARAMETERS, ...SETTING_PARAMETERS, 'features']);
  const signal = api.signal(response);
  const known = await api.known(signal);
  const answer: Record<string, unknown> = {};
  for (const index of resolveIndices(known, name, parameters.resolveOptions())) {
    answer[index] = {
      aliases: aliasesOf(known, index),
      mappings: await api.engine.mapping(index, signal),
      settings: shownSettings(index, parameters),
    };
  }
  sendApi(request, response, 200, answer);
}

async function answerMapping(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, INDEX_PARAMETERS);
  const signal = api.signal(response);
  const mappings: Record<string, unknown> = {};
  for (const index of await api.indices(request, signal, parameters.resolveOptions())) {
    mappings[index] = { mappings: await api.engine.mapping(index, signal) };
  }
  sendApi(request, response, 200, mappings);
}

async function answerFieldMapping(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...INDEX_PARAMETERS, 'include_defaults']);
  if (parameters.flag('include_defaults') === true) throw unsupported('[include_defaults]');
  const patterns = pathParameter(request, 'fields').split(',');
  const signal = api.signal(response);
  const answer: Record<string, unknown> = {};
  for (const index of await api.indices(request, signal, parameters.resolveOptions())) {
    const fields = fieldsOf(await api.engine.mapping(index, signal)).filter(
      ({ name, type }) => type !== 'object' && patterns.some((pattern) => wildcard(pattern)(name)),
    );
    const mappings = fields.map(({ name, mapping }): [string, Body] => {
      const own = name.slice(name.lastIndexOf('.') + 1);
      return [name, { full_name: name, mapping: { [own]: mapping } }];
    });
    answer[index] = { mappings: Object.fromEntries(mappings) };
  }
  sendApi(request, response, 200, answer);
}

const SETTING_PARAMETERS = ['flat_settings', 'include_defaults'];

async function answerSettings(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...INDEX_PARAMETERS, ...SETTING_PARAMETERS]);
  const patterns = namesIn(request, 'names') ?? ['*'];
  const answer: Record<string, unknown> = {};
  for (const index of await api.indices(request, api.signal(response), parameters.resolveOptions())) {
    const settings = shownSettings(index, parameters, patterns);
    if (Object.keys(settings).length > 0) answer[index] = { settings };
  }
  sendApi(request, response, 200, answer);
}

/** Texts, as Elasticsearch has them. */
function shownSettings(index: string, parameters: UrlParameters, patterns: readonly string[] = ['*']): Body {
  if (parameters.flag('include_defaults') === true) throw unsupported('[include_defaults]');
  const all = { number_of_shards: '1', number_of_replicas: '0', provided_name: index, uuid: index };
  const settings = Object.entries(all).filter(([name]) =>
    patterns.some((pattern) => pattern === '_all' || wildcard(pattern)(`index.${name}`)),
  );
  if (parameters.flag('flat_settings') === true) {
    return Object.fromEntries(settings.map(([name, value]) => [`index.${name}`, value]));
  }
  return settings.length === 0 ? {} : { index: Object.fromEntries(settings) };
}

async function answerAliases(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, INDEX_PARAMETERS);
  const names = namesIn(request, 'names');
  const known = await api.known(api.signal(response));
  const answer: Record<string, unknown> = {};
  for (const index of resolveIndices(known, namedIn(request), parameters.resolveOptions())) {
    const aliases = aliasesOf(known, index, names);
    if (names === undefined || Object.keys(aliases).length > 0) answer[index] = { aliases };
  }
  const missing = names?.find((name) => !/[*]|^_all$/.test(name) && !known.aliases.has(name));
  if (missing === undefined) sendApi(request, response, 200, answer);
  else sendApi(request, response, 404, { error: `alias [${missing}] missing`, status: 404, ...answer });
}

function aliasesOf({ aliases }: KnownIndices, index: string, names: readonly string[] = ['*']): Body {
  const own = [...aliases].filter(
    ([alias, behind]) => behind === index && names.some((pattern) => pattern === '_all' || wildcard(pattern)(alias)),
  );
  return Object.fromEntries(own.map(([alias]) => [alias, {}]));
}

const METRICS = ['docs', 'store'];

async function answerStats(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...INDEX_PARAMETERS, 'level', 'forbid_closed_indices']);
  parameters.only('level', ['indices', 'cluster']);
  const metrics = statsMetrics(namesIn(request, 'metrics') ?? ['_all']);
  const known = await api.known(api.signal(response));
  const names = resolveIndices(known, namedIn(request), parameters.resolveOptions());
  const summaries = known.summaries.filter(({ index }) => names.includes(index));
  const stats = (documents: number, bytes: number): Body => {
    const all: Body = { docs: { count: documents, deleted: 0 }, store: { size_in_bytes: bytes, reserved_in_bytes: 0 } };
    const shown = Object.fromEntries(metrics.map((metric) => [metric, all[metric]]));
    return { primaries: shown, total: shown };
  };
  const sum = (of: 'documents' | 'bytes'): number => summaries.reduce((total, each) => total + each[of], 0);
  const indices = summaries.map(({ index, documents, bytes }): [string, Body] => [
    index,
    { uuid: index, health: 'green', status: 'open', ...stats(documents, bytes) },
  ]);
  const shards = without(shardsOf(summaries.length), ['skipped']);
  sendApi(request, response, 200, {
    _shards: shards,
    _all: stats(sum('documents'), sum('bytes')),
    ...(parameters.text('level') === 'cluster' ? {} : { indices: Object.fromEntries(indices) }),
  });
}

function statsMetrics(wanted: readonly string[]): readonly string[] {
  if (wanted.includes('_all')) return METRICS;
  const unknown = wanted.find((metric) => !METRICS.includes(metric));
  if (unknown !== undefined) throw unsupported(`The metric [${unknown}] of _stats`);
  return wanted;
}

async function answerResolve(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, INDEX_PARAMETERS);
  const expression = pathParameter(request, 'index');
  const known = await api.known(api.signal(response));
  // Throws for a name that there is not.
  resolveIndices(known, expression, parameters.resolveOptions());
  const fits = (name: string): boolean => expression.split(',').some((part) => part === '_all' || wildcard(part)(name));
  const indices = known.summaries.filter(({ index }) => fits(index));
  const aliases = [...known.aliases].filter(([alias]) => fits(alias));
  sendApi(request, response, 200, {
    indices: indices.map(({ index }) => {
      const own = Object.keys(aliasesOf(known, index));
      return { name: index, ...(own.length === 0 ? {} : { aliases: own }), attributes: ['open'] };
    }),
    aliases: aliases.map(([name, index]) => ({ name, indices: [index] })),
    data_streams: [],
  });
}

/** What has been written is found already. */
async function answerRefresh(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, INDEX_PARAMETERS);
  const indices = await api.indices(request, api.signal(response), parameters.resolveOptions());
  const shards = without(shardsOf(indices.length), ['skipped']);
  sendApi(request, response, 200, { _shards: shards });
}

function namesIn(request: Request, parameter: string): readonly string[] | undefined {
  if (request.params[parameter] === undefined) return undefined;
  const names = pathParameter(request, parameter).split(',');
  if (names.includes('')) throw invalidArgument(`An empty name in [${request.path}]`);
  return names;
}
