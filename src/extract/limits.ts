import type { ExtractionOptions } from './extraction.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** What one document may cost inside the sandbox. Each ends the document with its reason; what was found before stays. */
export interface DocumentLimits {
  /** Larger files of formats that need all their bytes get their metadata only (`too_large`). */
  readonly fileBytes: number;
  /** Of larger files of formats whose metadata stand in front (audio, video), only so much is read. */
  readonly headBytes: number;
  /** Larger files are not returned as base64. */
  readonly sourceBytes: number;
  /** Characters of text even when the request sets no limit. */
  readonly outputCharacters: number;
  /** One unpacked part (archive entry, attachment). */
  readonly entryBytes: number;
  /** All unpacked bytes of one document together. */
  readonly unpackedBytes: number;
  /** A compressed stream that grows by more than this factor is a bomb, once it has passed `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Parts in one document, at all depths together. */
  readonly parts: number;
  /** Parts within parts. */
  readonly depth: number;
  /** Time after which a format that comes by is stopped, without the time for recognition. */
  readonly timeMs: number;
  /** Resident memory of the process beyond which a format that comes by is stopped. */
  readonly memoryBytes: number;
}

/** What one child process may cost. */
export interface WorkerLimits {
  /** Wall clock for one document, from the moment the process begins with it. */
  readonly documentMs: number;
  /** Resident memory beyond which the process is killed (Linux; elsewhere only the heap limit holds). */
  readonly memoryBytes: number;
  /** V8 heap (`--max-old-space-size`). */
  readonly heapMib: number;
  /** A process beyond this is replaced once it has finished what it holds: WASM memory never shrinks. */
  readonly recycleBytes: number;
  readonly recycleDocuments: number;
  /** A process without work ends after this. */
  readonly idleMs: number;
}

export interface ExtractionLimits {
  readonly document: DocumentLimits;
  readonly worker: WorkerLimits;
}

/** The part of the time and memory of a process after which a document should end by itself, to keep what was found. */
export const OWN_END = 0.9;

export const defaultLimits: ExtractionLimits = {
  document: {
    fileBytes: 256 * MIB,
    headBytes: 64 * MIB,
    sourceBytes: 128 * MIB,
    outputCharacters: 50_000_000,
    entryBytes: 256 * MIB,
    unpackedBytes: 512 * MIB,
    ratio: 200,
    ratioFromBytes: 32 * MIB,
    parts: 2_000,
    depth: 8,
    timeMs: OWN_END * 60_000,
    memoryBytes: OWN_END * 1024 * MIB,
  },
  worker: {
    documentMs: 60_000,
    memoryBytes: 1024 * MIB,
    heapMib: 512,
    recycleBytes: 400 * MIB,
    recycleDocuments: 50_000,
    idleMs: 60_000,
  },
};

/** Pictures of one document whose text is recognised: more are a gallery, and the time is better spent on other documents. */
export const MOST_PICTURES = 2_000;

/** What is kept of one document, whatever is in it. */
export const MOST_WARNINGS = 100;
/** Longer documents have their last hits on the last page that is known. */
export const MOST_PAGES = 100_000;
/** Keys of the document found by a format; the few that every document has come on top. */
export const MOST_FORMAT_KEYS = 1_000;
export const MOST_METADATA_KEYS = MOST_FORMAT_KEYS + 100;
export const MOST_METADATA_VALUES = 1_000;
export const LONGEST_METADATA_VALUE = 100_000;

/** Characters of text of a document. */
export function mostCharacters({ maxCharacters }: ExtractionOptions, { outputCharacters }: DocumentLimits): number {
  return maxCharacters < 0 ? outputCharacters : Math.min(maxCharacters, outputCharacters);
}

export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MIB)} MB`;
}
