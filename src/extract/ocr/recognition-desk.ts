/**
 * What the process around a document has to say about recognition: how many pictures may be read at the same time, which
 * follows what the other processes do, and who is told that the document is waiting for it.
 */
export interface RecognitionDesk {
  /** At least 1. */
  readonly atOnce: number;
  /** A picture is being read, which takes at most so long; not counted as time of the document. */
  begin(atMostMs: number, page?: RecognisedPage): void;
  end(): void;
  /** Called whenever `atOnce` has changed. */
  onChange: (() => void) | undefined;
}

/** A page of a document, counted from 1. */
export interface RecognisedPage {
  readonly page: number;
  readonly pages: number;
}

/** Where there is no process around: one picture at a time. */
export function lonelyDesk(): RecognitionDesk {
  return { atOnce: 1, begin: () => undefined, end: () => undefined, onChange: undefined };
}
