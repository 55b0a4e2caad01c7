import type { SearchResponse } from '../engine/engine.js';
import { fieldNames } from './field-names.js';
import { addressOf, type FilterName, type FindRequest } from './find-request.js';
import type { IndexSearch } from './index-search.js';
import { folderQuery } from './query/short-names.js';
import { familyOf, type TypeFamily } from './type-families.js';

export const facetNames = [
  'folder',
  'type',
  'modified',
  'size',
  'ext',
  'language',
  'author',
  'problem',
  'tag',
] as const;
export type FacetName = (typeof facetNames)[number];

export interface FacetValue {
  /** What the filter of the facet's name takes; for `modified` and `size` the name of the range. */
  readonly value: string;
  readonly count: number;
  /** Bounds of a range: days of `modified_from` and `modified_to`, bytes of `size_from` and `size_to`. */
  readonly from?: string;
  readonly to?: string;
}

export interface FacetAnswer {
  readonly took: number;
  readonly facets: Readonly<Partial<Record<FacetName, readonly FacetValue[]>>>;
  /** What this index cannot count. */
  readonly unavailable: readonly FacetName[];
}

export interface FacetOptions {
  readonly names: readonly FacetName[];
  /** Values of each facet, the most frequent first. */
  readonly size: number;
  /** Index of the folders; undefined where the job has none. */
  readonly folderIndex: string | undefined;
  /** Fields of the facet `tag`, such as `external.team`. */
  readonly tagFields: readonly string[];
  readonly nowMs: number;
}

/** The filters that belong to a facet: it does not count its own selection. */
const OWN_FILTERS: Readonly<Record<FacetName, readonly FilterName[]>> = {
  folder: ['folder'],
  type: ['type'],
  modified: ['modified_from', 'modified_to'],
  size: ['size_from', 'size_to'],
  ext: ['ext'],
  language: ['language'],
  author: ['author'],
  problem: ['problem'],
  tag: ['tag'],
};

const TERMS: Readonly<Partial<Record<FacetName, string>>> = {
  type: 'file.content_type',
  ext: 'file.extension',
  language: 'meta.language',
  author: 'meta.author.keyword',
  problem: 'file.problem.keyword',
};

/** Media types with all their parameters, before they are folded into families. */
const MEDIA_TYPES = 500;
const SUB_FOLDERS = 100;

/** Counts of the documents that a request finds, by what can be filtered. */
export class Facets {
  readonly #search: IndexSearch;

  constructor(search: IndexSearch) {
    this.#search = search;
  }

  async count(request: FindRequest, options: FacetOptions, signal: AbortSignal): Promise<FacetAnswer> {
    const counted = new Map<FacetName, readonly FacetValue[]>();
    const unavailable: FacetName[] = [];
    let took = 0;
    for (const { names, asked } of searchesFor(request, options.names)) {
      const aggregations = new Map<FacetName, Ranges>();
      for (const name of names) {
        const ranges = await this.#aggregations(name, request, options, signal);
        if (ranges === undefined) unavailable.push(name);
        else aggregations.set(name, ranges);
      }
      if (aggregations.size === 0) continue;
      const answer = await this.#ask(asked, aggregations, signal);
      took += answer.took;
      for (const [name, ranges] of aggregations) counted.set(name, valuesOf(name, ranges, answer, options));
    }
    const facets = Object.fromEntries(options.names.flatMap((name) => withValues(name, counted.get(name))));
    return { took, facets, unavailable };
  }

  async #ask(
    request: FindRequest,
    aggregations: ReadonlyMap<FacetName, Ranges>,
    signal: AbortSignal,
  ): Promise<SearchResponse> {
    const query = await this.#search.query(request, signal);
    const named = [...aggregations].flatMap(([name, ranges]) =>
      ranges.map(({ aggregation }, at) => [nameOf(name, at), aggregation]),
    );
    const aggs = Object.fromEntries(named) as Readonly<Record<string, object>>;
    return await this.#search.run({ query, size: 0, track_total_hits: false, aggs }, signal);
  }

  async #aggregations(
    name: FacetName,
    request: FindRequest,
    { folderIndex, nowMs, size, tagFields }: FacetOptions,
    signal: AbortSignal,
  ): Promise<Ranges | undefined> {
    if (name === 'tag') return tagFields.map((value) => ({ value, aggregation: termsOf(`${value}.keyword`, size) }));
    if (name === 'modified') return modifiedRanges(nowMs);
    if (name === 'size') return sizeRanges();
    if (name === 'folder') return await this.#folderRanges(request, folderIndex, signal);
    const field = TERMS[name] ?? '';
    if (name === 'author' && !(await this.#countsAuthors(field, signal))) return undefined;
    return [{ value: name, aggregation: termsOf(field, name === 'type' ? MEDIA_TYPES : size) }];
  }

  /** A cluster whose mapping has no exact view of authors cannot count them. */
  async #countsAuthors(field: string, signal: AbortSignal): Promise<boolean> {
    const { engine, index } = this.#search.searched;
    return engine.type === 'embedded' || (await fieldNames(engine, index, signal)).includes(field);
  }

  /** The folders below the one that is chosen. */
  async #folderRanges(
    { filters }: FindRequest,
    folderIndex: string | undefined,
    signal: AbortSignal,
  ): Promise<Ranges | undefined> {
    if (folderIndex === undefined) return undefined;
    const chosen = filters.folder?.length === 1 ? (filters.folder[0] ?? '/') : '/';
    const path = `/${chosen.replace(/^\/+|\/+$/g, '')}`;
    const above = await this.#folders({ term: { 'path.virtual': path } }, 1, folderIndex, signal);
    const id = above[0]?.id;
    if (id === undefined) return [];
    const folders = await this.#folders({ term: { 'path.root': id } }, SUB_FOLDERS, folderIndex, signal);
    return folders.flatMap(({ path: below }) =>
      below === path ? [] : [{ value: below, aggregation: { filter: folderQuery(below) } }],
    );
  }

  async #folders(
    query: object,
    size: number,
    index: string,
    signal: AbortSignal,
  ): Promise<{ readonly id: string; readonly path: string }[]> {
    const sort = [{ 'path.virtual': { order: 'asc', unmapped_type: 'keyword' } }];
    const { hits } = await this.#search.run({ query, size, sort, _source: ['path.virtual'] }, signal, index);
    return hits.hits.map(({ _id: id, _source: source }) => {
      const { virtual = '/' } = (source?.['path'] ?? {}) as { readonly virtual?: string };
      return { id, path: virtual.replaceAll('\\', '/') };
    });
  }
}

interface FacetSearch {
  readonly names: readonly FacetName[];
  readonly asked: FindRequest;
}

/** Facets of the same documents are counted by one search; one with a selection of its own counts other documents. */
function searchesFor(request: FindRequest, names: readonly FacetName[]): readonly FacetSearch[] {
  const searches = new Map<string, { readonly names: FacetName[]; readonly asked: FindRequest }>();
  for (const name of names) {
    const asked = withoutOwn(request, name);
    const address = addressOf(asked);
    const same = searches.get(address);
    if (same === undefined) searches.set(address, { names: [name], asked });
    else same.names.push(name);
  }
  return [...searches.values()];
}

function withValues(name: FacetName, values: readonly FacetValue[] | undefined): [FacetName, readonly FacetValue[]][] {
  return values === undefined ? [] : [[name, values]];
}

/** Of an aggregation. A cluster does not take every name that a folder may have. */
function nameOf(facet: FacetName, at: number): string {
  return `${facet}_${at}`;
}

function termsOf(field: string, size: number): object {
  return { terms: { field, size } };
}

type Ranges = readonly {
  readonly value: string;
  readonly aggregation: object;
  readonly from?: string;
  readonly to?: string;
}[];

function valuesOf(
  name: FacetName,
  aggregations: Ranges,
  answer: SearchResponse,
  { size }: FacetOptions,
): readonly FacetValue[] {
  const { aggregations: answers = {} } = answer;
  if (name === 'tag') {
    return aggregations.flatMap(({ value: field }, at) =>
      bucketsOf(answer, nameOf(name, at)).map(({ value, count }) => ({ value: `${field}:${value}`, count })),
    );
  }
  if (TERMS[name] === undefined) {
    return aggregations.flatMap(({ value, from, to }, at) => {
      const count = (answers[nameOf(name, at)] as { readonly doc_count?: number } | undefined)?.doc_count ?? 0;
      const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      return count === 0 ? [] : [{ value, count, ...bounds }];
    });
  }
  const values = bucketsOf(answer, nameOf(name, 0));
  return (name === 'type' ? families(values) : values).slice(0, size);
}

function bucketsOf(answer: SearchResponse, name: string): FacetValue[] {
  const { buckets = [] } = (answer.aggregations?.[name] ?? {}) as { readonly buckets?: readonly Bucket[] };
  return buckets.map(({ key, doc_count: count }) => ({ value: String(key), count }));
}

interface Bucket {
  readonly key: string | number;
  readonly doc_count: number;
}

function families(types: readonly FacetValue[]): FacetValue[] {
  const counts = new Map<TypeFamily, number>();
  for (const { value, count } of types) {
    const family = familyOf(value);
    counts.set(family, (counts.get(family) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((left, right) => right.count - left.count);
}

function withoutOwn(request: FindRequest, name: FacetName): FindRequest {
  // A folder that is chosen shows its sub-folders, which lie in it.
  if (name === 'folder' && request.filters.folder?.length === 1) return request;
  const others = Object.entries(request.filters).filter(([filter]) => !OWN_FILTERS[name].some((own) => own === filter));
  return { ...request, filters: Object.fromEntries(others) };
}

const DAY_MS = 86_400_000;
const AGES: readonly (readonly [name: string, days: number])[] = [
  ['1d', 1],
  ['7d', 7],
  ['30d', 30],
  ['1y', 365],
];

/** Each range reaches until today, and the last one begins where the widest ends. */
function modifiedRanges(nowMs: number): Ranges {
  const dayOf = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
  const ages = AGES.map(([value, days]) => {
    const from = dayOf(days);
    return { value, from, aggregation: { filter: { range: { 'file.last_modified': { gte: from } } } } };
  });
  const aYearAgo = dayOf(365);
  const older = { filter: { range: { 'file.last_modified': { lt: aYearAgo } } } };
  return [...ages, { value: 'older', to: dayOf(366), aggregation: older }];
}

const SIZES: readonly (readonly [name: string, from: number | undefined, to: number | undefined])[] = [
  ['under_100kb', undefined, 100_000],
  ['100kb_1mb', 100_000, 1_000_000],
  ['1mb_10mb', 1_000_000, 10_000_000],
  ['10mb_100mb', 10_000_000, 100_000_000],
  ['over_100mb', 100_000_000, undefined],
];

function sizeRanges(): Ranges {
  return SIZES.map(([value, from, below]) => {
    const to = below === undefined ? undefined : below - 1;
    const range = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lte: to }) };
    return {
      value,
      ...(from === undefined ? {} : { from: String(from) }),
      ...(to === undefined ? {} : { to: String(to) }),
      aggregation: { filter: { range: { 'file.filesize': range } } },
    };
  });
}
