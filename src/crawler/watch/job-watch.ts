import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { isWithin } from '../../base/path.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { loadTreeWatcher } from '../../source/registry.js';
import type { FileStat, TreeWatch, TreeWatcher, WatchReport } from '../../source/tree-watch.js';
import type { Catalog } from '../../state/catalog.js';
import type { ScanRules } from '../scan/scan-rules.js';
import type { PartialScanRequest } from '../scan/scan-runner.js';
import { PendingChanges } from './pending-changes.js';
import { Watch } from './watch.js';

export interface JobWatchDeps {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly rules: ScanRules;
  readonly catalog: () => Pick<Catalog, 'records' | 'reports'>;
  readonly onDue: () => void;
  readonly onEnd: (message: string) => void;
}

/** Of a source that reports no changes: nothing is ever asked about its files. */
const NO_FILES: TreeWatcher['files'] = { stat: () => undefined, openWriters: () => new Map() };

/** The watch of a job's tree: from the file system's events to what a scan should look at. */
export class JobWatch {
  readonly #deps: JobWatchDeps;
  readonly #watcher: TreeWatcher | undefined;
  readonly #watch: Watch;
  #tree: TreeWatch | undefined;

  private constructor(deps: JobWatchDeps, watcher: TreeWatcher | undefined) {
    this.#deps = deps;
    this.#watcher = watcher;
    const { settings, jobDirectory, catalog } = deps;
    const pendingChanges = new PendingChanges({
      stabilityMs: settings.fs.stabilityMs,
      files: watcher?.files ?? NO_FILES,
      isKnown: (stat) => isKnown(catalog(), stat),
    });
    // The program's own files change whenever it works.
    const own = [dirname(jobDirectory), settings.fs.tempDir].filter((folder) => !isWithin(folder, deps.rules.root));
    this.#watch = new Watch({
      ...deps,
      pendingChanges,
      clock: systemClock,
      isOwn: (path) => own.some((folder) => isWithin(folder, path)),
    });
  }

  static async load(deps: JobWatchDeps): Promise<JobWatch> {
    return new JobWatch(deps, await loadTreeWatcher(deps.settings.fs.provider));
  }

  async start(): Promise<WatchReport> {
    const { settings, rules, catalog } = this.#deps;
    if (this.#watcher === undefined) {
      return { folders: 0, unwatched: [{ path: rules.root, reason: `${settings.fs.provider} reports no changes` }] };
    }
    this.#tree = await this.#watcher.watch(
      {
        root: rules.root,
        followSymlinks: settings.fs.followSymlinks,
        knownFolders: catalog().reports.folderCount(),
        isPassedOver: (folder) => rules.selection.prunes(rules.virtualPath(folder)),
      },
      this.#watch,
    );
    return this.#tree.report;
  }

  /** A root that was made anew, or whose disk was mounted, has to be watched anew. */
  async refresh(): Promise<void> {
    if (this.#tree?.isStale() !== true) return;
    await this.#tree.close();
    await this.start();
  }

  take(): PartialScanRequest | undefined {
    return this.#watch.take();
  }

  giveBack(request: PartialScanRequest): void {
    this.#watch.giveBack(request);
  }

  isUnstable(folder: string, name: string): boolean {
    return this.#watch.isUnstable(folder, name);
  }

  async close(): Promise<void> {
    this.#watch.close();
    await this.#tree?.close();
  }
}

function isKnown(catalog: Pick<Catalog, 'records'>, stat: FileStat): boolean {
  try {
    return catalog.records.filesByInode({ ...stat, version: '' }).length > 0;
  } catch {
    return false; // A damaged catalog is for the next scan.
  }
}
