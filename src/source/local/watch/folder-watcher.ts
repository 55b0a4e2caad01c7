import { realpathSync } from 'node:fs';
import { FSWatcher } from 'chokidar';
import { isWithin, parentPath } from '../../../base/path.js';

/**
 * chokidar, watching folders alone. It keeps one system watch a folder, follows folders that come, go and move, and reports
 * every event that the system sends (`raw`).
 *
 * Left to itself it asks for the attributes of every file and opens all folders at once: on 1,000,000 files in 10,000
 * folders that took 26 s of processor time and 4 GB. So its two steps are taken differently here: `_readdirp`, which lists a
 * folder, names sub-folders only and asks for no attributes; and a new sub-folder waits until one of a few hands is free to
 * open it. That takes 2 s and 50 MB. Both steps are members of its declared class: another release that renames them does
 * not compile.
 */
export interface FolderWatcherOptions {
  readonly followSymlinks: boolean;
  /** Folders that nobody wants to hear of, with everything below them. */
  readonly isPassedOver: (folder: string) => boolean;
  readonly maxFolders: number;
}

type Listing = ReturnType<FSWatcher['_readdirp']>;
type ListingOptions = NonNullable<Parameters<FSWatcher['_readdirp']>[1]>;

/** Folders that are opened at the same time. */
const HANDS = 16;

export class FolderWatcher extends FSWatcher {
  readonly #options: FolderWatcherOptions;
  readonly #onOpen: (folder: string) => void;
  readonly #waiting = new Set<string>();
  readonly #opening = new Set<string>();
  #listings = 0;
  #whenIdle: (() => void)[] = [];
  #isOpened = false;

  /** @param onOpen called when a folder that was not there at the beginning is watched from now on */
  constructor(options: FolderWatcherOptions, onOpen: (folder: string) => void) {
    const { followSymlinks } = options;
    // `atomic` would pass over folders with names like those of temporary files.
    super({ ignoreInitial: true, ignorePermissionErrors: true, atomic: false, followSymlinks, ignored: isFile });
    this.#options = options;
    this.#onOpen = onOpen;
  }

  /** Folders that are watched; more than `maxFolders` when there are too many. */
  get folders(): number {
    // It counts the folder above the root as well.
    return Math.max(0, this._watched.size - 1);
  }

  /** Resolves when everything below the root is watched, or there are too many folders. */
  async open(root: string): Promise<void> {
    this.#waiting.add(root);
    this.#openNext();
    if (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.#isOpened = true;
  }

  override _readdirp(folder: string, options?: ListingOptions): Listing {
    const found: string[] = [];
    const listing = super._readdirp(folder, {
      ...options,
      type: 'directories',
      alwaysStat: false,
      fileFilter: () => false,
      directoryFilter: (entry) => {
        // What it asks of the attributes of an entry, the entry of the folder can tell as well.
        Object.assign(entry, { stats: entry.dirent });
        if (this._watched.has(entry.fullPath)) return true;
        if (this.#isWanted(entry.fullPath, entry.dirent?.isSymbolicLink() === true)) found.push(entry.fullPath);
        return false;
      },
    });
    if (listing === undefined) return undefined;
    this.#listings += 1;
    // Opened any sooner, a folder would be watched but not in the listing, and so be taken for one that was removed.
    listing.once('close', () => {
      this.#listings -= 1;
      for (const each of found) if (!this._watched.has(each) && !this.#opening.has(each)) this.#waiting.add(each);
      this.#openNext();
    });
    return listing;
  }

  get #isBusy(): boolean {
    return this.#opening.size > 0 || this.#listings > 0;
  }

  #isWanted(folder: string, isLink: boolean): boolean {
    if (isLink && (!this.#options.followSymlinks || leadsBack(folder))) return false;
    return !this.#options.isPassedOver(folder);
  }

  #openNext(): void {
    for (const folder of this.#waiting) {
      if (this.#opening.size >= HANDS || this.closed || this.folders > this.#options.maxFolders) break;
      this.#waiting.delete(folder);
      this.#opening.add(folder);
      void this._nodeFsHandler._addToNodeFs(folder, true, undefined, 0).finally(() => this.#opened(folder));
    }
    if (this.#isBusy) return;
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of waiting) resolve();
  }

  #opened(folder: string): void {
    this.#opening.delete(folder);
    if (this.#isOpened && !this.closed) this.#onOpen(folder);
    this.#openNext();
  }
}

function isFile(_path: string, stats?: { isFile(): boolean }): boolean {
  return stats?.isFile() === true;
}

/** A link to a folder above it would never end. */
function leadsBack(link: string): boolean {
  try {
    return isWithin(realpathSync(link), realpathSync(parentPath(link) ?? link));
  } catch {
    return true;
  }
}
