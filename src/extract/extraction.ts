import type { DocumentTime } from '../model/document-time.js';
import type { Problem } from '../model/reason.js';
import type { KindTime } from './kind-times.js';

/** What is asked of an extractor service for one document, and what comes back. Plain data: it crosses processes. */
export interface ExtractionRequest {
  /** File name, used as a hint for the type and kept as `resourceName`. */
  readonly name: string;
  /** Where the document comes from, for people who ask what is under way; `name` when left out. */
  readonly place?: string;
  /** Bytes, as far as the caller knows. */
  readonly size?: number;
  readonly content: ExtractionContent;
  readonly options: ExtractionOptions;
}

export type ExtractionContent =
  | { readonly kind: 'path'; readonly path: string | Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export interface OcrOptions {
  readonly enabled: boolean;
  readonly language: string;
  readonly path: string | undefined;
  readonly dataPath: string | undefined;
  readonly outputType: 'txt' | 'hocr';
  readonly pdfStrategy: 'ocr_and_text' | 'ocr_only' | 'auto' | 'no_ocr';
  readonly pageSegMode: number;
  readonly preserveInterwordSpacing: boolean;
  /** For one page or picture. */
  readonly pageTimeoutMs: number;
  /** For all pages and pictures of one document together. */
  readonly documentTimeoutMs: number;
}

export interface ExtractionOptions {
  /** Characters of text to keep; -1 is unlimited, 0 keeps none (metadata and checksum are still produced). */
  readonly maxCharacters: number;
  readonly detectLanguage: boolean;
  /** node:crypto name of a digest over the file's bytes, or undefined. */
  readonly checksum: string | undefined;
  /** Return the bytes as base64. */
  readonly includeSource: boolean;
  /** Tried in order after "no password". */
  readonly passwords: readonly string[];
  readonly ocr: OcrOptions;
}

/** A part inside a document (archive entry, attachment, embedded object): its text is `text.slice(from, to)` of the whole. */
export interface ExtractedMember {
  readonly name: string;
  readonly contentType: string;
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  readonly metadata: Metadata;
}

/** Tika's key names (`dc:creator`, `dcterms:created`, `tk:Parsed-By` …); values in the order found. */
export type Metadata = Readonly<Record<string, readonly string[]>>;

export interface Extraction {
  readonly text: string;
  /** True when `maxCharacters` cut the text. */
  readonly truncated: boolean;
  /** Where the pages or slides of the document begin in `text`; left out or empty when it has none, or nobody knows. */
  readonly pages?: readonly number[];
  readonly contentType: string | undefined;
  readonly metadata: Metadata;
  /** ISO 639-1 code of the text's language, when asked for and detected with confidence. */
  readonly language: string | undefined;
  /** Lower-case hex. */
  readonly checksum: string | undefined;
  /** Base64. */
  readonly source: string | undefined;
  /** Bytes that were really read. */
  readonly size: number;
  readonly members: readonly ExtractedMember[];
  readonly warnings: readonly string[];
  /** Why text is missing or incomplete. The document is still indexed with what there is. */
  readonly problem: Problem | undefined;
}

/** The service behind which extraction happens: a pool of child processes, or a Tika server. */
export interface ExtractorService {
  /** Changes whenever the same bytes may give another result; part of what decides about re-indexing. */
  readonly version: string;
  /**
   * Never rejects because of the document: whatever a document does ends in an Extraction with a `problem`.
   * Rejects with `cancelled` when the signal is aborted, with `not_found` or `denied` when the path cannot be opened, with
   * `unavailable` when a server that does the work is away, and with `unsupported` when only such a server could do it.
   * @param queueSignal cancels as well, but only until the extraction has begun
   */
  extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction>;
  /** How many documents are worked on at the same time. */
  readonly concurrency: number;
  /** What it is doing at this moment. Cheap. */
  activity(): ExtractionActivity;
  close(): Promise<void>;
}

export interface ExtractionActivity {
  /** What is being extracted, one line for each busy process or connection. */
  readonly current: readonly DocumentTime[];
  /** Documents that wait for a free one. */
  readonly waiting: number;
  /** Since the program started, longest first. */
  readonly slowest: readonly DocumentTime[];
  /** Since the program started, by kind of document; left out where nobody measures it. */
  readonly kinds?: readonly KindTime[];
}
