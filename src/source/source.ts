import type { Readable } from 'node:stream';
import type { Attributes, Entry } from '../model/entry.js';

export interface SourceFeatures {
  /** Entries carry inode and device that survive a rename. */
  readonly identity: boolean;
  readonly attributes: boolean;
  /** Listing costs no round trips: the tree may be listed once more to tell how much is left to do. */
  readonly cheapListing: boolean;
  /** Files that may be read at the same time. */
  readonly maxConnections: number;
}

/** The root as it stands now. A different device and fewer entries than last time means that a disk is not mounted. */
export interface RootProbe {
  readonly device: number;
  readonly entries: number;
}

/**
 * A tree of files. A source never parses content and owns its connections. Every failure is a CrawlerError: `not_found`,
 * `denied`, `unavailable`, `timed_out`.
 */
export interface TreeSource {
  /** `local`, `ftp`, `ssh`, `s3`, `webdav`. */
  readonly type: string;
  readonly features: SourceFeatures;
  /** Looks at the root. Throws `not_found` or `denied` with a sentence when it cannot be crawled. */
  probe(root: string, signal: AbortSignal): Promise<RootProbe>;
  /** The whole folder in batches, in any order, or it throws; never a part that looks complete. */
  list(folder: string, signal: AbortSignal): AsyncIterable<readonly Entry[]>;
  stat(path: string, signal: AbortSignal): Promise<Entry>;
  /** The bytes of a file. May be called again for the same entry. */
  read(entry: Entry, signal: AbortSignal): Promise<Readable>;
  /** Where the bytes lie on this machine, when they do: extraction then opens them by path instead of copying them. */
  localPath(entry: Entry): string | Uint8Array | undefined;
  attributes(entry: Entry, acl: boolean, signal: AbortSignal): Promise<Attributes>;
  /** The `file.url` of a document, or undefined where the source has none. */
  urlOf(entry: Entry): string | undefined;
  close(): Promise<void>;
}
