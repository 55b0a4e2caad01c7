import type { Request, Response } from 'express';
import { throwIfCancelled } from '../../../base/errors.js';
import type { StoredDocument } from '../../../engine/engine.js';
import { filterSource, parseSourceFilter, type SourceFilter } from '../../../engine/source-filter.js';
import { isObject } from '../../json-text.js';
import { pathParameter } from '../../route.js';
import type { RestRoute } from '../../route.js';
import { loggedFault, sendApi } from '../api-answer.js';
import { ApiError, unsupported } from '../api-error.js';
import { namedIn } from '../api-requests.js';
import type { ApiRequests } from '../api-requests.js';
import { resolveIndices } from '../index-names.js';
import type { KnownIndices } from '../index-names.js';
import { invalidRequest, malformed, requireBody } from '../json-body.js';
import type { Body } from '../json-body.js';
import { SOURCE_PARAMETERS, sourceOf } from '../source-parameters.js';
import { UrlParameters } from '../url-parameters.js';
import { getAndPost } from './search.js';

/** Documents by their ids: `_doc`, `_source`, `_mget`. */
export function documentEndpoints(api: ApiRequests): readonly RestRoute[] {
  const many = (request: Request, response: Response): Promise<void> => answerMany(api, request, response);
  return [
    { method: 'GET', path: '/:index/_doc/:id', handle: (request, response) => answerDocument(api, request, response) },
    { method: 'GET', path: '/:index/_source/:id', handle: (request, response) => answerSource(api, request, response) },
    ...['/_mget', '/:index/_mget'].flatMap((path) => getAndPost(path, many)),
  ];
}

function filterOf(request: Request): SourceFilter {
  return parseSourceFilter(sourceOf(new UrlParameters(request, SOURCE_PARAMETERS)));
}

async function answerDocument(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const filter = filterOf(request);
  const signal = api.signal(response);
  const id = pathParameter(request, 'id');
  const index = oneIndex(await api.known(signal), pathParameter(request, 'index'));
  const found = await api.engine.get(index, id, signal);
  sendApi(request, response, found === undefined ? 404 : 200, shownDocument(index, id, found, filter));
}

async function answerSource(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const filter = filterOf(request);
  const signal = api.signal(response);
  const id = pathParameter(request, 'id');
  const index = oneIndex(await api.known(signal), pathParameter(request, 'index'));
  const found = await api.engine.get(index, id, signal);
  if (found === undefined) {
    throw new ApiError(404, 'resource_not_found_exception', `Document not found [${index}]/[${id}]`);
  }
  sendApi(request, response, 200, filterSource(found.source, filter));
}

function shownDocument(index: string, id: string, found: StoredDocument | undefined, filter: SourceFilter): Body {
  if (found === undefined) return { _index: index, _id: id, found: false };
  return {
    _index: found.index,
    _id: found.id,
    _version: found.version,
    _seq_no: found.version - 1,
    _primary_term: 1,
    found: true,
    ...(filter.kind !== 'none' ? { _source: filterSource(found.source, filter) } : {}),
  };
}

/** A document is asked of one index, or of an alias of one. */
function oneIndex(known: KnownIndices, name: string): string {
  if (/[*,]/.test(name)) throw unsupported('A pattern of indices for one document');
  const [index = name] = resolveIndices(known, name);
  return index;
}

interface Wanted {
  readonly index: string;
  readonly id: string;
  readonly filter: SourceFilter;
}

const MANY_DOCUMENTS = 10_000;
/** Of the documents of one answer together, as for the hits of one search. */
const MANY_BYTES = 200_000_000;

async function answerMany(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const filter = filterOf(request);
  const wanted = wantedOf(await requireBody(request, response), namedIn(request), filter);
  const signal = api.signal(response);
  const known = await api.known(signal);
  const docs: Body[] = [];
  let bytes = 0;
  for (const each of wanted) {
    throwIfCancelled(signal);
    const document = await oneOfMany(api, known, each, { signal, request });
    bytes += document['_source'] === undefined ? 0 : JSON.stringify(document['_source']).length;
    if (bytes > MANY_BYTES)
      throw new ApiError(413, 'too_large_exception', 'The documents are too large: ask for fewer');
    docs.push(document);
  }
  sendApi(request, response, 200, { docs });
}

/** What is wrong with one of them is reported in its place. */
async function oneOfMany(
  api: ApiRequests,
  known: KnownIndices,
  wanted: Wanted,
  { signal, request }: { readonly signal: AbortSignal; readonly request: Request },
): Promise<Body> {
  const { id, filter } = wanted;
  try {
    const index = oneIndex(known, wanted.index);
    return shownDocument(index, id, await api.engine.get(index, id, signal), filter);
  } catch (error) {
    const { body } = loggedFault(error, request, api.context.logger);
    return { _index: wanted.index, _id: id, error: body['error'] };
  }
}

/** `{"docs": [{"_index", "_id", "_source"}]}`, or `{"ids": […]}` of the index in the path. */
function wantedOf({ docs, ids, ...others }: Body, index: string | undefined, filter: SourceFilter): readonly Wanted[] {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformed(`failed to parse multi get request. unknown field [${unknown}]`);
  const wanted = [...listOf(docs, 'docs'), ...listOf(ids, 'ids').map((_id) => ({ _id }))].map((each, at) =>
    wantedOne(each, at, index, filter),
  );
  if (wanted.length === 0) throw invalidRequest('no documents to get');
  if (wanted.length > MANY_DOCUMENTS) throw unsupported(`More than ${MANY_DOCUMENTS} documents in a _mget`);
  return wanted;
}

function wantedOne(value: unknown, at: number, index: string | undefined, otherwise: SourceFilter): Wanted {
  if (!isObject(value)) throw malformed('[docs] must be a list of objects');
  const { _index = index, _id: id, _source: source, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformed(`failed to parse multi get request. unknown field [${unknown}]`);
  if (_index === undefined) throw invalidRequest(`index is missing for doc ${at}`);
  if (typeof _index !== 'string') throw malformed(`[_index] of doc ${at} must be a text`);
  if (typeof id !== 'string' && typeof id !== 'number') throw invalidRequest(`id is missing for doc ${at}`);
  return { index: _index, id: String(id), filter: source === undefined ? otherwise : parseSourceFilter(source) };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw malformed(`[${name}] must be a list`);
}
