import type { Readable } from 'node:stream';

/** The files that documents were made of, for reading. */
export interface Originals {
  /** Never throws for a file that must not be shown: that is a refusal. Throws `cancelled` and `internal` only. */
  open(document: CrawledDocument, signal: AbortSignal): Promise<OpenOriginal | OriginalRefusal>;
}

export interface CrawledDocument {
  readonly id: string;
  /** `path.real` of the document. */
  readonly path: string;
}

export interface OpenOriginal {
  readonly kind: 'open';
  /** Bytes. */
  readonly size: number;
  readonly modifiedMs: number;
  /** From one byte to another, both included. */
  read(start: number, end: number): Promise<Readable>;
  close(): Promise<void>;
}

export interface OriginalRefusal {
  readonly kind: 'refused';
  readonly why: keyof typeof refusals;
}

/** Why a file is not shown, in words that tell nothing about what there is. */
export const refusals = {
  upload: 'The document was sent to the service, which keeps no file of it.',
  remote: 'The file is on another machine. Only files of this machine can be opened.',
  gone: 'The file is no longer where it was.',
  left_out: 'A rule of the job leaves the file out now.',
  outside: 'The document is not one that this job has crawled.',
  denied: 'The file cannot be opened.',
} as const;

export function refuse(why: OriginalRefusal['why']): OriginalRefusal {
  return { kind: 'refused', why };
}
