import type { Entry } from '../model/entry.js';
import type { FileContent } from './content.js';

/**
 * Fetching one document on request (`POST /_document` with JSON): for each `type` there is an opener that checks the
 * parameters of the request and opens the file that is meant. A type that is not registered is refused.
 */
export interface FetchTarget {
  readonly entry: Entry;
  readonly content: FileContent;
  readonly place: FetchedPath;
  /** Ends the connection, and removes what was held of the file. */
  close(): Promise<void>;
}

/** The `path` object of the document, and the name that it gets and that its default id is made of. */
export interface FetchedPath {
  readonly filename: string;
  readonly real: string;
  readonly virtual: string;
}

export interface FetchOpener {
  /** `local`, `http`, `s3`, `ssh`, `ftp`, `webdav`. */
  readonly type: string;
  /**
   * `parameters` is the object of the request that is named after the type. Throws `usage` when it is malformed, and
   * `not_found`, `denied`, `unavailable`, `timed_out` or `too_large` when the file cannot be opened; nothing is left open then.
   * The caller closes the target.
   */
  open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget>;
}

export type FetchParameters = Readonly<Record<string, unknown>>;

/** The openers by type. */
export type FetchSources = ReadonlyMap<string, FetchOpener>;
