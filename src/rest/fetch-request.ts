import { CrawlerError } from '../base/errors.js';
import type { FetchOpener, FetchParameters, FetchSources, FetchTarget } from '../source/fetch.js';
import { isObject, parseJson } from './json-text.js';
import { badRequest } from './request-fault.js';

/**
 * `{"type": "http", "http": {…}}`: the type names an opener and the member with its parameters.
 *
 * The sentence of a failed fetch keeps the two class names that scripts of the peer look for: one for a request that
 * makes no sense, one for a place that could not be read.
 */
export interface FetchRequest {
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FetchFailure {
  readonly message: string;
  readonly code: CrawlerError['code'];
}

/** Throws 400 when the body is not an object with a type. */
export async function parseFetchRequest(text: string, sources: FetchSources): Promise<FetchRequest> {
  const parsed = await parseJson(text);
  if (!parsed.ok)
    throw badRequest(text.trim() === '' ? 'The body of the request is empty.' : `The body ${parsed.why}.`);
  if (!isObject(parsed.value)) throw badRequest('The body must be a JSON object.');
  const { type } = parsed.value;
  if (typeof type !== 'string')
    throw badRequest(`The member [type] is missing: give one of ${[...sources.keys()].join(', ')}.`);
  return { type, body: parsed.value };
}

/** Throws a CrawlerError; `usage` when the request itself is at fault. */
export function openTarget(request: FetchRequest, openers: FetchSources, signal: AbortSignal): Promise<FetchTarget> {
  const opener = openerOf(request.type, openers);
  return opener.open(parametersOf(request), signal);
}

export function fetchFailure(type: string, error: CrawlerError): FetchFailure {
  const name =
    error.code === 'usage' || error.code === 'settings_invalid'
      ? 'FsCrawlerIllegalConfigurationException'
      : 'FsCrawlerPluginException';
  return {
    code: error.code,
    message: `Failed to add document from [${shortened(type)}] 3rd-party: [${name}] - [${error.message}]`,
  };
}

function openerOf(type: string, openers: FetchSources): FetchOpener {
  const opener = openers.get(type);
  if (opener !== undefined) return opener;
  throw new CrawlerError('usage', `No FsProvider found for type [${shortened(type)}]`);
}

function parametersOf({ type, body }: FetchRequest): FetchParameters {
  const parameters = Object.hasOwn(body, type) ? body[type] : undefined;
  if (parameters === undefined) throw new CrawlerError('usage', `Missing property in path $['${type}']`);
  if (!isObject(parameters)) throw new CrawlerError('usage', `[${type}] must be an object`);
  return parameters;
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
