import type { Request, Response } from 'express';
import { pathParameter } from '../../route.js';
import type { RestRoute } from '../../route.js';
import { sendApi } from '../api-answer.js';
import { invalidArgument } from '../api-error.js';
import { shardsOf } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { invalidRequest, malformed, readBody, requireBody } from '../json-body.js';
import type { Body } from '../json-body.js';
import type { Cursors, Held } from '../paging/cursors.js';
import { keepAliveMs } from '../paging/keep-alive.js';
import { PointInTime } from '../paging/point-in-time.js';
import { INDEX_PARAMETERS, UrlParameters } from '../url-parameters.js';
import { getAndPost, searchAnswer } from './search.js';

/** Going on with a scroll, points in time of Elasticsearch (`_pit`) and of OpenSearch (`_search/point_in_time`). */
export function pagingEndpoints(api: ApiRequests): readonly RestRoute[] {
  const next = (request: Request, response: Response): Promise<void> => answerNextPage(api, request, response);
  const close = (request: Request, response: Response): Promise<void> => closeScrolls(api, request, response);
  return [
    ...['/_search/scroll', '/_search/scroll/:scroll_id'].flatMap((path): readonly RestRoute[] => [
      ...getAndPost(path, next),
      { method: 'DELETE', path, handle: close },
    ]),
    { method: 'POST', path: '/:index/_pit', handle: (request, response) => openPit(api, request, response) },
    { method: 'DELETE', path: '/_pit', handle: (request, response) => closePit(api, request, response) },
    ...openSearchEndpoints(api),
  ];
}

async function answerNextPage(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, ['scroll', 'scroll_id', 'rest_total_hits_as_int']);
  const body = onlyMembers((await readBody(request, response)) ?? {}, ['scroll', 'scroll_id']);
  const id = body['scroll_id'] ?? inPath(request, 'scroll_id') ?? parameters.text('scroll_id');
  const keepAlive = body['scroll'] ?? parameters.text('scroll');
  if (typeof id !== 'string' || id === '') throw invalidRequest('scrollId is missing');
  if (keepAlive !== undefined && typeof keepAlive !== 'string') throw malformed('[scroll] must be a text');
  const extended = keepAlive === undefined ? undefined : keepAliveMs(keepAlive, 'scroll');
  const signal = api.signal(response);
  const page = await api.scrolls.use(id, extended, (scroll) => scroll.next(signal));
  const form = { totalAsInteger: parameters.flag('rest_total_hits_as_int') ?? false };
  sendApi(request, response, 200, { _scroll_id: id, ...searchAnswer(page, 1, form) });
}

async function closeScrolls(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, ['scroll_id']);
  const body = onlyMembers((await readBody(request, response)) ?? {}, ['scroll_id']);
  const ids = idsOf(body['scroll_id'] ?? (inPath(request, 'scroll_id') ?? parameters.text('scroll_id'))?.split(','));
  if (ids.length === 0) throw invalidRequest('no scroll ids specified');
  const closed = closeEach(api.scrolls, ids);
  const all = ids.includes('_all');
  sendApi(request, response, closed > 0 || all ? 200 : 404, { succeeded: true, num_freed: closed });
}

async function openPit(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const opened = await openPointInTime(api, request, response);
  sendApi(request, response, 200, { id: opened.id, _shards: shardsOf(opened.indices) });
}

async function closePit(api: ApiRequests, request: Request, response: Response): Promise<void> {
  new UrlParameters(request, []);
  const { id } = onlyMembers(await requireBody(request, response), ['id']);
  if (typeof id !== 'string' || id === '') throw invalidArgument('search context id is not provided');
  const closed = closeEach(api.pointsInTime, [id]);
  sendApi(request, response, closed > 0 ? 200 : 404, { succeeded: closed > 0, num_freed: closed });
}

function openSearchEndpoints(api: ApiRequests): readonly RestRoute[] {
  return [
    {
      method: 'POST',
      path: '/:index/_search/point_in_time',
      async handle(request, response) {
        const { id, indices } = await openPointInTime(api, request, response);
        const creationTime = api.pointsInTime.all().find((each) => each.id === id)?.openedMs;
        sendApi(request, response, 200, { pit_id: id, _shards: shardsOf(indices), creation_time: creationTime });
      },
    },
    {
      method: 'DELETE',
      path: '/_search/point_in_time',
      async handle(request, response) {
        new UrlParameters(request, []);
        const { pit_id: id } = onlyMembers(await requireBody(request, response), ['pit_id']);
        const ids = idsOf(id);
        if (ids.length === 0) throw invalidRequest('no pit ids specified');
        sendApi(request, response, 200, { pits: closedPits(api, ids) });
      },
    },
    {
      method: 'GET',
      path: '/_search/point_in_time/_all',
      handle(request, response) {
        new UrlParameters(request, []);
        const pits = api.pointsInTime.all().map(({ id, openedMs, keepAliveMs: keepAlive }) => ({
          pit_id: id,
          creation_time: openedMs,
          keep_alive: keepAlive,
        }));
        sendApi(request, response, 200, { pits });
      },
    },
    {
      method: 'DELETE',
      path: '/_search/point_in_time/_all',
      handle(request, response) {
        new UrlParameters(request, []);
        const ids = api.pointsInTime.all().map(({ id }) => id);
        sendApi(request, response, 200, { pits: closedPits(api, ids) });
      },
    },
  ];
}

function closedPits(api: ApiRequests, ids: readonly string[]): readonly object[] {
  return ids.map((id) => ({ pit_id: id, successful: closeEach(api.pointsInTime, [id]) > 0 }));
}

async function openPointInTime(
  api: ApiRequests,
  request: Request,
  response: Response,
): Promise<{ readonly id: string; readonly indices: number }> {
  const parameters = new UrlParameters(request, [
    ...INDEX_PARAMETERS,
    'keep_alive',
    'allow_partial_search_results',
    'allow_partial_pit_creation',
  ]);
  const [member] = Object.keys((await readBody(request, response)) ?? {});
  if (member !== undefined) throw invalidArgument(`[${member}] in a point in time is not supported`);
  const keepAlive = parameters.text('keep_alive');
  if (keepAlive === undefined) throw invalidRequest('[keep_alive] is not specified');
  const ms = keepAliveMs(keepAlive, 'keep_alive');
  const signal = api.signal(response);
  const indices = await api.indices(request, signal, parameters.resolveOptions());
  const opened = await PointInTime.open(api.engine, indices, signal);
  return { id: api.pointsInTime.open(opened, ms), indices: indices.length };
}

function closeEach<T extends Held>(cursors: Cursors<T>, ids: readonly string[]): number {
  const named = ids.includes('_all') ? cursors.all().map(({ id }) => id) : ids;
  return named.filter((id) => cursors.close(id)).length;
}

function idsOf(value: unknown): readonly string[] {
  const ids = value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
  return ids.map((id) => {
    if (typeof id === 'string' && id !== '') return id;
    throw malformed('An id must be a text');
  });
}

function onlyMembers(body: Body, known: readonly string[]): Body {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidArgument(`Unknown parameter [${unknown}] in request body`);
  return body;
}

function inPath(request: Request, name: string): string | undefined {
  return request.params[name] === undefined ? undefined : pathParameter(request, name);
}
