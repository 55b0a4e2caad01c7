import { LANGUAGE, languageSuffix } from './text/locale.js';

/** What the page shows is in its address: a pasted one shows the same thing, and Back works. */
export interface PageState {
  /** The parameters of GET /_find. */
  readonly search: URLSearchParams;
  /** The document that is open. */
  readonly document: string | undefined;
  /** A page of it. */
  readonly page: number | undefined;
}

/** Parameters of a search that the page knows; others are left out. */
const SEARCH = [
  'q',
  'in',
  'any',
  'folder',
  'type',
  'ext',
  'language',
  'author',
  'problem',
  'tag',
  'modified_from',
  'modified_to',
  'size_from',
  'size_to',
  'sort',
];

/** Those that restrict what is found, as chips show them. */
export const FILTERS = SEARCH.slice(3, -1);

/** What belongs to no search: the document, and the words of the page. */
const OTHERS = ['doc', 'page', LANGUAGE];

/** Parameters of an address that mean nothing here. */
export function unknownParameters(address: string): readonly string[] {
  const known = [...SEARCH, ...OTHERS];
  return [...new Set(new URLSearchParams(address).keys())].filter((name) => !known.includes(name));
}

export function readState(address: string): PageState {
  const given = new URLSearchParams(address);
  const search = new URLSearchParams();
  for (const name of SEARCH) {
    for (const value of given.getAll(name)) if (value !== '') search.append(name, value);
  }
  const page = Number(given.get('page'));
  return {
    search,
    document: given.get('doc') ?? undefined,
    page: Number.isInteger(page) && page > 0 ? page : undefined,
  };
}

export function addressOf({ search, document, page }: PageState): string {
  const all = new URLSearchParams(search);
  if (document !== undefined) all.set('doc', document);
  if (document !== undefined && page !== undefined) all.set('page', String(page));
  const parts = [all.toString(), languageSuffix].filter((part) => part !== '');
  return `?${parts.join('&')}`;
}

/** The search with one value of a parameter more, or without it. */
export function toggled(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(search);
  if (changed.has(name, value)) changed.delete(name, value);
  else changed.append(name, value);
  return changed;
}

/** The search with other single values; an empty one removes the parameter. */
export function withValues(search: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const changed = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

export function withoutFilters(search: URLSearchParams): URLSearchParams {
  const changed = new URLSearchParams(search);
  for (const name of FILTERS) changed.delete(name);
  return changed;
}
