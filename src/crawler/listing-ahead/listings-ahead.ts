import type { Worker } from 'node:worker_threads';
import { startThread } from '../../base/start-thread.js';
import type { ListingSummary, SharedFolders, SharedListing } from '../scan/shared-listing.js';
import { FolderClaims } from './folder-claims.js';
import type { FoldersToList, ListedFolders, ListingThreadData } from './listing-thread.js';

/** With fewer the walk is over before a second thread is of any help. */
const MIN_ENTRIES = 50_000;

type Listed = readonly (ListingSummary | undefined)[];

/** The crawl thread's end of the thread that lists folders ahead (listing-thread.ts), which is started when it is first needed. */
export class ListingsAhead implements SharedListing {
  readonly minEntries: number;
  readonly #data: ListingThreadData;
  readonly #waiting = new Map<number, (listed: Listed) => void>();
  #worker: Worker | undefined;
  #number = 0;
  #isOver = false;

  constructor(data: ListingThreadData, minEntries = MIN_ENTRIES) {
    this.minEntries = minEntries;
    this.#data = data;
  }

  share(folders: readonly string[]): SharedFolders | undefined {
    if (this.#isOver) return undefined;
    this.#worker ??= this.#start();
    const number = (this.#number += 1);
    const claims = FolderClaims.of(folders.length);
    const listed = new Promise<Listed>((resolve) => this.#waiting.set(number, resolve));
    this.#worker.postMessage({ number, folders, claims: claims.memory } satisfies FoldersToList);
    return { claim: (at) => claims.claimForScan(at), listed: () => listed };
  }

  /** It holds nothing that would have to be closed. */
  async close(): Promise<void> {
    this.#end();
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread('listing-thread', this.#data);
    worker.unref();
    worker.on('message', ({ number, listed }: ListedFolders) => {
      this.#waiting.get(number)?.(listed);
      this.#waiting.delete(number);
    });
    // The scan lists everything itself then.
    worker.on('error', () => this.#end());
    worker.on('exit', () => this.#end());
    return worker;
  }

  #end(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.values()) resolve([]);
    this.#waiting.clear();
  }
}
