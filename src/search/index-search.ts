import { CrawlerError } from '../base/errors.js';
import type { Hit, SearchEngine, SearchResponse } from '../engine/engine.js';
import { decodeCursor, encodeCursor, type Cursor } from './cursor.js';
import { fieldNames } from './field-names.js';
import { filterQueries } from './filter-query.js';
import type { FindRequest } from './find-request.js';
import { foundHit, HIT_FIELDS, type FoundHit } from './found-hit.js';
import { compileQuery } from './query/compile-query.js';
import { parseQuery } from './query/parse-query.js';
import { fieldsOf } from './query/query-node.js';
import { isShortName } from './query/short-names.js';
import { randomMarks } from './segments.js';
import { sortKeys } from './sort-order.js';

/** The index that is searched, and how. */
export interface SearchedIndex {
  readonly engine: SearchEngine;
  readonly index: string;
  /** Where words are looked for, with weights: `meta.title^3`. */
  readonly searchFields: readonly string[];
  /** Queries that every hit has to pass, whatever is asked for. */
  readonly filter?: readonly object[];
}

export interface FindPage {
  /** Hits of a page; 0 only counts. */
  readonly size: number;
  /** `next` of the page before, or the number of hits to pass over. */
  readonly start?: { readonly after: string } | { readonly from: number };
  /** How far hits are counted; `exact` counts all. */
  readonly count?: number | 'exact';
  /** Passages of each document. */
  readonly snippets?: number;
  /** Of each passage, about. */
  readonly snippetCharacters?: number;
}

export interface FindAnswer {
  /** Milliseconds in the engine. */
  readonly took: number;
  readonly total: number;
  readonly total_relation: 'eq' | 'gte';
  readonly hits: readonly FoundHit[];
  /** Cursor of the next page; null behind the last hit. */
  readonly next: string | null;
}

const COUNTED = 10_000;
const SNIPPET_CHARACTERS = 240;
const SNIPPETS = 3;
/** As far as the engines read a text for what is to be marked. */
export const HIGHLIGHTED_CHARACTERS = 1_000_000;
const NAME_FIELDS = ['file.filename', 'path.virtual.fulltext'];

/** Searches for people and assistants, over either engine. Throws `corrupt` with a sentence for a request that is wrong. */
export class IndexSearch {
  readonly #searched: SearchedIndex;

  constructor(searched: SearchedIndex) {
    this.#searched = searched;
  }

  get searched(): SearchedIndex {
    return this.#searched;
  }

  async find(request: FindRequest, page: FindPage, signal: AbortSignal): Promise<FindAnswer> {
    const { engine } = this.#searched;
    const cursor = cursorOf(request, page);
    const marks = randomMarks();
    const body = {
      query: await this.query(request, signal),
      size: page.size,
      ...startOf(page, cursor),
      sort: sortKeys(request.sort, engine.type),
      track_total_hits: cursor === undefined ? (page.count === 'exact' ? true : (page.count ?? COUNTED)) : false,
      _source: { includes: HIT_FIELDS },
      highlight: {
        pre_tags: [marks.on],
        post_tags: [marks.off],
        fields: {
          content: {
            number_of_fragments: page.snippets ?? SNIPPETS,
            fragment_size: page.snippetCharacters ?? SNIPPET_CHARACTERS,
          },
          'file.filename': { number_of_fragments: 0 },
          'meta.title': { number_of_fragments: 0 },
        },
      },
    };
    const { took, hits } = await this.run(body, signal);
    const total = cursor?.total ?? hits.total;
    const texts = await Promise.all(hits.hits.map((hit) => this.#textOf(hit, signal)));
    const last = hits.hits.length === page.size ? hits.hits.at(-1)?.sort : undefined;
    return {
      took,
      total: total.value,
      total_relation: total.relation,
      hits: hits.hits.map((hit, at) => foundHit(hit, marks, texts[at])),
      next: last === undefined ? null : encodeCursor({ after: last, total }, request),
    };
  }

  /** How many documents a request finds, counted up to `limit`. */
  async count(request: FindRequest, limit: number, signal: AbortSignal): Promise<number> {
    const body = { query: await this.query(request, signal), size: 0, track_total_hits: limit };
    return (await this.run(body, signal)).hits.total.value;
  }

  async query(request: FindRequest, signal: AbortSignal): Promise<object> {
    const filter = [...(this.#searched.filter ?? []), ...filterQueries(request.filters)];
    const words = await this.wordsQuery(request, request.in === 'name' ? NAME_FIELDS : undefined, signal);
    return filter.length === 0 ? words : { bool: { must: [words], filter } };
  }

  /** The query of the words alone. */
  async wordsQuery(
    { q, any }: Pick<FindRequest, 'q' | 'any'>,
    fields: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<object> {
    const { engine, index, searchFields } = this.#searched;
    const otherwise = any ? 'or' : 'and';
    const node = parseQuery(q, otherwise);
    const inFull = fieldsOf(node).some(({ name }) => !isShortName(name));
    const indexFields = inFull ? await fieldNames(engine, index, signal) : [];
    return compileQuery(node, { fields: fields ?? searchFields, engine: engine.type, indexFields, otherwise });
  }

  /** A search of the index. One that does not exist yet holds nothing. */
  async run(body: Readonly<Record<string, unknown>>, signal: AbortSignal, index?: string): Promise<SearchResponse> {
    try {
      return await this.#searched.engine.search({ index: index ?? this.#searched.index, body }, signal);
    } catch (error) {
      if (error instanceof CrawlerError && error.code === 'not_found') return NOTHING;
      throw error;
    }
  }

  /** Only a document with pages is read once more, for its text. */
  async #textOf(hit: Hit, signal: AbortSignal): Promise<string | undefined> {
    if (hit.highlight?.['content'] === undefined || hit._source?.['pages'] === undefined) return undefined;
    const stored = await this.#searched.engine.get(hit._index, hit._id, signal);
    const content = stored?.source['content'];
    return typeof content === 'string' ? content : undefined;
  }
}

const NOTHING: SearchResponse = {
  took: 0,
  timed_out: false,
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

function cursorOf(request: FindRequest, { start }: FindPage): Cursor | undefined {
  return start !== undefined && 'after' in start ? decodeCursor(start.after, request) : undefined;
}

function startOf({ start }: FindPage, cursor: Cursor | undefined): object {
  if (cursor !== undefined) return { search_after: cursor.after };
  return start !== undefined && 'from' in start ? { from: start.from } : {};
}
