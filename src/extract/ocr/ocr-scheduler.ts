import type { RecognisedPage } from '../recognised-page.js';

/**
 * Decides how many pictures of a document may be recognised in parallel, which depends on what other processes do. It is
 * notified when the document waits for OCR.
 */
export interface OcrScheduler {
  /** At least 1. */
  readonly atOnce: number;
  /** Recognition of a picture has started, and takes at most this long. That time does not count for the document. */
  begin(atMostMs: number, page?: RecognisedPage): void;
  end(): void;
  /** Called when `atOnce` has changed. */
  onChange: (() => void) | undefined;
}

/** Outside of an extraction process: one picture at a time. */
export function defaultOcrScheduler(): OcrScheduler {
  return { atOnce: 1, begin: () => undefined, end: () => undefined, onChange: undefined };
}
