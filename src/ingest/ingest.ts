import type { Extraction } from '../extract/index.js';
import type { CrawlDocument } from '../model/document.js';
import type { Attributes, Entry } from '../model/entry.js';
import type { Problem } from '../model/reason.js';
import type { FileContent } from '../source/content.js';

/** What a document is made of: the content of a file, and what is known of it besides. */
export interface BuildRequest {
  readonly entry: Entry;
  /** A path and bytes stay where they are until the document is made; a stream is opened when its turn has come. */
  readonly content: FileContent;
  readonly place: DocumentLocation;
  /** Parsed JSON that is merged over the document (REST `tags`). */
  readonly tags?: unknown;
  /** The only password to try. Undefined means the job's password provider. */
  readonly password?: string;
  readonly attributes?: Attributes;
  /** Text of the folder's metadata file (`.meta.yml`), merged after the static one. */
  readonly folderMetadata?: { readonly name: string; readonly text: string };
  /** What its content is, if that is known already. */
  readonly extracted?: ExtractedText;
  /** Gives the document up as well, but only until its extraction has begun. */
  readonly queueSignal?: AbortSignal;
  /** Crawls apply fs.filters, json/xml modes and file times; uploads and fetches do not. */
  readonly origin: 'crawl' | 'rest';
}

/** A text that needed no process. */
export interface ExtractedText {
  readonly extraction: Extraction;
  readonly elapsedMs: number;
}

/**
 * The one way from content to an outcome: extract, build the document, write. Crawl, upload and fetch all take it; they
 * differ only in where the content is and in what they know about the place.
 */
export interface IngestItem extends BuildRequest {
  /** Document id; `_auto_` lets the engine choose; undefined means the hash rule of the job. */
  readonly id?: string;
  /** Target index; undefined means the job's. */
  readonly index?: string;
  /** Build the document, write nothing. */
  readonly simulate?: boolean;
}

/** The `path` object of the document and the name it is stored under. */
export interface DocumentLocation {
  readonly filename: string;
  readonly real: string;
  readonly virtual: string;
  /** Hash of the folder; absent for REST. */
  readonly root?: string;
  readonly url?: string;
}

export type IngestOutcome =
  | {
      readonly status: 'indexed';
      readonly id: string;
      readonly index: string;
      readonly filename: string;
      readonly document: CrawlDocument;
      /** Set when the document is in the index without (all of) its text. */
      readonly problem: Problem | undefined;
    }
  /** Left out by a rule (filters): not an error. */
  | { readonly status: 'skipped'; readonly filename: string; readonly problem: Problem }
  | {
      readonly status: 'failed';
      readonly id: string | undefined;
      readonly index: string;
      readonly filename: string;
      readonly problem: Problem;
    };

export interface RemoveOutcome {
  readonly ok: boolean;
  readonly id: string;
  readonly index: string;
  readonly reason: 'not_found' | 'rejected' | 'unavailable' | 'disk_full' | undefined;
  readonly message: string | undefined;
}

export interface Ingester {
  /** Resolves when the engine has answered for this document. Rejects only with `cancelled`. */
  ingest(item: IngestItem, signal: AbortSignal): Promise<IngestOutcome>;
  /** The id that an upload or fetch of this file name gets by the job's rule. */
  idOf(filename: string): string;
  /** Deletes one document, directly (not through the bulk). */
  remove(index: string | undefined, id: string, signal: AbortSignal): Promise<RemoveOutcome>;
  /** Writes out what the bulk writer still holds; resolves when the engine has answered. */
  flush(): Promise<void>;
}
