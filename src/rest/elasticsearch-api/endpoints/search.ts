import type { Request, Response } from 'express';
import { throwIfCancelled } from '../../../base/errors.js';
import type { SearchResponse } from '../../../engine/engine.js';
import { isObject } from '../../json-text.js';
import type { RestRoute } from '../../route.js';
import { loggedFault, sendApi } from '../api-answer.js';
import { invalidArgument, unsupported } from '../api-error.js';
import { namedIn, shardsOf } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { resolveIndices } from '../index-names.js';
import type { KnownIndices } from '../index-names.js';
import { invalidRequest, malformed, readLines } from '../json-body.js';
import type { Body } from '../json-body.js';
import { searchMany } from '../many-indices.js';
import { keepAliveMs } from '../paging/keep-alive.js';
import { Scroll } from '../paging/scroll.js';
import { FORM_PARAMETERS, answerForm, countCall, normalized, searchCall } from '../search-body.js';
import type { AnswerForm } from '../search-body.js';
import { INDEX_PARAMETERS, UrlParameters } from '../url-parameters.js';

/** `_search`, `_msearch`, `_count`. */
export function searchEndpoints(api: ApiRequests): readonly RestRoute[] {
  const search = (request: Request, response: Response): Promise<void> => answerSearch(api, request, response);
  const count = (request: Request, response: Response): Promise<void> => answerCount(api, request, response);
  const many = (request: Request, response: Response): Promise<void> => answerManySearches(api, request, response);
  return [
    ...['/_search', '/:index/_search'].flatMap((path) => getAndPost(path, search)),
    ...['/_msearch', '/:index/_msearch'].flatMap((path) => getAndPost(path, many)),
    ...['/_count', '/:index/_count'].flatMap((path) => getAndPost(path, count)),
  ];
}

export function getAndPost(path: string, handle: RestRoute['handle']): readonly RestRoute[] {
  return [
    { method: 'GET', path, handle },
    { method: 'POST', path, handle },
  ];
}

/** The engine's answer in the shape of the wire. */
export function searchAnswer(
  {
    took,
    timed_out,
    hits,
    ...others
  }: Pick<SearchResponse, 'took' | 'timed_out' | 'hits' | 'aggregations' | 'suggest'>,
  indices: number,
  { totalAsInteger }: AnswerForm,
): Body {
  const shown = totalAsInteger ? { ...hits, total: hits.total.value } : hits;
  return { took, timed_out, _shards: shardsOf(indices), hits: shown, ...others };
}

async function answerSearch(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const { body, resolve, scroll, form } = await searchCall(request, response);
  const signal = api.signal(response);
  if (body['pit'] !== undefined && scroll === undefined) {
    sendApi(request, response, 200, await searchPointInTime(api, request, { body, form }, signal));
    return;
  }
  const indices = await api.indices(request, signal, resolve);
  if (scroll === undefined) {
    const found = await searchMany(api.engine, indices, body, signal);
    sendApi(request, response, 200, searchAnswer(found, indices.length, form));
    return;
  }
  const keepAlive = keepAliveMs(scroll, 'scroll');
  const opened = await Scroll.open(api.engine, indices, body, signal);
  const id = api.scrolls.open(opened.scroll, keepAlive);
  sendApi(request, response, 200, { _scroll_id: id, ...searchAnswer(opened.first, indices.length, form) });
}

async function searchPointInTime(
  api: ApiRequests,
  request: Request,
  { body, form }: { readonly body: Body; readonly form: AnswerForm },
  signal: AbortSignal,
): Promise<Body> {
  if (namedIn(request) !== undefined) {
    throw invalidRequest('[indices] cannot be used with point in time. Do not specify any index with point in time.');
  }
  const { pit, ...search } = body;
  if (!isObject(pit)) throw malformed('[pit] must be an object');
  const { id, keep_alive: keepAlive, ...others } = pit;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformed(`[pit] unknown field [${unknown}]`);
  if (typeof id !== 'string' || id === '') throw invalidArgument('point in time id is not provided');
  if (keepAlive !== undefined && typeof keepAlive !== 'string') throw malformed('[keep_alive] must be a text');
  const extended = keepAlive === undefined ? undefined : keepAliveMs(keepAlive, 'keep_alive');
  const found = await api.pointsInTime.use(id, extended, (opened) => opened.search(search, signal));
  return { pit_id: id, ...searchAnswer(found, 1, form) };
}

async function answerCount(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const { query, resolve } = await countCall(request, response);
  const signal = api.signal(response);
  const indices = await api.indices(request, signal, resolve);
  let count = 0;
  for (const index of indices) count += await api.engine.count(index, query, signal);
  sendApi(request, response, 200, { count, _shards: shardsOf(indices.length) });
}

const MANY_SEARCHES = 200;
/** What the line before a search may say beside its indices; these change nothing here. */
const HEADER_WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'preference',
  'request_cache',
  'search_type',
  'ccs_minimize_roundtrips',
]);

interface OneSearch {
  readonly expression: string | undefined;
  readonly ignoreMissing: boolean;
  readonly allowNone: boolean;
  readonly body: Body;
}

/** One after the other, and a search that fails is an answer among the others. */
async function answerManySearches(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [...INDEX_PARAMETERS, ...FORM_PARAMETERS]);
  const searches = pairsOf(await readLines(request, response), namedIn(request));
  const form = answerForm(
    parameters,
    searches.map(({ body }) => body),
  );
  const signal = api.signal(response);
  const startedMs = performance.now();
  const known = await api.known(signal);
  const responses: unknown[] = [];
  for (const each of searches) {
    throwIfCancelled(signal);
    responses.push(await answerOne(api, known, each, { form, signal, request }));
  }
  sendApi(request, response, 200, { took: Math.round(performance.now() - startedMs), responses });
}

async function answerOne(
  api: ApiRequests,
  known: KnownIndices,
  { expression, body, ...options }: OneSearch,
  { form, signal, request }: { readonly form: AnswerForm; readonly signal: AbortSignal; readonly request: Request },
): Promise<Body> {
  try {
    if (body['pit'] !== undefined) throw unsupported('A point in time in a _msearch');
    const indices = resolveIndices(known, expression, options);
    const found = await searchMany(api.engine, indices, body, signal);
    return { ...searchAnswer(found, indices.length, form), status: 200 };
  } catch (error) {
    return loggedFault(error, request, api.context.logger).body;
  }
}

function pairsOf(lines: readonly Body[], expression: string | undefined): readonly OneSearch[] {
  const searches: OneSearch[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const body = lines[at + 1];
    if (body === undefined) throw malformed(`The search that line ${at + 1} begins has no body`);
    searches.push({ ...headerOf(lines[at] ?? {}, expression), body: normalized(body) });
  }
  if (searches.length === 0) throw invalidRequest('no requests added');
  if (searches.length > MANY_SEARCHES) throw unsupported(`More than ${MANY_SEARCHES} searches in a _msearch`);
  return searches;
}

function headerOf(header: Body, otherwise: string | undefined): Omit<OneSearch, 'body'> {
  const { index, ignore_unavailable: ignore, allow_no_indices: allow, expand_wildcards: expand, ...others } = header;
  const unknown = Object.keys(others).find((name) => !HEADER_WITHOUT_EFFECT.has(name));
  if (unknown !== undefined) throw invalidArgument(`key [${unknown}] is not supported in the metadata section`);
  if (textsOf(expand, 'expand_wildcards').includes('none')) throw unsupported('[expand_wildcards: none]');
  const names = textsOf(index, 'index');
  return {
    expression: names.length === 0 ? otherwise : names.join(','),
    ignoreMissing: isTrue(ignore),
    allowNone: allow === undefined || isTrue(allow),
  };
}

function textsOf(value: unknown, name: string): readonly string[] {
  const values = value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
  return values.map((each) => {
    if (typeof each === 'string') return each;
    throw malformed(`[${name}] must be a text or a list of texts`);
  });
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
