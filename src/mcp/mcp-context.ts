import type { Logger } from '../base/logger.js';
import type { PathAnswer } from '../operations/explain/explain-path.js';
import type { NamedFailure } from '../operations/failures/failures-named.js';
import type { JobStatus } from '../operations/status/job-status.js';
import type { DocumentTexts } from '../search/document-text.js';
import type { IndexSearch } from '../search/index-search.js';

/** The job that the tools are about. Whoever starts the server says how each question is answered. */
export interface McpContext {
  readonly jobName: string;
  readonly version: string;
  /** The tree lies on this machine. */
  readonly isLocal: boolean;
  /** Index of the folders; undefined where the job has none. */
  readonly folderIndex: string | undefined;
  /** Id of a folder in the index; its path is from the root, with `/`. */
  folderId(folder: string): string;
  /** Throws a CallFault or a CrawlerError where there is nothing to search yet. */
  index(): Promise<OpenIndex>;
  /** `path` is absolute or below the root of the job. */
  explain(path: string, signal: AbortSignal): Promise<PathAnswer>;
  failuresNamed(name: string, most: number, signal: AbortSignal): Promise<readonly NamedFailure[]>;
  status(signal: AbortSignal): Promise<JobStatus>;
  /** Undefined where nobody may add documents. */
  readonly add: AddDocument | undefined;
  readonly logger: Logger;
}

export interface OpenIndex {
  readonly search: IndexSearch;
  readonly texts: DocumentTexts;
}

export type AddDocument = (source: AddedSource, signal: AbortSignal) => Promise<AddedDocument>;

export type AddedSource = { readonly path: string } | { readonly url: string };

export interface AddedDocument {
  readonly ok: boolean;
  readonly id: string | null;
  /** Why it was not added, or is there without all of its text. */
  readonly warning: string | null;
}

/** Where people find a document. */
export interface DocumentLinks {
  /** @param page null where none is known */
  url(document: LinkedDocument, page: number | null): string;
}

export interface LinkedDocument {
  readonly id: string;
  readonly path: string | null;
  readonly origin: 'crawl' | 'upload';
}

/** `crawler://<job>/document/<id>`, the address of a document as a resource. */
export function resourceOf(jobName: string, id: string): string {
  return `crawler://${encodeURIComponent(jobName)}/document/${encodeURIComponent(id)}`;
}
