import { wildcard } from '../base/wildcard.js';
import { BodyReader, isObject, listOf, malformed } from './query/body-reader.js';

/** `_source` of a request: everything, nothing, or the parts whose dotted names fit. Patterns may hold `*`. */
export type SourceFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly includes: readonly NamePattern[]; readonly excludes: readonly NamePattern[] };

interface NamePattern {
  /** It is the name of a field, or of something that the field is part of: `meta` takes `meta.title` along. */
  covers(name: string): boolean;
  /** It may cover something in the object of this name. */
  reachesInto(name: string): boolean;
}

type Source = Readonly<Record<string, unknown>>;

/** @throws CrawlerError `corrupt` or `unsupported` for what is no filter */
export function parseSourceFilter(value: unknown): SourceFilter {
  if (value === undefined || value === true || value === 'true') return { kind: 'all' };
  if (value === false || value === 'false') return { kind: 'none' };
  if (!isObject(value)) return sourceFilter(textsOf(listOf(value)), []);
  const body = new BodyReader(value, '[_source]');
  const includes = [...body.list('includes'), ...body.list('include')];
  const excludes = [...body.list('excludes'), ...body.list('exclude')];
  body.done();
  return sourceFilter(textsOf(includes), textsOf(excludes));
}

/** Without includes everything is included. */
export function sourceFilter(includes: readonly string[], excludes: readonly string[]): SourceFilter {
  if (includes.length + excludes.length === 0) return { kind: 'all' };
  return { kind: 'some', includes: includes.map(namePattern), excludes: excludes.map(namePattern) };
}

/**
 * What a filter leaves of a document, as Elasticsearch does it: an object that is included stays when nothing in it does, but
 * an object in a list does not. What no exclude can reach is left as it is.
 */
export function filterSource(source: Source, filter: SourceFilter): Source {
  return filter.kind === 'some' ? objectOf(source, '', filter, filter.includes.length === 0) : source;
}

type SomeFilter = SourceFilter & { kind: 'some' };

function objectOf(source: Source, above: string, filter: SomeFilter, isIncluded: boolean): Source {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(source)) {
    const name = above === '' ? key : `${above}.${key}`;
    if (filter.excludes.some((each) => each.covers(name))) continue;
    const included = isIncluded || filter.includes.some((each) => each.covers(name));
    const part = partOf(value, name, filter, included);
    if (included || (part !== undefined && !isEmpty(part))) kept.push([key, part]);
  }
  return Object.fromEntries(kept);
}

/** Undefined for a plain value that is not included. */
function partOf(value: unknown, name: string, filter: SomeFilter, included: boolean): unknown {
  if (included && !filter.excludes.some((each) => each.reachesInto(name))) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => partOf(item, name, filter, included));
    return items.filter((item) => item !== undefined && !isEmpty(item));
  }
  if (isObject(value)) return objectOf(value, name, filter, included);
  return included ? value : undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function namePattern(pattern: string): NamePattern {
  const itself = wildcard(pattern);
  const below = wildcard(`${pattern}.*`);
  const star = pattern.indexOf('*');
  const start = star < 0 ? pattern : pattern.slice(0, star);
  return {
    covers: (name) => itself(name) || below(name),
    reachesInto: (name) => start.startsWith(`${name}.`) || (star >= 0 && `${name}.`.startsWith(start)),
  };
}

function textsOf(values: readonly unknown[]): string[] {
  return values.map((value) => {
    if (typeof value === 'string') return value;
    throw malformed('[_source]', 'true, false, or names of fields', value);
  });
}
