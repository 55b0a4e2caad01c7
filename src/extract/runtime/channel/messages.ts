import type { ErrorCode } from '../../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';

/**
 * What the pool and its processes tell each other. Documents go out in groups and are worked on in that order; answers come
 * back in the same order, also in groups. A document that was dropped before it was begun is never answered.
 */
export type PoolMessage =
  | { readonly kind: 'extract'; readonly documents: readonly SentDocument[] }
  /** Do not begin these; answered with `dropped`, which lists those that had not been begun. */
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** How many pages may be recognised at the same time, from now on; 1 until the first such message. */
  | { readonly kind: 'pages'; readonly atOnce: number };

export interface SentDocument {
  readonly id: number;
  /** Without what only the pool needs (`place`, `size`). */
  readonly request: ExtractionRequest;
}

export type ProcessMessage =
  /** The first message of every process. */
  | { readonly kind: 'ready' }
  /** `isLast`: no other answer has been sent together with it. */
  | { readonly kind: 'answer'; readonly answer: ReceivedAnswer; readonly isLast: boolean }
  | { readonly kind: 'dropped'; readonly ids: readonly number[] }
  /** Recognition of a page of the document at work begins, which ends by itself within this time; or it has ended. */
  | { readonly kind: 'recognising'; readonly atMostMs: number }
  | { readonly kind: 'recognised' };

/** What a process says of a document. An error only says that the document could not be opened. */
export interface ProcessAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  readonly result: { readonly extraction: Extraction } | { readonly error: AnswerError };
}

/** The same as it has come: an extraction is still bytes, until it is known what may be in it. */
export interface ReceivedAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  readonly result: { readonly extraction: ExtractionBytes } | { readonly error: AnswerError };
}

export interface AnswerError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** An extraction on its way: its text and its base64 travel as bytes, everything else as JSON. */
export interface ExtractionBytes {
  readonly facts: Buffer;
  readonly text: Buffer;
  readonly source: Buffer | undefined;
}

/** Descriptors of a process, behind the three standard ones, as the pool opens them. */
export const descriptors = { fromPool: 3, toPool: 4, partialResult: 5 } as const;

/** Kinds of frames to a process. `content` comes in front of the `extract` that refers to it. */
export const poolFrame = { extract: 1, drop: 2, pages: 3, content: 16 } as const;

/** Kinds of frames from a process. The bodies of an extraction come directly in front of their `answer`. */
export const processFrame = {
  ready: 1,
  answer: 2,
  dropped: 3,
  recognising: 4,
  recognised: 5,
  facts: 16,
  text: 17,
  source: 18,
} as const;
