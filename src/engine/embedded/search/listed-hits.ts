import type { Hit, SearchResponse } from '../../engine.js';

/** What is kept of a search whose hits are read on page by page. */
export interface ListedHits {
  /** The hits come in the order of their rows, so that a page needs to know only where the one before has ended. */
  readonly byRow: boolean;
  /** The rows of all hits in their order; empty when they come by row. */
  readonly rows: Float64Array;
  /** The score of each row, when the search scores. */
  readonly scores: Float64Array | undefined;
  readonly total: SearchResponse['hits']['total'];
  /** The best hit comes first, so that its score is the highest one. */
  readonly byScore: boolean;
  readonly aggregations?: Readonly<Record<string, unknown>>;
}

/** A page: so many hits behind a row, or those of a list. */
export type HitRange =
  | { readonly kind: 'behind'; readonly row: number; readonly size: number }
  | { readonly kind: 'rows'; readonly rows: readonly number[]; readonly scores: readonly number[] | undefined };

/** Hits whose documents are gone are left out. */
export interface PageOfHits {
  readonly hits: readonly Hit[];
  /** The last row that was looked at; undefined when there was none. */
  readonly lastRow: number | undefined;
}

/** Sixteen bytes each, and some hundred for a moment. Only a search in another order than that of the rows needs a list. */
export const MAX_LISTED = 1_000_000;
