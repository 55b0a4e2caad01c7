import type { FileSource } from './source.js';

/**
 * Fetching one document on request (`POST /_document` with JSON): for each `type` there is an opener that checks the
 * parameters of the request and says which file of which source is meant. A type that is not registered is refused.
 */
export interface FetchTarget {
  readonly source: FileSource;
  /** What `source.stat` takes. */
  readonly path: string;
  /** The name that the document gets, and that its default id is made of. */
  readonly filename: string;
  /** The `path` object of the document. */
  readonly place: FetchedPath;
}

export interface FetchedPath {
  readonly filename: string;
  readonly real: string;
  readonly virtual: string;
}

export interface FetchOpener {
  /** `local`, `http`, `s3`, `ssh`, `ftp`. */
  readonly type: string;
  /**
   * `parameters` is the object of the request that is named after the type. Throws `usage` when it is malformed, and
   * the failures of a FileSource (`not_found`, `denied`, `unavailable`, `timed_out`, `too_large`) when the place cannot be
   * opened. The caller closes the source.
   */
  open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget>;
}

export type FetchParameters = Readonly<Record<string, unknown>>;

/** The openers by type. */
export type FetchSources = ReadonlyMap<string, FetchOpener>;
