import { wildcard } from '../../base/wildcard.js';
import { isObject } from '../json-text.js';
import { malformed } from './json-body.js';
import type { UrlParameters } from './url-parameters.js';

/** Which members of a stored document are shown: `_source`, `_source_includes`, `_source_excludes` with dotted paths and `*`. */
export interface SourceFilter {
  readonly show: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export const SOURCE_PARAMETERS = ['_source', '_source_includes', '_source_excludes'];

export function sourceFilterOf(parameters: UrlParameters): SourceFilter {
  const source = parameters.text('_source');
  const plain = source === undefined || source === 'true' || source === 'false' || source === '';
  return {
    show: source !== 'false',
    includes: [...(plain ? [] : (parameters.list('_source') ?? [])), ...(parameters.list('_source_includes') ?? [])],
    excludes: parameters.list('_source_excludes') ?? [],
  };
}

/** `_source` of a body: true or false, a pattern, several, or `{includes, excludes}`. */
export function sourceFilterOfBody(value: unknown): SourceFilter {
  if (typeof value === 'boolean') return { show: value, includes: [], excludes: [] };
  if (!isObject(value)) return { show: true, includes: patternsOf(value), excludes: [] };
  const { includes, include, excludes, exclude, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformed(`[_source] has the unknown member [${unknown}]`);
  return {
    show: true,
    includes: [...patternsOf(includes), ...patternsOf(include)],
    excludes: [...patternsOf(excludes), ...patternsOf(exclude)],
  };
}

function patternsOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => {
    if (typeof each === 'string') return each;
    throw malformed('[_source] must be true, false, or names of fields');
  });
}

export function filtered(source: Readonly<Record<string, unknown>>, { includes, excludes }: SourceFilter): unknown {
  if (includes.length === 0 && excludes.length === 0) return source;
  const wanted = includes.map(pathPattern);
  const unwanted = excludes.map(pathPattern);
  const keep = (path: string): boolean =>
    (wanted.length === 0 || wanted.some((each) => each(path))) && !unwanted.some((each) => each(path));
  return pick(source, '', keep) ?? {};
}

/** Leaves decide; an object stays when something in it does. */
function pick(value: unknown, path: string, keep: (path: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((each) => pick(each, path, keep)).filter((each) => each !== undefined);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (typeof value !== 'object' || value === null) return keep(path) ? value : undefined;
  const members = Object.entries(value)
    .map(([key, each]): [string, unknown] => [key, pick(each, path === '' ? key : `${path}.${key}`, keep)])
    .filter(([, each]) => each !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** `file.*`, `meta`: a pattern covers what it names and everything below. */
function pathPattern(pattern: string): (path: string) => boolean {
  const itself = wildcard(pattern);
  const below = wildcard(`${pattern}.*`);
  return (path) => itself(path) || below(path);
}
