import type { WriteOperation, WriteOutcome } from '../../engine/engine.js';
import type { Attributes, Entry } from '../../model/entry.js';
import type { Problem } from '../../model/reason.js';
import type { DocumentLocation, ExtractedText } from '../../ingest/ingest.js';
import type { KindCount } from './kind-counts.js';

/**
 * What a scan asks of the world outside its thread. All of it is plain data, so that it can cross a thread border.
 */
export interface ScanPort {
  /** Extracts and indexes one file. Resolves when the engine has answered for it. */
  ingest(request: FileRequest): Promise<FileOutcome>;
  /** Writes the document of a moved file under its new id and place, then deletes the old one. */
  move(request: MoveRequest): Promise<FileOutcome>;
  /** Folder documents and deletions. One outcome an operation, same order. */
  write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]>;
  /** Sends out what is held back to fill a batch. */
  flush(): void;
  /**
   * Documents of the job's index in pages, to rebuild a lost catalog. Undefined after the last page. `first` begins anew,
   * wherever an earlier reading was broken off.
   */
  indexPage(which: 'first' | 'next'): Promise<readonly IndexedFile[] | undefined>;
  /** One line for documents.log. */
  logDocument(level: 'error' | 'info' | 'debug', line: string): void;
  log(level: 'warn' | 'info' | 'debug', message: string): void;
  progress(progress: ScanProgress): void;
}

export interface FileRequest {
  readonly entry: Entry;
  readonly place: DocumentLocation;
  readonly folderMetadata: { readonly name: string; readonly text: string } | undefined;
  /** Read where the listing was, over the same connections; absent without fs.attributes_support. */
  readonly attributes?: Attributes;
  /** Of a small text, which was read and extracted where the listing was; left out for everything else. */
  readonly extracted?: ExtractedText;
}

export interface MoveRequest extends FileRequest {
  readonly fromId: string;
  readonly toId: string;
}

export type FileOutcome =
  | { readonly status: 'indexed'; readonly problem: Problem | undefined }
  | { readonly status: 'skipped' | 'failed'; readonly problem: Problem }
  /** The program is being stopped: the file is as pending as it was. */
  | { readonly status: 'dropped' }
  /** `move` only: there was no document to move. */
  | { readonly status: 'missing' };

/** What the index says about a document of this job. */
export interface IndexedFile {
  readonly id: string;
  readonly real: string;
  readonly size: number | undefined;
  readonly modifiedMs: number | undefined;
}

export interface ScanProgress {
  /** Entries looked at, documents written, removed and not indexable in this scan. */
  readonly seen: number;
  readonly files: number;
  readonly deleted: number;
  readonly failed: number;
  readonly completedFolders: number;
  readonly pendingFolders: number;
  readonly currentPath: string | undefined;
  readonly lastError: string | undefined;
  readonly run: RunCounts;
}

/** What this process has done in the run, also where it resumes a scan that another process began. */
export interface RunCounts {
  /** When it began; epoch milliseconds, 0 before the first. */
  readonly sinceMs: number;
  /** It continues a scan that another process began. */
  readonly isResumed: boolean;
  readonly indexed: number;
  readonly deleted: number;
  readonly failed: number;
  /** Files that have got their record, whatever became of them; those that were left as they are do not count. */
  readonly settled: readonly KindCount[];
}
