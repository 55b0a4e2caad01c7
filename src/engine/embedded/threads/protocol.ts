import type { IndexOverview, IndexSummary, SearchResponse, StoredDocument, WriteOutcome } from '../../engine.js';
import type { IndexIncident } from '../../index-incidents.js';
import type { ColumnPage } from '../search/column-reader.js';
import type { HitRange, ListedHits, PageOfHits } from '../search/listed-hits.js';

/** What the threads of the engine offer it: contracts of `base/rpc`. */

/** Every thread: finishes what it was given and closes its connection. Nothing keeps it alive then. */
export interface Closing {
  close(): Promise<void>;
}

/** The one thread that writes. */
export interface IndexWriting extends Closing {
  write(operations: readonly OperationMessage[]): Promise<readonly WriteOutcome[]>;
  /** Between two commits. */
  overview(index: string): Promise<IndexOverview>;
}

/** A thread that reads, one call at a time. */
export interface IndexReading extends Closing {
  search(request: SearchCall): Promise<SearchResponse>;
  listHits(request: SearchCall): Promise<ListedHits>;
  readHits(request: SearchCall & { readonly place: HitRange }): Promise<PageOfHits>;
  count(request: CountCall): Promise<number>;
  get(index: string, id: string): Promise<StoredDocument | undefined>;
  scan(request: ScanCall): Promise<ScanPage | ColumnPage>;
  indices(): Promise<readonly IndexSummary[]>;
  check(cursor: CheckCursor | undefined, limits: CheckLimits): Promise<CheckSlice>;
  mapping(index: string): Promise<Readonly<Record<string, unknown>>>;
}

/** The thread that repairs a damaged index, a step a call. */
export interface IndexRepairing extends Closing {
  repair(request: RepairCall): Promise<RepairStep>;
}

/**
 * A document travels as JSON text: it is turned into text once, in the engine, where one that cannot be (too deep, too large)
 * costs only itself, and is stored as that text.
 */
export type OperationMessage =
  | {
      readonly kind: 'index';
      readonly index: string;
      readonly id: string | undefined;
      readonly json: string;
      /** Keep the document that is there. */
      readonly create: boolean;
    }
  | { readonly kind: 'delete'; readonly index: string; readonly id: string };

/** A call that may take long. */
interface Limited {
  readonly timeMs: number;
}

export interface SearchCall extends Limited {
  readonly index: string;
  readonly body: object;
}

export interface CountCall extends Limited {
  readonly index: string;
  readonly query: object | undefined;
}

export interface ScanCall {
  readonly index: string;
  readonly after: number;
  readonly fields: readonly string[] | undefined;
}

export interface ScanPage {
  readonly documents: readonly StoredDocument[];
  /** Where the next page begins; undefined after the last document. */
  readonly next: number | undefined;
}

/** Where a check continues: the words of an index first, then its documents by row. */
export interface CheckCursor {
  readonly index: number;
  readonly after: 'words' | number;
}

export interface CheckLimits {
  /** The slice ends with the document on which this time is over. */
  readonly timeMs: number;
  /** Makes the rows of each document anew and compares them. */
  readonly deep: boolean;
}

export interface CheckSlice {
  /** Undefined when everything was checked. */
  readonly next: CheckCursor | undefined;
  /** Documents that this slice has checked. */
  readonly documents: number;
}

export interface RepairCall {
  readonly reason: string;
  readonly fallback: string;
}

export interface RepairStep {
  /** Documents so far. */
  readonly recovered: number;
  /** Undefined until it is done. */
  readonly incident: IndexIncident | undefined;
}

/** What a thread is started with. */
export interface ThreadData {
  readonly path: string;
  /** One 32-bit number: nobody waits any more for the answers of this call and of those before it. */
  readonly cancelled: SharedArrayBuffer;
}
