/**
 * What a source reports about changes as they happen. Events get lost, come twice, or concern a file that has changed again
 * since: they only say where to look. The listing decides.
 */
export interface WatchSink {
  /** Something about the entry of this name in the folder; undefined when it is not known which. */
  changed(folder: string, name: string | undefined): void;
  /** Events were lost: anything may have changed. */
  overflowed(): void;
  /** No further events will come. `message` is a sentence. */
  ended(message: string): void;
}

/** A part of the tree from which no events come, and why: only scans find its changes. */
export interface UnwatchedPath {
  readonly path: string;
  readonly reason: string;
}

export interface WatchReport {
  /** Folders that events come from; 0 when the whole tree is left to the regular scans. */
  readonly folders: number;
  readonly unwatched: readonly UnwatchedPath[];
}

/** A file as it stands at this moment. */
export interface FileStat {
  readonly size: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly createdMs: number;
  readonly inode: number;
  readonly owner: number;
}

/** Whether a process has the file open for writing, as far as this one may see. */
export type OpenWriters = 'none' | 'some' | 'unknown';

/** How files stand, asked when something was reported about them. */
export interface FileStats {
  /** Undefined for what is not there, or is no file. */
  stat(path: string): FileStat | undefined;
  /** One answer for each file. Inspects every open file of the system, however many are asked for. */
  openWriters(files: ReadonlyMap<string, FileStat>): ReadonlyMap<string, OpenWriters>;
}

/** The tree of a job, as far as its source must know it to watch it. */
export interface WatchOptions {
  readonly root: string;
  readonly followSymlinks: boolean;
  /** Folders as far as they are known; 0 before the first scan. */
  readonly knownFolders: number;
  /** Folders that no document comes from, with everything below them. */
  readonly isPassedOver: (folder: string) => boolean;
}

/** How a source watches. */
export interface TreeWatcher {
  readonly files: FileStats;
  /** Resolves when every folder is watched that can be; what cannot be is in the report. */
  watch(options: WatchOptions, sink: WatchSink): Promise<TreeWatch>;
}

export interface TreeWatch {
  readonly report: WatchReport;
  /** The root is not the one that is watched: it was made anew, or its disk was mounted. */
  isStale(): boolean;
  close(): Promise<void>;
}
