import { lowerPriorityOfThread } from '../../base/background-priority.js';
import { serveOnceStarted } from '../../base/serve-once-started.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { local } from '../../source/local/index.js';
import type { TreeSource } from '../../source/source.js';
import type { ListingSummary } from '../scan/shared-listing.js';
import { FolderClaims } from './folder-claims.js';
import { summarise, type ListingRules } from './listing-summary.js';

/** What the thread is started with. */
export interface ListingThreadData {
  readonly settings: JobSettings;
  readonly rules: ListingRules;
  readonly inBackground: boolean;
}

export interface FoldersToList {
  readonly number: number;
  readonly folders: readonly string[];
  readonly claims: Int32Array;
}

export interface ListedFolders {
  readonly number: number;
  readonly listed: readonly (ListingSummary | undefined)[];
}

/** Entry of the thread that lists folders ahead of a scan. It is ended by whoever has started it, at any moment. */
serveOnceStarted((port, { settings, rules, inBackground }: ListingThreadData) => {
  if (inBackground) lowerPriorityOfThread();
  const source = Promise.resolve(local.openTree?.(settings, { configDirectory: '', log: () => undefined }));
  port.on('message', (task: FoldersToList) => {
    void source.then(async (opened) => {
      if (opened !== undefined) port.postMessage(await listFromBack(opened, task, rules));
    });
  });
});

async function listFromBack(source: TreeSource, task: FoldersToList, rules: ListingRules): Promise<ListedFolders> {
  const claims = new FolderClaims(task.claims);
  const listed: (ListingSummary | undefined)[] = task.folders.map(() => undefined);
  const { signal } = new AbortController();
  for (let at = task.folders.length - 1; at >= 0 && claims.claimAhead(at); at -= 1) {
    // Whoever lists it next says what is wrong with it.
    listed[at] = await summarise(source, task.folders[at] ?? '', rules, signal).catch(() => undefined);
  }
  return { number: task.number, listed };
}
