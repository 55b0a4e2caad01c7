import type { Request, Response } from 'express';
import { isObject, parseJson } from '../json-text.js';
import { mediaTypeOf, readTextBody } from '../text-body.js';
import { ApiError, unsupported } from './api-answer.js';
import { SOURCE_PARAMETERS, sourceFilterOf } from './source-filter.js';
import { UrlParameters } from './url-parameters.js';

/**
 * A search in the body of the request, with what the URL says laid over it: `q` replaces the query, the others the members
 * of their name. What a body may hold is for the engine to judge.
 */
type Body = Readonly<Record<string, unknown>>;

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/vnd.elasticsearch+json']);
const QUERY_PARAMETERS = ['q', 'df', 'default_operator'];
const PARAMETERS = [
  ...QUERY_PARAMETERS,
  ...SOURCE_PARAMETERS,
  'from',
  'size',
  'sort',
  'track_total_hits',
  'track_scores',
  'ignore_unavailable',
];

export interface SearchCall {
  readonly body: Body;
  readonly ignoreMissing: boolean;
}

export async function searchCall(request: Request, response: Response): Promise<SearchCall> {
  const parameters = new UrlParameters(request, PARAMETERS);
  const body = await jsonBody(request, response);
  const given: Body = {
    query: queryOf(parameters),
    from: parameters.integer('from'),
    size: parameters.integer('size'),
    sort: parameters.list('sort')?.map(sortOf),
    track_total_hits: totalOf(parameters),
    track_scores: parameters.flag('track_scores'),
    _source: SOURCE_PARAMETERS.some((name) => parameters.text(name) !== undefined) ? sourceOf(parameters) : undefined,
  };
  return { body: { ...body, ...defined(given) }, ignoreMissing: parameters.flag('ignore_unavailable') ?? false };
}

export interface CountCall {
  readonly query: Body | undefined;
  readonly ignoreMissing: boolean;
}

export async function countCall(request: Request, response: Response): Promise<CountCall> {
  const parameters = new UrlParameters(request, [...QUERY_PARAMETERS, 'ignore_unavailable']);
  const { query, ...others } = await jsonBody(request, response);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw unsupported(`[${unknown}] in a count`);
  if (query !== undefined && !isObject(query))
    throw new ApiError(400, 'parsing_exception', '[query] must be an object');
  return { query: queryOf(parameters) ?? query, ignoreMissing: parameters.flag('ignore_unavailable') ?? false };
}

async function jsonBody(request: Request, response: Response): Promise<Body> {
  const text = await readTextBody(request, response);
  if (text.trim() === '') return {};
  const mediaType = mediaTypeOf(request);
  if (!JSON_TYPES.has(mediaType)) {
    throw new ApiError(415, 'media_type_header_exception', `Content-Type header [${mediaType}] is not supported`);
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw new ApiError(400, 'parsing_exception', `The body ${parsed.why}`);
  if (!isObject(parsed.value)) throw new ApiError(400, 'parsing_exception', 'The body must be a JSON object');
  return parsed.value;
}

function queryOf(parameters: UrlParameters): Body | undefined {
  const query = parameters.text('q');
  if (query === undefined) return undefined;
  const options = defined({
    default_field: parameters.text('df'),
    default_operator: parameters.text('default_operator'),
  });
  return { query_string: { query, ...options } };
}

/** `field`, `field:desc`. */
function sortOf(text: string): unknown {
  const [, field = text, order] = /^(.*):(asc|desc)$/.exec(text) ?? [];
  return order === undefined ? field : { [field]: { order } };
}

function totalOf(parameters: UrlParameters): unknown {
  const text = parameters.text('track_total_hits');
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : parameters.flag('track_total_hits');
}

function sourceOf(parameters: UrlParameters): unknown {
  const { show, includes, excludes } = sourceFilterOf(parameters);
  return show ? { includes, excludes } : false;
}

function defined(members: Body): Body {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
