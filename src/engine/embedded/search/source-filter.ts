import { wildcard } from '../../../base/wildcard.js';
import { BodyReader, isObject, listOf, malformed } from '../../query/body-reader.js';

/** `_source` of a request: everything, nothing, or the parts whose dotted names fit. Patterns may hold `*`. */
export type SourceFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly includes: readonly NamePattern[]; readonly excludes: readonly NamePattern[] };

type NamePattern = (name: string) => boolean;

type Source = Readonly<Record<string, unknown>>;

export function parseSourceFilter(value: unknown): SourceFilter {
  if (value === undefined || value === true || value === 'true') return { kind: 'all' };
  if (value === false || value === 'false') return { kind: 'none' };
  if (!isObject(value)) return some(patterns(listOf(value)), []);
  const body = new BodyReader(value, '[_source]');
  const includes = [...body.list('includes'), ...body.list('include')];
  const excludes = [...body.list('excludes'), ...body.list('exclude')];
  body.done();
  return some(patterns(includes), patterns(excludes));
}

export function filterSource(source: Source, filter: SourceFilter): Source {
  return filter.kind === 'some' ? (filtered(source, '', filter, filter.includes.length === 0) ?? {}) : source;
}

type SomeFilter = SourceFilter & { kind: 'some' };

function some(includes: readonly NamePattern[], excludes: readonly NamePattern[]): SourceFilter {
  return includes.length + excludes.length === 0 ? { kind: 'all' } : { kind: 'some', includes, excludes };
}

/** A name fits a pattern itself, or because something above it does: `meta` takes `meta.title` along. */
function patterns(texts: readonly unknown[]): NamePattern[] {
  return texts.map((text) => {
    if (typeof text !== 'string') throw malformed('[_source]', 'true, false, or names of fields', text);
    return wildcard(text);
  });
}

/** Undefined when nothing is left of an object. */
function filtered(source: Source, above: string, filter: SomeFilter, included: boolean): Source | undefined {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    const name = above === '' ? key : `${above}.${key}`;
    if (filter.excludes.some((fits) => fits(name))) continue;
    const kept = keep(value, name, filter, included || filter.includes.some((fits) => fits(name)));
    if (kept !== undefined) Object.defineProperty(result, key, { value: kept, enumerable: true });
  }
  return Object.keys(result).length > 0 || (included && above !== '') ? result : undefined;
}

function keep(value: unknown, name: string, filter: SomeFilter, included: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => keep(item, name, filter, included)).filter((item) => item !== undefined);
    return items.length > 0 || included ? items : undefined;
  }
  if (isObject(value)) return filtered(value, name, filter, included);
  return included ? value : undefined;
}
