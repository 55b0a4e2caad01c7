import type { SortOrder } from './sort-order.js';

/** Filters that may be given several times (one of the values is enough), and those that may be given once. */
export const listFilters = ['folder', 'type', 'ext', 'language', 'author', 'problem', 'tag'] as const;
export const boundFilters = ['modified_from', 'modified_to', 'size_from', 'size_to'] as const;
export const filterNames = [...listFilters, ...boundFilters] as const;

export type FilterName = (typeof filterNames)[number];
export type Filters = Readonly<Partial<Record<FilterName, readonly string[]>>>;

/** What somebody asks of the index: the same for a page, the terminal and a program. */
export interface FindRequest {
  /** In the query language for people (docs/search.md); everything when empty. */
  readonly q: string;
  /** Where words are looked for: everywhere, or in names only. */
  readonly in: 'all' | 'name';
  /** One of the words is enough. */
  readonly any: boolean;
  readonly filters: Filters;
  readonly sort: SortOrder;
}

export const everything: FindRequest = { q: '', in: 'all', any: false, filters: {}, sort: 'relevance' };

/** The request as the parameters of an address. What is as it would be anyway is left out. */
export function addressOf(request: FindRequest): string {
  const parameters = new URLSearchParams();
  if (request.q !== '') parameters.set('q', request.q);
  if (request.in !== 'all') parameters.set('in', request.in);
  if (request.any) parameters.set('any', 'true');
  for (const name of filterNames) for (const value of request.filters[name] ?? []) parameters.append(name, value);
  if (request.sort !== 'relevance') parameters.set('sort', request.sort);
  return parameters.toString();
}
