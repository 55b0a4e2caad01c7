import type { Request, Response } from 'express';
import { isObject } from '../json-text.js';
import { unsupported } from './api-error.js';
import type { ResolveOptions } from './index-names.js';
import { malformed, readBody } from './json-body.js';
import type { Body } from './json-body.js';
import { SOURCE_PARAMETERS, sourceOf } from './source-parameters.js';
import { INDEX_PARAMETERS, UrlParameters } from './url-parameters.js';

/**
 * A search in the body of the request, with what the URL says laid over it: `q` replaces the query, the others the members
 * of their name. What a body may hold is for the engine to judge.
 */
const QUERY_PARAMETERS = ['q', 'df', 'default_operator'];
/** How hits are answered. */
export const FORM_PARAMETERS = ['rest_total_hits_as_int', 'typed_keys', 'search_type'];
const PARAMETERS = [
  ...QUERY_PARAMETERS,
  ...SOURCE_PARAMETERS,
  ...INDEX_PARAMETERS,
  ...FORM_PARAMETERS,
  'from',
  'size',
  'sort',
  'timeout',
  'track_total_hits',
  'track_scores',
  'scroll',
];

export interface SearchCall {
  readonly body: Body;
  readonly resolve: ResolveOptions;
  /** How long a scroll lives between two of its pages; undefined for a search of one page. */
  readonly scroll: string | undefined;
  readonly form: AnswerForm;
}

export interface AnswerForm {
  /** `total` is a number, as it was before Elasticsearch 7. */
  readonly totalAsInteger: boolean;
}

export async function searchCall(request: Request, response: Response): Promise<SearchCall> {
  const parameters = new UrlParameters(request, PARAMETERS);
  const body = normalized((await readBody(request, response)) ?? {});
  const given: Body = {
    query: queryOf(parameters),
    from: parameters.integer('from'),
    size: parameters.integer('size'),
    sort: parameters.list('sort')?.map(sortOf),
    timeout: parameters.text('timeout'),
    track_total_hits: totalOf(parameters),
    track_scores: parameters.flag('track_scores'),
    _source: SOURCE_PARAMETERS.some((name) => parameters.text(name) !== undefined) ? sourceOf(parameters) : undefined,
  };
  const merged = { ...body, ...defined(given) };
  return {
    body: merged,
    resolve: parameters.resolveOptions(),
    scroll: parameters.text('scroll'),
    form: answerForm(parameters, [merged]),
  };
}

/** Throws for what would change the answers of these searches in a way that is not known here. */
export function answerForm(parameters: UrlParameters, bodies: readonly Body[]): AnswerForm {
  parameters.only('search_type', ['query_then_fetch', 'dfs_query_then_fetch']);
  const named = bodies.some((body) => (body['aggs'] ?? body['aggregations'] ?? body['suggest']) !== undefined);
  if (named && parameters.flag('typed_keys') === true) throw unsupported('[typed_keys] beside aggregations');
  return { totalAsInteger: parameters.flag('rest_total_hits_as_int') ?? false };
}

/** A list of no keys sorts by nothing. */
export function normalized(body: Body): Body {
  const { sort, ...others } = body;
  return sort === undefined || (Array.isArray(sort) && sort.length === 0) ? others : body;
}

export interface CountCall {
  readonly query: Body | undefined;
  readonly resolve: ResolveOptions;
}

export async function countCall(request: Request, response: Response): Promise<CountCall> {
  const parameters = new UrlParameters(request, [...QUERY_PARAMETERS, ...INDEX_PARAMETERS]);
  const { query, ...others } = (await readBody(request, response)) ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw unsupported(`[${unknown}] in a count`);
  if (query !== undefined && !isObject(query)) throw malformed('[query] must be an object');
  return { query: queryOf(parameters) ?? query, resolve: parameters.resolveOptions() };
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

function defined(members: Body): Body {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
