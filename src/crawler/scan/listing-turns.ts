import { abortable } from '../../base/abortable.js';
import type { FolderRecord } from '../../state/catalog.js';
import type { ScanCounters } from './scan-counters.js';
import type { ListingSummary, SharedListing } from './shared-listing.js';

/** What was listed of folders that have changed is listed once more. */
const KEPT_SHARE = 0.9;

/**
 * Goes through the folders of a scan, alone at first, and with another thread that lists half of them when the tree is large
 * and little of it has changed: listing is two thirds of what such a tree costs.
 */
export class ListingTurns {
  readonly #counters: ScanCounters;
  readonly #signal: AbortSignal;
  readonly #sharedListing: SharedListing | undefined;
  /** Among the folders that were taken last. */
  #keptShare = 0;
  #holds = 0;

  constructor(counters: ScanCounters, sharedListing: SharedListing | undefined, signal: AbortSignal) {
    this.#counters = counters;
    this.#signal = signal;
    this.#sharedListing = sharedListing;
  }

  /** The scan is held, for hours maybe: what is listed by now says nothing about the time after. */
  hold(): void {
    this.#holds += 1;
  }

  /** @param take gets what another thread has listed; to be asked for when it is needed, not before */
  async through(
    folders: readonly FolderRecord[],
    take: (folder: FolderRecord, listed: () => ListingSummary | undefined) => Promise<void>,
  ): Promise<void> {
    const keptBefore = this.#counters.keptFolders;
    const holds = this.#holds;
    const shared = this.#share(folders);
    let listed: readonly (ListingSummary | undefined)[] | undefined;
    for (const [at, folder] of folders.entries()) {
      if (listed === undefined && shared?.claim(at) === false) listed = await abortable(this.#signal, shared.listed());
      await take(folder, () => (this.#holds === holds ? listed?.[at] : undefined));
    }
    if (folders.length > 0) this.#keptShare = (this.#counters.keptFolders - keptBefore) / folders.length;
  }

  #share(folders: readonly FolderRecord[]): ReturnType<SharedListing['share']> {
    const { seen } = this.#counters;
    if (this.#sharedListing === undefined || seen < this.#sharedListing.minEntries) return undefined;
    return this.#keptShare < KEPT_SHARE ? undefined : this.#sharedListing.share(folders.map(({ path }) => path));
  }
}
