import { lstatSync, realpathSync, statSync } from 'node:fs';
import { FSWatcher } from 'chokidar';
import { isWithin, joinPath, parentPath } from '../../../base/path.js';

/**
 * chokidar, watching folders alone: one system watch a folder, every event of the system handed on (`raw`), all watches of a
 * subtree ended when it goes.
 *
 * Left to itself it asks for the attributes of every file, opens all folders at once, and lists a folder again after each
 * event in it: on 1,000,000 files in 10,000 folders that took 26 s of processor time and 4 GB to begin with. Through its
 * public interface (`ignored` for all files) it still took 9 s and 900 MB for a fifth of that, and 4 ms for each event. So a
 * folder is listed here once, when it is opened, for the names of its sub-folders; these are opened a few at a time; and
 * after an event only the entry that it names is looked at. That takes 2 s and 50 MB.
 *
 * The steps that are taken differently are the members `_readdirp`, `_remove`, `_watched` and `_nodeFsHandler` of its declared
 * class, which nobody promises to keep: chokidar 6 has none of them. They are used in this file only; another release does
 * not compile, and folder-watcher.test.ts fails when they do something else.
 */
export interface FolderWatcherOptions {
  readonly followSymlinks: boolean;
  /** Folders that no document comes from, with everything below them. */
  readonly isPassedOver: (folder: string) => boolean;
  readonly maxFolders: number;
  /** A folder that was not there at the beginning is watched from now on. */
  readonly onOpen: (folder: string) => void;
  /** There are more folders than `maxFolders`: some are not watched. */
  readonly onFull: () => void;
}

type Listing = ReturnType<FSWatcher['_readdirp']>;
type ListingOptions = NonNullable<Parameters<FSWatcher['_readdirp']>[1]>;

/** What comes with a raw event. */
export interface RawDetails {
  readonly watchedPath: string;
}

/** Folders that are opened at the same time. */
const CONCURRENT_OPENS = 16;

export class FolderWatcher extends FSWatcher {
  readonly #options: FolderWatcherOptions;
  readonly #waiting = new Set<string>();
  readonly #opening = new Set<string>();
  #listings = 0;
  #whenIdle: (() => void)[] = [];
  #isOpened = false;

  constructor(options: FolderWatcherOptions) {
    const { followSymlinks } = options;
    // `atomic` would pass over folders with names like those of temporary files.
    super({ ignoreInitial: true, ignorePermissionErrors: true, atomic: false, followSymlinks, ignored: isFile });
    this.#options = options;
    this.on('raw', (event, name: string | null, details) => {
      const { watchedPath } = details as RawDetails;
      if (event === 'rename' && name !== null) this.#follow(watchedPath, name);
    });
  }

  /** Folders that are watched. */
  get folders(): number {
    // It counts the folder above the root as well.
    return Math.max(0, this._watched.size - 1);
  }

  /** Resolves when everything below the root is watched, there are too many folders, or it was closed. */
  async open(root: string): Promise<void> {
    this.#waiting.add(root);
    this.#openNext();
    if (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.#isOpened = true;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#waiting.clear();
    this.#tellIdle();
  }

  override _readdirp(folder: string, options?: ListingOptions): Listing {
    if (!this.#opening.has(folder)) return undefined;
    const found: string[] = [];
    const listing = super._readdirp(folder, {
      ...options,
      type: 'directories',
      alwaysStat: false,
      fileFilter: () => false,
      directoryFilter: (entry) => {
        if (this.#isWanted(entry.fullPath, entry.dirent?.isSymbolicLink() === true)) found.push(entry.fullPath);
        return false;
      },
    });
    if (listing === undefined) return undefined;
    this.#listings += 1;
    // Opened any sooner, they would be watched but not in the listing, and so be taken for removed ones.
    listing.once('close', () => {
      this.#listings -= 1;
      for (const each of found) this.#waiting.add(each);
      this.#openNext();
    });
    return listing;
  }

  /** A sub-folder has come, gone, or been replaced: the watches below its name are those of another folder. */
  #follow(folder: string, name: string): void {
    const path = joinPath(folder, name);
    const isWatched = this._watched.has(path);
    if (isWatched) this._remove(folder, name, true);
    const kind = kindOf(path);
    if (kind === 'other' || this._watched.has(path) || !this.#isWanted(path, kind === 'link')) return;
    this.#waiting.add(path);
    this.#openNext();
  }

  get #isBusy(): boolean {
    return this.#opening.size > 0 || this.#listings > 0;
  }

  get #isFull(): boolean {
    return this.folders + this.#opening.size >= this.#options.maxFolders;
  }

  #isWanted(folder: string, isLink: boolean): boolean {
    if (isLink && (!this.#options.followSymlinks || leadsBack(folder))) return false;
    return !this.#options.isPassedOver(folder);
  }

  #openNext(): void {
    for (const folder of this.#waiting) {
      if (this.#opening.size >= CONCURRENT_OPENS || this.closed || this.#isFull) break;
      this.#waiting.delete(folder);
      this.#opening.add(folder);
      void this._nodeFsHandler._addToNodeFs(folder, true, undefined, 0).finally(() => this.#opened(folder));
    }
    if (this.#isBusy || this.closed) return;
    if (this.#waiting.size > 0) this.#options.onFull();
    this.#tellIdle();
  }

  #tellIdle(): void {
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of waiting) resolve();
  }

  #opened(folder: string): void {
    this.#opening.delete(folder);
    if (this.#isOpened && !this.closed) this.#options.onOpen(folder);
    this.#openNext();
  }
}

function isFile(_path: string, stats?: { isFile(): boolean }): boolean {
  return stats?.isFile() === true;
}

function kindOf(path: string): 'folder' | 'link' | 'other' {
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) return 'folder';
    return stats.isSymbolicLink() && statSync(path).isDirectory() ? 'link' : 'other';
  } catch {
    return 'other'; // It is gone again, leads nowhere, or may not be looked at.
  }
}

/** A link to a folder above it would never end. */
function leadsBack(link: string): boolean {
  try {
    return isWithin(realpathSync(link), realpathSync(parentPath(link) ?? link));
  } catch {
    return true;
  }
}
