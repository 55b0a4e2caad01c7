import { systemCode } from '../../../base/errors.js';
import { isWithin } from '../../../base/path.js';
import type { UnwatchedPath, TreeWatch, TreeWatcher, WatchOptions, WatchReport, WatchSink } from '../../tree-watch.js';
import { localFileStats, statsOf } from './file-stat.js';
import { FolderWatcher, type RawDetails } from './folder-watcher.js';
import { inotifyBudget } from './inotify-budget.js';
import { mountOf, readMounts, whyWithoutEvents, type Mount } from './mounts.js';

/** About 5 KB of memory each. */
const MAX_FOLDERS = 25_000;
/** Left to the other programs of the user. */
const RESERVE = 0.1;
const EXHAUSTED: readonly string[] = ['ENOSPC', 'EMFILE', 'ENFILE'];
const REPLACEMENT = '\uFFFD';

/** Resolves when every folder is watched that can be; what cannot be is in the report. */
export async function watchLocalTree(options: WatchOptions, sink: WatchSink): Promise<TreeWatch> {
  const { root } = options;
  const mounts = readMounts() ?? [];
  const why = whyWithoutEvents(mountOf(root, mounts)?.type ?? '');
  if (why !== undefined)
    return new LocalWatch(root, undefined, { folders: 0, unwatched: [{ path: root, reason: why }] });
  const limit = folderLimit();
  const tooMany = `it has more folders than can be watched (${limit.folders}: ${limit.reason})`;
  const withoutWatch = (reason: string): TreeWatch =>
    new LocalWatch(root, undefined, { folders: 0, unwatched: [{ path: root, reason }] });
  if (options.knownFolders > limit.folders) return withoutWatch(tooMany);
  const unwatched = mountsWithoutEvents(root, mounts);
  let isOpen = false;
  let problem: string | undefined;
  const fail = (reason: string): void => {
    if (problem !== undefined) return;
    problem = reason;
    void watcher.close();
    if (isOpen) sink.ended(`Now ${reason}.`);
  };
  const watcher = startWatcher(options, unwatched, limit, sink, { full: () => fail(tooMany), exhausted: fail });
  await watcher.open(root);
  isOpen = true;
  return problem === undefined
    ? new LocalWatch(root, watcher, { folders: watcher.folders, unwatched })
    : withoutWatch(problem);
}

export const localWatcher: TreeWatcher = { files: localFileStats, watch: watchLocalTree };

interface FolderLimit {
  readonly folders: number;
  readonly reason: string;
  readonly queue: number;
}

function folderLimit(): FolderLimit {
  const budget = inotifyBudget();
  const free = budget === undefined ? Infinity : Math.floor((budget.limit - budget.inUse) * (1 - RESERVE));
  const queue = budget?.queue ?? Infinity;
  if (free >= MAX_FOLDERS) return { folders: MAX_FOLDERS, reason: 'the memory limit of watching', queue };
  const reason = `what is left of fs.inotify.max_user_watches = ${budget?.limit ?? 0}, which sysctl raises`;
  return { folders: Math.max(0, free), reason, queue };
}

function mountsWithoutEvents(root: string, mounts: readonly Mount[]): UnwatchedPath[] {
  return mounts.flatMap(({ path, type }) => {
    const reason = path !== root && isWithin(root, path) ? whyWithoutEvents(type) : undefined;
    return reason === undefined ? [] : [{ path, reason }];
  });
}

interface Failures {
  readonly full: () => void;
  readonly exhausted: (reason: string) => void;
}

function startWatcher(
  options: WatchOptions,
  unwatched: readonly UnwatchedPath[],
  limit: FolderLimit,
  sink: WatchSink,
  failures: Failures,
): FolderWatcher {
  const { followSymlinks, isPassedOver } = options;
  const watcher = new FolderWatcher({
    followSymlinks,
    maxFolders: limit.folders,
    isPassedOver: (folder) => unwatched.some(({ path }) => path === folder) || isPassedOver(folder),
    // What came into it before it was watched.
    onOpen: (folder) => sink.changed(folder, undefined),
    onFull: failures.full,
  });
  let events = 0;
  watcher.on('raw', (_event, name: string | null, details) => {
    const { watchedPath } = details as RawDetails;
    sink.changed(watchedPath, name === null || name.includes(REPLACEMENT) ? undefined : name);
    // A full queue arrives at once, and what did not fit into it is not reported.
    if (events === 0) setImmediate(() => (events = 0));
    events += 1;
    if (events === limit.queue) sink.overflowed();
  });
  watcher.on('error', (error) => {
    const code = systemCode(error);
    if (code !== undefined && EXHAUSTED.includes(code))
      failures.exhausted(
        `the system has no watches left for its folders (${code}; sysctl fs.inotify.max_user_watches)`,
      );
  });
  return watcher;
}

class LocalWatch implements TreeWatch {
  readonly #root: string;
  readonly #watcher: FolderWatcher | undefined;
  readonly #identity: string;
  readonly report: WatchReport;

  constructor(root: string, watcher: FolderWatcher | undefined, report: WatchReport) {
    this.#root = root;
    this.#watcher = watcher;
    this.#identity = identityOf(root);
    this.report = report;
  }

  isStale(): boolean {
    return this.#watcher !== undefined && identityOf(this.#root) !== this.#identity;
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }
}

function identityOf(root: string): string {
  const stats = statsOf(root);
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}
