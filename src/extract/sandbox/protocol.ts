import type { ErrorCode } from '../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../extraction.js';
import type { RecognisedPage } from '../ocr/recognition-desk.js';

/**
 * Messages between the pool and its processes. Documents go out in groups and are worked on in that order; answers come
 * back in the same order, also in groups. A document that was dropped before it was begun is never answered.
 */
export type ToSandbox =
  | { readonly kind: 'extract'; readonly documents: readonly SandboxDocument[] }
  /** Do not begin these; answered with `dropped`, which lists those that had not been begun. */
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** How many pages may be recognised at the same time, from now on; 1 until the first such message. */
  | { readonly kind: 'pages'; readonly atOnce: number };

export interface SandboxDocument {
  readonly id: number;
  readonly request: ExtractionRequest;
}

export type FromSandbox =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answers'; readonly answers: readonly SandboxAnswer[] }
  | { readonly kind: 'dropped'; readonly ids: readonly number[] }
  /** Recognition of a page of the document at work begins, which ends by itself within this time; or it has ended. */
  | { readonly kind: 'recognising'; readonly atMostMs: number; readonly page: RecognisedPage | undefined }
  | { readonly kind: 'recognised' };

export interface SandboxAnswer {
  readonly id: number;
  readonly elapsedMs: number;
  /** An error only says that the document could not be opened; whatever happens inside it is an extraction. */
  readonly result:
    { readonly extraction: Extraction } | { readonly error: { readonly code: ErrorCode; readonly message: string } };
}
