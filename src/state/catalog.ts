import type { Reason } from '../model/reason.js';

/**
 * What we believe about the tree: one record for every file and folder that was ever listed, whether it is in the index
 * or not, and the frontier of the scan in progress.
 *
 * The catalog is never ahead of the index: a record becomes `indexed` only after the engine has acknowledged the
 * document. Before that it is `sent`: written down first, so that a document that reached the index in the moment of a
 * crash is known and can be removed when its file is gone. A crash may repeat work, never skip it.
 */
export type FileState = 'indexed' | 'skipped' | 'failed' | 'gone' | 'sent';

/** What a listing said about the file when it was last worked on; equal again means unchanged. */
export interface Fingerprint {
  readonly size: number;
  /** Milliseconds with fraction, exactly as the source gave them; 0 where it has none. */
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly createdMs: number;
  readonly inode: number;
  /** Etag of an object store, else empty. */
  readonly version: string;
}

export interface FileRecord extends Fingerprint {
  readonly folderId: number;
  readonly name: string;
  readonly state: FileState;
  readonly reason: Reason | undefined;
  /** Sentence of a failure; undefined when the reason says it all. */
  readonly message: string | undefined;
  /** Hash of everything but the file that shaped its document (settings, extractor, metadata files). 0 is "unknown". */
  readonly rules: number;
  /** Failed attempts since the file, the rules or the extractor last changed. */
  readonly tries: number;
  /** When the record was last decided. */
  readonly atMs: number;
  /** Earliest next attempt of a failed file; 0 when only a change brings one. */
  readonly retryMs: number;
}

export interface FolderRecord {
  readonly id: number;
  /** 0 for the root. */
  readonly parentId: number;
  readonly path: string;
  /** Order-independent digest of the complete listing and the rules when everything in it was settled; empty before. */
  readonly digest: string;
  /** mtime when its folder document was last written; 0 when it has none. */
  readonly documentMs: number;
  /** Device of its files at the last complete listing; 0 before. */
  readonly device: number;
  readonly reason: Reason | undefined;
}

export type FolderState = Pick<FolderRecord, 'digest' | 'device' | 'reason'>;

export interface ScanRecord {
  readonly number: number;
  /** UUID, the `scan_id` of status and checkpoint. */
  readonly id: string;
  readonly startedMs: number;
  readonly files: number;
  readonly deleted: number;
  readonly failed: number;
}

/** A file that is to be removed from the index, or was moved. */
export interface LocatedFile {
  readonly folderPath: string;
  readonly record: FileRecord;
}

/** A file by its folder. */
export type FileKey = Pick<FileRecord, 'folderId' | 'name'>;

export type NamedState = Pick<FileRecord, 'name' | 'state'>;

/** Where a file is, without what is known about it. */
export interface LocatedName {
  readonly folderId: number;
  readonly folderPath: string;
  readonly name: string;
}

export interface GoneCounts {
  readonly files: number;
  readonly folders: number;
  /** Differs when other files are meant, even if they are as many. */
  readonly digest: string;
}

export interface CatalogTotals {
  readonly files: number;
  readonly folders: number;
  /** Number of file records by state. */
  readonly states: Readonly<Partial<Record<FileState, number>>>;
  readonly reasons: ReasonCounts;
}

/** How many files are not in the index, or there without all of their text, by reason. */
export type ReasonCounts = Readonly<Partial<Record<Reason, number>>>;

/** What is known of a folder with everything below it. */
export interface FolderTotals {
  /** The folders below it. */
  readonly folders: number;
  readonly states: Readonly<Partial<Record<FileState, number>>>;
  readonly reasons: ReasonCounts;
  /** Folders that the last scan did not enter: they could not be listed, or hold a marker file. */
  readonly closedFolders: number;
}

/** Facts that belong to the catalog as a whole (engine identity, device of the root …), and what concerns all of it. */
export interface CatalogFacts {
  /** Free-form facts that belong to the catalog as a whole (engine identity, device of the root …). */
  fact(name: string): string | undefined;
  setFact(name: string, value: string | undefined): void;
  /** Every record counts as changed at the next scan (`--restart`). */
  forgetRules(): void;
  /** Everything is forgotten: the index it spoke of is not there any more. */
  clear(): void;
}

/** The scan in progress and the folders that are still pending in it. */
export interface ScanFrontier {
  /** Begins a scan whose only pending folder is the root. Forgets the frontier of an unfinished one. */
  beginScan(root: string, scanId: string, startedMs: number): ScanRecord;
  /** The scan that was begun and not ended, to be continued. */
  unfinishedScan(): ScanRecord | undefined;
  saveScan(progress: Pick<ScanRecord, 'files' | 'deleted' | 'failed'>): void;
  endScan(): void;
  /**
   * Begins a partial scan of single folders. Scans must all have ended. What an earlier partial scan left pending stays so.
   * A folder that the catalog does not know is scanned through the nearest one above it that it knows.
   */
  beginPartialScan(paths: readonly string[]): void;
  /** The next pending folders in the order of their discovery; folders stay pending until `completeFolder`. */
  pendingFolders(afterId: number, limit: number): readonly FolderRecord[];
  folderCounts(): { readonly pending: number; readonly completed: number };
  /** Makes sub-folders pending in this scan, creating the records of new ones. Returns their records. */
  addSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[];
  /** The same, but known sub-folders are left as they are. */
  addNewSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[];
  /** All known sub-folders of an unchanged folder become pending, without naming them. */
  keepSubfolders(parentId: number): void;
  /** The folder leaves the frontier. An empty digest makes the next scan compare every record again. */
  completeFolder(id: number, state: FolderState): void;
  /** Folders of which something was found gone are pending once more. */
  recheckGone(): void;
  /** The folder leaves the frontier as it was. */
  keepFolder(id: number): void;
}

/** What is known of each file and folder. */
export interface FileRecords {
  files(folderId: number): readonly FileRecord[];
  fileByPath(folderPath: string, name: string): FileRecord | undefined;
  /** Writes many records in one transaction. */
  saveFiles(records: readonly FileRecord[]): void;
  forgetFile(folderId: number, name: string): void;
  /** Indexed files with this identity at other places: where a moved file may have come from. */
  filesByInode(fingerprint: Fingerprint): readonly LocatedFile[];
  folderByPath(path: string): FolderRecord | undefined;
  subfolders(parentId: number): readonly FolderRecord[];
  saveFolderDocument(id: number, documentMs: number): void;
  /** The next scan works on the file again, whatever its record says now. */
  reconsiderFile(folderId: number, name: string): void;
  /** The next scan compares every record of the folder. */
  reconsiderFolder(id: number): void;
  /** The next scan writes the folder's document again. */
  reconsiderFolderDocument(id: number): void;
}

/** What was found gone, until its documents are removed. */
export interface Deletions {
  /** Marks a folder and everything below it as gone. Nothing is removed from the index yet; what has no document is forgotten. */
  markFolderGone(id: number): void;
  /** Folders with nothing above them that are not gone, such as roots of earlier scans; without this one. */
  otherRoots(root: string): readonly FolderRecord[];
  /** Paths of those that are gone and not released. */
  goneRoots(): readonly string[];
  /** What was found gone and is not released: its documents are in the index. */
  goneCounts(): GoneCounts;
  /**
   * Releases files that are gone, in pages: their documents may be removed, and from now on nobody can say whether they are
   * still there. Without any such file left it releases the folders that are gone. Returns how many; 0 when all are.
   */
  releaseGone(limit: number): number;
  /** Released files, in pages: each page starts after the last record of the one before. */
  releasedFiles(after: Pick<FileRecord, 'folderId' | 'name'> | undefined, limit: number): readonly LocatedFile[];
  /** Released folders with nothing left in them, deepest first. */
  releasedFolders(limit: number): readonly FolderRecord[];
  forgetFolder(id: number): void;
  /** Files with one of these names that may have a document and are not gone. Reads the whole catalog. */
  namesakes(names: readonly string[]): readonly FileKey[];
  /** Files that were found gone and are not released, in pages. */
  goneFiles(after: Pick<FileRecord, 'folderId' | 'name'> | undefined, limit: number): readonly LocatedFile[];
  /** How many of them each folder held, those with most of them first. */
  goneByFolder(limit: number): readonly { readonly folderPath: string; readonly files: number }[];
}

/** What reports and comparisons of whole trees read. Nothing is written. */
export interface CatalogReports {
  /** Files not in the index or there with a problem, in pages, for reports. */
  problems(after: Pick<FileRecord, 'folderId' | 'name'> | undefined, limit: number): readonly LocatedFile[];
  /** Names and states of a folder's files without the rest, for comparisons of whole trees. */
  fileStates(folderId: number): readonly NamedState[];
  /** Files that the index should hold, in pages. */
  indexedFiles(after: Pick<FileRecord, 'folderId' | 'name'> | undefined, limit: number): readonly LocatedName[];
  /** Files in folders that are marked gone as a whole, in pages. */
  filesOfGoneFolders(after: Pick<FileRecord, 'folderId' | 'name'> | undefined, limit: number): readonly LocatedFile[];
  /** Every folder that is not gone, by id. */
  folders(afterId: number, limit: number): readonly FolderRecord[];
  /** Folders of the tree. */
  folderCount(): number;
  /** Files whose name holds this text, in any case of ASCII letters; those of exactly this name first. */
  filesNamed(part: string, limit: number): readonly LocatedFile[];
  /** Number of files that the index holds, and of those that were indexed later than this. */
  indexedSince(epochMs: number): { readonly indexed: number; readonly later: number };
  /** How many files have a later modification date. */
  filesDatedAfter(epochMs: number): number;
  /** Reads a row of each file: a second for a million. */
  totals(): CatalogTotals;
  /** Of all totals those that cost nothing: what is not as it should be is rare. */
  reasons(): ReasonCounts;
  /** Reads a row of each file below the folder: two seconds for a million. */
  totalsBelow(folderId: number): FolderTotals;
}

/** The catalog by its roles: whoever uses it asks for those that it needs (`Pick<Catalog, 'facts'>`). */
export interface Catalog {
  readonly facts: CatalogFacts;
  readonly frontier: ScanFrontier;
  readonly records: FileRecords;
  readonly deletions: Deletions;
  readonly reports: CatalogReports;
  /** Runs the writes inside in one transaction. */
  batch(work: () => void): void;
  close(): void;
}
