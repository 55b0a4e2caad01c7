import type { Attributes } from './entry.js';

/** The indexed document: keys are the wire names (reference: docs/documents.md). Absent values are left out, never null. */
export interface DocumentFile {
  readonly checksum?: string;
  readonly content_type?: string;
  readonly created?: string;
  readonly extension?: string;
  readonly filename?: string;
  readonly filesize?: number;
  readonly indexed_chars?: number;
  readonly indexing_date?: string;
  readonly last_accessed?: string;
  readonly last_modified?: string;
  /** Why (part of) the text is missing: one of the reasons of model/reason.ts. */
  readonly problem?: string;
  readonly url?: string;
}

export interface DocumentPath {
  readonly real?: string;
  readonly root?: string;
  readonly virtual?: string;
}

export type DocumentMeta = Readonly<Record<string, unknown>>;

export interface CrawlDocument {
  readonly content?: string;
  /** Where pages begin in `content` (fs.page_numbers). */
  readonly pages?: readonly number[];
  /** Base64 of the file's bytes (fs.store_source). */
  readonly attachment?: string;
  readonly file?: DocumentFile;
  readonly path?: DocumentPath;
  readonly meta?: DocumentMeta;
  readonly attributes?: Attributes;
  readonly object?: unknown;
  readonly external?: Readonly<Record<string, unknown>>;
}

/** What an engine stores: a crawled document, a folder document, or the body of a json/xml job. */
export type DocumentSource = Readonly<Record<string, unknown>>;
