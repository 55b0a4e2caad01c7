import type { DocumentSource } from '../model/document.js';

/**
 * The search index. Requests and answers have Elasticsearch's shapes, which the embedded engine answers as a subset:
 * moving from one to the other changes a URL, not a caller. What counts as a word differs (docs/text-analysis.md).
 */
export type WriteOperation =
  | {
      readonly kind: 'index';
      readonly index: string;
      /** Undefined lets the engine choose one. */
      readonly id: string | undefined;
      readonly document: DocumentSource;
      /** `create` keeps an existing document and counts as success. */
      readonly mode?: 'index' | 'create';
      /** Ingest pipeline, where the engine has such. */
      readonly pipeline?: string;
    }
  | { readonly kind: 'delete'; readonly index: string; readonly id: string };

/** Same order as the operations. Deleting a missing document is `not_found`: an outcome, not an exception. */
export type WriteOutcome =
  | { readonly ok: true; readonly id: string }
  | {
      readonly ok: false;
      readonly id: string | undefined;
      readonly code: 'rate_limited' | 'unavailable' | 'rejected' | 'not_found';
      readonly message: string;
      /** With `unavailable`: the engine's own disk is full, which does not pass by waiting. */
      readonly isDiskFull?: boolean;
    };

export interface SearchRequest {
  readonly index: string;
  /** The body of an Elasticsearch `_search` request. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: DocumentSource;
  readonly highlight?: Readonly<Record<string, readonly string[]>>;
  readonly sort?: readonly unknown[];
  /** With `collapse`: the value that the hit stands for. */
  readonly fields?: Readonly<Record<string, readonly unknown[]>>;
}

/** A word of a text with those that may have been meant. */
export interface SuggestedWord {
  readonly text: string;
  /** Characters of the text before the word, and of the word. */
  readonly offset: number;
  readonly length: number;
  readonly options: readonly { readonly text: string; readonly score: number; readonly freq: number }[];
}

export interface SearchResponse {
  readonly took: number;
  readonly timed_out: boolean;
  readonly hits: {
    readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' };
    readonly max_score: number | null;
    readonly hits: readonly Hit[];
  };
  readonly aggregations?: Readonly<Record<string, unknown>>;
  readonly suggest?: Readonly<Record<string, readonly SuggestedWord[]>>;
}

/**
 * All hits of a search in the order that they had when it was opened, to be read page by page. What was indexed since is
 * not among them, and no hit is listed twice or left out for it. A document is read as it is now, and passed over when it
 * is gone.
 */
export interface HitList {
  /** How many places the list takes in memory, sixteen bytes each; none when it is in the order of the index. */
  readonly held: number;
  /** The best hit comes first. */
  readonly byScore: boolean;
  /** Of the moment when it was opened. */
  readonly total: SearchResponse['hits']['total'];
  readonly aggregations?: Readonly<Record<string, unknown>>;
  /**
   * The hits behind a place, less than `size` only at the end (`fill`) or where documents are gone. `body` is the search once more, and may show other parts of
   * the documents. Throws `not_found` when the index was replaced or lost.
   */
  read(page: HitPage, signal: AbortSignal): Promise<{ readonly hits: readonly Hit[]; readonly place: number }>;
  /** The place behind the hit whose value of `_shard_doc` this is; undefined when it is not in the list. */
  behind(shardDoc: number): number | undefined;
}

export interface HitPage {
  /** 0 begins; otherwise where the page before has ended. */
  readonly place: number;
  readonly size: number;
  /** The next hits take the places of those that are gone. */
  readonly fill: boolean;
  readonly body: SearchRequest['body'];
}

export interface StoredDocument {
  readonly index: string;
  readonly id: string;
  readonly version: number;
  readonly source: DocumentSource;
}

export interface IndexSummary {
  readonly index: string;
  readonly documents: number;
  readonly bytes: number;
}

/** What an index holds, in one line. */
export interface IndexOverview {
  readonly documents: number;
  /** The most frequent extensions of files, the most frequent first. */
  readonly extensions: readonly { readonly extension: string; readonly documents: number }[];
}

export interface CheckOptions {
  /** Makes anew from each document what it is found by, and compares that as well. */
  readonly deep: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (documents: number) => void;
}

/** A line of a diagnosis. `skipped` could not or need not be checked. */
export interface EngineFinding {
  readonly name: 'templates' | 'mapping';
  readonly status: 'ok' | 'warning' | 'skipped';
  readonly text: string;
  /** What to do about a warning. */
  readonly remedy?: string;
}

export interface SearchEngine {
  readonly type: 'embedded' | 'elastic';
  /** For people: `embedded-0.1.0`, `8.15.3`, `serverless`. */
  version(signal: AbortSignal): Promise<string>;
  /** Opens or connects, creates what must exist. Returns the identity of the index. May be called again. */
  prepare(signal: AbortSignal): Promise<{ readonly identity: string }>;
  /**
   * The identity of the index as it is now. It changes when the index was lost or replaced, so that the crawler notices
   * that its catalog speaks of another index.
   */
  identity(signal: AbortSignal): Promise<string>;
  /** When it resolves, every ok operation is durable and visible to `get` and `search`. Throws only when cancelled or closed. */
  write(operations: readonly WriteOperation[], signal: AbortSignal): Promise<readonly WriteOutcome[]>;
  get(index: string, id: string, signal: AbortSignal): Promise<StoredDocument | undefined>;
  /** Throws `unsupported` for what the engine cannot answer, `not_found` when the index does not exist. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;
  /** Throws as `search` does. An engine whose clients do not come through the crawler has none. */
  listHits?(request: SearchRequest, signal: AbortSignal): Promise<HitList>;
  count(index: string, query: Readonly<Record<string, unknown>> | undefined, signal: AbortSignal): Promise<number>;
  /**
   * Every document of an index in pages, in a stable order, whatever its size. `fields` (`file.filesize`) names the parts
   * that are wanted; an engine may give more.
   */
  scan(index: string, signal: AbortSignal, fields?: readonly string[]): AsyncIterable<readonly StoredDocument[]>;
  indices(signal: AbortSignal): Promise<readonly IndexSummary[]>;
  /** An engine that has no quicker way than a search (`searchOverview`) has no such method. Throws as `search` does. */
  overview?(index: string, signal: AbortSignal): Promise<IndexOverview>;
  /** Field mapping in Elasticsearch's shape: `{properties: {…}}`. */
  mapping(index: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Reads everything that the engine keeps in the job's folder and compares it with what was written. Throws `unavailable` with
   * a sentence at the first corruption. An engine that keeps nothing there has no such method.
   */
  check?(options: CheckOptions): Promise<void>;
  /** What an operator should know about the job's indices in this engine, for `crawler doctor`. Changes nothing. */
  diagnose(signal: AbortSignal): Promise<readonly EngineFinding[]>;
  /** Where a document can be read over HTTP. The id is percent-encoded only where a URL would break. */
  urlOf(index: string, id: string): string;
  close(): Promise<void>;
}
