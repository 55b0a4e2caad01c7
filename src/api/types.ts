import type { ErrorCode } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Problem, Reason } from '../model/reason.js';
import type { Settings } from './settings.js';

export type { ErrorCode, Logger, Problem, Reason, Settings };

/** Where a job is, and what holds for it. */
export interface JobOptions {
  /**
   * The folder that holds the jobs, as for `--config_dir` of the command line. No environment variable changes it.
   * Default: `~/.crawler`.
   */
  readonly configDir?: string;
  /**
   * Settings that win over those in the files of the job. Texts may hold placeholders (`${NAME}`), which are looked up in the
   * environment. Variables `CRAWLER_…` and `FSCRAWLER_…` are not read.
   */
  readonly settings?: Settings;
  /** Takes the messages of the program. Default: none. Nothing is ever written to the console or to log files. */
  readonly logger?: Logger;
  /** Ends what was begun: the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal;
}

export interface CrawlOptions extends JobOptions {
  /** How often to crawl; between runs lies `fs.update_rate`. 0 crawls nothing (for `rest`), -1 crawls until it is stopped. Default: 1. */
  readonly runs?: number;
  /** Index changes as they come, between the runs (setting `fs.watch`). Default: what the settings say. */
  readonly watch?: boolean;
  /** Start the REST service as well, at the setting `rest.url`. Then the crawl ends only when it is stopped. Default: false. */
  readonly rest?: boolean;
  /** Forget where the last run stood, and index every file again. Default: false. */
  readonly restart?: boolean;
  /** Called for every document that was indexed, moved, left out, refused or removed, in no particular order. */
  readonly onDocument?: (event: DocumentEvent) => void;
}

/** What became of one document. A file that has not changed since the last run is not mentioned. */
export interface DocumentEvent {
  /**
   * `indexed`: it is in the index, with a `problem` when (part of) its text is missing. `moved`: its file was renamed or moved.
   * `skipped`: its text does not match `fs.filters`. `failed`: it is not in the index. `removed`: its file is gone.
   */
  readonly state: 'indexed' | 'moved' | 'skipped' | 'failed' | 'removed';
  /** Its id in the index; undefined where it has none. */
  readonly id: string | undefined;
  /** Its file, as the source names it; undefined for one that was removed. */
  readonly path: string | undefined;
  readonly problem: Problem | undefined;
}

/** A crawl that is running. */
export interface Crawl extends AsyncDisposable {
  /** Name of the job: that of its folder in `configDir`. */
  readonly job: string;
  /** Address of the REST service, `http://127.0.0.1:8080`; undefined without one. */
  readonly url: string | undefined;
  /**
   * Resolves when the runs are over, or the crawl was stopped, and everything is closed. A run that failed is an outcome, not
   * an exception. Rejects with `cancelled` when `signal` was aborted.
   */
  readonly done: Promise<CrawlSummary>;
  /** What it does at this moment. */
  status(): CrawlStatus;
  /**
   * Finishes the documents that are being extracted (within 25 s), and closes everything. What was not begun is indexed by
   * the next crawl of the job. Safe to call twice.
   */
  stop(): Promise<void>;
}

export interface CrawlStatus {
  /** Documents of this run: those that were indexed, removed, and not indexed for an error. */
  readonly indexed: number;
  readonly removed: number;
  readonly failed: number;
  /** Files that the run has to look into; undefined while nobody has counted them. */
  readonly total: number | undefined;
  /** Documents indexed in a second, over the last half minute. */
  readonly filesPerSecond: number;
  /** Milliseconds; undefined while an estimate would be a guess. */
  readonly remainingMs: number | undefined;
  /** What is being extracted. */
  readonly current: readonly { readonly document: string; readonly elapsedMs: number }[];
}

export interface CrawlSummary {
  /** `failed`: the last run did not come to its end, or single files failed (see the setting `fs.continue_on_error`). */
  readonly outcome: 'completed' | 'failed' | 'stopped';
  /** Documents of the last run: those that were indexed, removed, and not indexed for an error. */
  readonly indexed: number;
  readonly removed: number;
  readonly failed: number;
  /** Documents that were left out because of `fs.filters`, in all runs. */
  readonly skipped: number;
  /** All files of the tree that are not in the index or lack text, by reason: also those that no run has touched now. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** What the last run failed of, as a sentence. */
  readonly error: string | undefined;
  /** From the call of `crawl` to the end. */
  readonly elapsedMs: number;
}

/** A document as it is in the index: `docs/documents.md` has every field. */
export type DocumentSource = Readonly<Record<string, unknown>>;

export interface SearchOptions {
  /** Hits to return. Default: 10. */
  readonly size?: number;
  /** Hits to pass over. Default: 0. */
  readonly from?: number;
  readonly signal?: AbortSignal;
}

/** The body of an Elasticsearch `_search` request: `query`, `aggs`, `sort`, `highlight` … (`docs/engines.md` has what the embedded index knows). */
export type SearchBody = Readonly<Record<string, unknown>>;

export interface SearchHit {
  readonly id: string;
  readonly index: string;
  /** How well it fits; null where the search asks for another order. */
  readonly score: number | null;
  readonly source: DocumentSource;
  /** Fragments with the words that were found between `<em>` and `</em>`, by field. */
  readonly highlight: Readonly<Record<string, readonly string[]>>;
}

export interface SearchResult {
  /** Documents that match, also those beyond `size`. */
  readonly total: number;
  /** The best first. */
  readonly hits: readonly SearchHit[];
  readonly aggregations: Readonly<Record<string, unknown>>;
}

export interface IndexedDocument {
  readonly id: string;
  readonly index: string;
  readonly source: DocumentSource;
}

/** The index of a job, opened for reading; a crawler may be running on the job at the same time. */
export interface SearchIndex extends AsyncDisposable {
  readonly job: string;
  /**
   * @param query words as in `crawler search` (`"a phrase"`, `pre*`, `field:word`, `AND`, `OR`, `NOT`), or a whole request
   * @throws CrawlerError `unsupported` for what the index cannot answer, `not_found` before the first crawl
   */
  search(query: string | SearchBody, options?: SearchOptions): Promise<SearchResult>;
  /** Number of documents; of those that match `query`, a query of the query language such as `{ term: { … } }`. */
  count(query?: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Undefined when there is no such document. */
  get(id: string, options?: { readonly signal?: AbortSignal }): Promise<IndexedDocument | undefined>;
  /** Every document, in a stable order, read as it is asked for: any number of them fits into memory. */
  documents(options?: { readonly signal?: AbortSignal }): AsyncIterable<IndexedDocument>;
  close(): Promise<void>;
}

/** A file by its path or `file:` URL, or the bytes of a document. */
export type ExtractInput = string | URL | Uint8Array;

export interface ExtractOptions {
  /** Name of the document, a hint for its type: `letter.docx`. Default: the name of the file. */
  readonly name?: string;
  /** Passwords to try on an encrypted document, in this order. */
  readonly passwords?: readonly string[];
  /** Characters of text to keep, 0 for none. Default: all (up to `limits.textCharacters`). */
  readonly maxCharacters?: number;
  /** Recognise the language of the text. Default: false. */
  readonly detectLanguage?: boolean;
  /** Digest of the bytes to return, by its name in `node:crypto`: `sha256`. */
  readonly checksum?: string;
  readonly signal?: AbortSignal;
}

export interface OcrOptions {
  /** Languages of tesseract, joined with `+`. Default: `eng`. */
  readonly language?: string;
  /** The program `tesseract`, or its folder. Default: found on the `PATH`, or the package `tesseract.js` beside this one. */
  readonly path?: string;
  /** Folder of the language data. */
  readonly dataPath?: string;
  /** Pages of PDF: those without text (`auto`), all in addition to their text, all instead of it, none. Default: `auto`. */
  readonly pdfStrategy?: 'auto' | 'ocr_and_text' | 'ocr_only' | 'no_ocr';
  /** Milliseconds for one page or picture. Default: 60,000. */
  readonly pageTimeoutMs?: number;
  /** Milliseconds for all pages and pictures of a document. Default: 1,800,000. */
  readonly documentTimeoutMs?: number;
}

/** What one document may cost. Beyond it, its extraction ends with a `problem` and what was found by then. */
export interface ExtractLimits {
  /** Milliseconds for a document, without recognition. Default: 60,000. */
  readonly timeMs?: number;
  /** Memory of a child process, in bytes. Default: 1 GiB. */
  readonly memoryBytes?: number;
  /** Characters of text. Default: 50,000,000. */
  readonly textCharacters?: number;
  /** Bytes of everything that is unpacked out of a document. Default: 512 MiB. */
  readonly unpackedBytes?: number;
  /** How many times its own size a document may unpack to, from 32 MiB on. Default: 200. */
  readonly ratio?: number;
  /** Parts in a document: archive entries, attachments. Default: 2,000. */
  readonly members?: number;
  /** Documents inside documents. Default: 8. */
  readonly depth?: number;
}

export interface ExtractorOptions {
  /** The most child processes. They are started when documents wait for them. Default: one for each core. */
  readonly processes?: number;
  /**
   * How the processes are kept from files, programs and the network: as this system offers it (`best`), fully or not at all
   * (`strict`: then every document is rejected with `settings_invalid`), or not (`off`). Default: `best`.
   */
  readonly sandbox?: 'strict' | 'best' | 'off';
  /** Recognition of text in pictures, where tesseract is installed. Default: false. */
  readonly ocr?: boolean | OcrOptions;
  readonly limits?: ExtractLimits;
  /** Takes the messages of the program. Default: none. */
  readonly logger?: Logger;
}

/** Extracts documents in child processes that are kept for the next ones. */
export interface Extractor extends AsyncDisposable {
  /** Changes when the same bytes may give another result. */
  readonly version: string;
  /**
   * Text and metadata of a document. What is wrong with the document is a `problem` of the result, not an exception.
   *
   * May be called for many documents at once: those that no process is free for wait in the order of the calls.
   * @throws CrawlerError `not_found` or `denied` for a path that cannot be read, `usage` for one that is no file,
   *   `cancelled` after an abort or `close`
   */
  extract(input: ExtractInput, options?: ExtractOptions): Promise<Extraction>;
  /** Ends the processes, with the documents that they are working on. */
  close(): Promise<void>;
}

/** Metadata by the key names of Apache Tika (`dc:title`, `dcterms:created` …), values in the order found. */
export type Metadata = Readonly<Record<string, readonly string[]>>;

/** A part inside a document: archive entry, attachment, embedded object. */
export interface ExtractedMember {
  readonly name: string;
  readonly contentType: string;
  /** 1 for a part of the document itself, 2 for a part of that … */
  readonly depth: number;
  /** Its text is `text.slice(from, to)` of the whole. */
  readonly from: number;
  readonly to: number;
  readonly metadata: Metadata;
}

export interface Extraction {
  readonly text: string;
  /** `maxCharacters` has cut the text. */
  readonly truncated: boolean;
  /** Where pages or slides begin in `text`; empty when there are none. */
  readonly pages: readonly number[];
  /** Media type, `application/pdf`; undefined when nobody knows. */
  readonly contentType: string | undefined;
  readonly metadata: Metadata;
  /** ISO 639-1 code, where it was asked for and is clear. */
  readonly language: string | undefined;
  /** Lower-case hex, where it was asked for. */
  readonly checksum: string | undefined;
  /** Bytes of the document. */
  readonly size: number;
  readonly members: readonly ExtractedMember[];
  /** What could not be read of the document, as sentences. */
  readonly warnings: readonly string[];
  /** Why text is missing or incomplete. */
  readonly problem: Problem | undefined;
}
