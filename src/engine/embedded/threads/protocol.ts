import type { ErrorCode } from '../../../base/errors.js';
import type { IndexSummary, SearchResponse, StoredDocument, WriteOutcome } from '../../engine.js';
import type { IndexIncident } from '../../index-incidents.js';
import type { ColumnPage } from '../search/column-reader.js';
import type { HitRange, ListedHits, PageOfHits } from '../search/listed-hits.js';

/**
 * What the engine and its threads say to each other. A document travels as JSON text: it is turned into text once, in the
 * engine, where one that cannot be (too deep, too large) costs only itself, and is stored as that text.
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

/** What each kind of call sends and gets. */
export interface Calls {
  write: { request: readonly OperationMessage[]; response: readonly WriteOutcome[] };
  search: { request: SearchCall; response: SearchResponse };
  listHits: { request: SearchCall; response: ListedHits };
  readHits: { request: SearchCall & { readonly place: HitRange }; response: PageOfHits };
  count: { request: { readonly index: string; readonly query: object | undefined } & Limited; response: number };
  get: { request: { readonly index: string; readonly id: string }; response: StoredDocument | undefined };
  scan: {
    request: { readonly index: string; readonly after: number; readonly fields: readonly string[] | undefined };
    response: ScanPage | ColumnPage;
  };
  indices: { request: undefined; response: readonly IndexSummary[] };
  check: { request: { readonly cursor: CheckCursor | undefined; readonly sliceMs: number }; response: CheckSlice };
  mapping: { request: { readonly index: string }; response: Readonly<Record<string, unknown>> };
  repair: { request: { readonly reason: string; readonly fallback: string }; response: RepairStep };
  close: { request: undefined; response: undefined };
}
export type CallName = keyof Calls;

/** A call that may take long. */
interface Limited {
  readonly timeMs: number;
}

interface SearchCall extends Limited {
  readonly index: string;
  readonly body: object;
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

export interface RepairStep {
  /** Documents so far. */
  readonly recovered: number;
  /** Undefined until it is done. */
  readonly incident: IndexIncident | undefined;
}

export interface CheckSlice {
  /** Undefined when everything was checked. */
  readonly next: CheckCursor | undefined;
  /** Documents that this slice has checked. */
  readonly documents: number;
}

export type CallMessage = {
  [Name in CallName]: { readonly number: number; readonly name: Name; readonly request: Calls[Name]['request'] };
}[CallName];

/** A call that a reader answers. */
export type ReadMessage = Exclude<CallMessage, { name: 'write' | 'repair' | 'close' }>;

export type AnswerMessage =
  | { readonly number: number; readonly ok: true; readonly response: unknown }
  | { readonly number: number; readonly ok: false; readonly failure: CallFailure };

/** A CrawlerError on its way between threads. */
export interface CallFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a thread is started with. */
export interface ThreadData {
  readonly path: string;
  /** One 32-bit number: nobody waits any more for the answers of this call and of those before it. */
  readonly cancelled: SharedArrayBuffer;
}
