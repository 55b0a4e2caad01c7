import type { ErrorCode } from '../../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';
import type { RecognisedPage } from '../../recognised-page.js';

/**
 * The messages between the pool and its processes. Documents are sent in groups and processed in that order; answers return in
 * the same order, also in groups. A document that was dropped before it was started is never answered.
 */
export type PoolMessage =
  | { readonly kind: 'extract'; readonly documents: readonly SentDocument[] }
  /** Do not start these; answered with `dropped`, which lists those that had not been started. */
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** How many pages may be recognised at the same time, from now on; 1 until the first such message. */
  | { readonly kind: 'pages'; readonly atOnce: number };

export interface SentDocument {
  readonly id: number;
  /** Without `place` and `size`, which only the pool needs. */
  readonly request: ExtractionRequest;
}

export type ProcessMessage =
  /** The first message of every process. */
  | { readonly kind: 'ready' }
  /** `isLast`: the last answer of its group. */
  | { readonly kind: 'answer'; readonly answer: ReceivedAnswer; readonly isLast: boolean }
  /** What is new in the current document since the last such message, should the process not finish it. */
  | { readonly kind: 'partial'; readonly part: PartialBytes }
  | { readonly kind: 'dropped'; readonly ids: readonly number[] }
  /** Recognition of a page of the current document has started, and ends within this time; or it has ended. */
  | { readonly kind: 'recognising'; readonly atMostMs: number; readonly page: RecognisedPage | undefined }
  | { readonly kind: 'recognised' };

/** The answer to one document. An error means that the document could not be opened. */
export interface ProcessAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  readonly result: { readonly extraction: Extraction } | { readonly error: AnswerError };
}

/** An answer as received. The extraction stays bytes until it is checked against the request. */
export interface ReceivedAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  readonly result: { readonly extraction: ExtractionBytes } | { readonly error: AnswerError };
}

export interface AnswerError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** An extraction in transfer: text and base64 as bytes, everything else as JSON. */
export interface ExtractionBytes {
  readonly facts: Buffer;
  readonly text: Buffer;
  readonly source: Buffer | undefined;
}

/** A part of a partial result in transfer. */
export type PartialBytes = Omit<ExtractionBytes, 'source'>;

/** File descriptors of a sandbox process, after the three standard ones. */
export const descriptors = { input: 3, toPool: 4 } as const;

/** Kinds of frames to a process. `content` precedes the `extract` that refers to it. */
export const poolFrame = { extract: 1, drop: 2, pages: 3, content: 16 } as const;

/** Kinds of frames from a process. The bodies of an extraction directly precede their `answer` or `partial`. */
export const processFrame = {
  ready: 1,
  answer: 2,
  dropped: 3,
  recognising: 4,
  recognised: 5,
  partial: 6,
  facts: 16,
  text: 17,
  source: 18,
} as const;
