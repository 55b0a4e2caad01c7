import { systemClock } from '../../base/clock.js';
import { extensionOf } from '../../base/path.js';
import { leadsNowhere, moveCandidates } from '../../crawler/scan/moves.js';
import { decide, fingerprintOf, sameFingerprint } from '../../crawler/scan/reconcile.js';
import { recordedThroughput, type Throughput } from '../../crawler/scan/throughput.js';
import type { SelectionResult } from '../../crawler/scan/selection.js';
import type { Entry } from '../../model/entry.js';
import type { Reason } from '../../model/reason.js';
import type { Catalog, FileRecord } from '../../state/catalog.js';
import { InspectedJob } from '../job/inspected-job.js';
import type { JobContext } from '../job/job-context.js';
import { walkTree, type FolderView, type Inspection } from '../job/tree-walk.js';

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** What the next scan would do about the files of the tree. */
export type PlannedChange = 'new' | 'changed' | 'outdated' | 'retried' | 'moved' | 'gone' | 'removed' | 'unchanged';

export interface LeftOut extends Amount {
  readonly reason: Reason;
  /** The rule as it is written; empty where the reason says it all. */
  readonly rule: string;
  /** Folders that it takes out as a whole, with everything below them: what they hold is not counted. */
  readonly folders: number;
}

export interface Plan {
  readonly folders: number;
  /** Files that belong into the index. */
  readonly selected: Amount;
  /** The same by extension, largest first; empty for none. */
  readonly types: readonly (Amount & { readonly extension: string })[];
  readonly leftOut: readonly LeftOut[];
  readonly changes: Readonly<Record<PlannedChange, Amount>>;
  /** What has to be read and extracted. */
  readonly work: Amount;
  readonly closedFolders: number;
  /** Undefined before the first scan that indexed enough files. */
  readonly estimate: Estimate | undefined;
  readonly walkMs: number;
}

export interface Estimate {
  /** By the number of files and by their bytes: the truth lies mostly between. Walking is part of both. */
  readonly byFilesMs: number;
  readonly byBytesMs: number;
  readonly basis: Throughput;
}

/** Extensions beyond these are counted together: names are anybody's. */
const MOST_EXTENSIONS = 2000;
const PAGE = 1000;

class Count {
  files = 0;
  bytes = 0;

  add(size: number): void {
    this.files += 1;
    this.bytes += Math.max(0, size);
  }
}

/**
 * Walks the tree and tells what a scan would do. Writes nothing, to the catalog no more than to the index.
 * @param onProgress called with the files seen so far, folder by folder
 */
export async function planJob(place: JobContext, onProgress: (files: number) => void = () => undefined): Promise<Plan> {
  const job = await InspectedJob.open(place);
  try {
    const { rules, source, catalog, signal } = job;
    return await new Planner({ rules, source, catalog, signal }, systemClock.now()).run(onProgress);
  } finally {
    await job.close();
  }
}

class Planner {
  readonly #inspection: Inspection;
  readonly #nowMs: number;
  readonly #selected = new Count();
  readonly #types = new Map<string, Count>();
  readonly #leftOut = new Map<string, { reason: Reason; rule: string; folders: number; count: Count }>();
  readonly #changes: Record<PlannedChange, Count> = {
    new: new Count(),
    changed: new Count(),
    outdated: new Count(),
    retried: new Count(),
    moved: new Count(),
    gone: new Count(),
    removed: new Count(),
    unchanged: new Count(),
  };
  /** Folders that are there although the catalog has marked them gone. */
  readonly #foundAgain = new Set<number>();
  #folders = 0;
  #closedFolders = 0;

  constructor(inspection: Inspection, nowMs: number) {
    this.#inspection = inspection;
    this.#nowMs = nowMs;
  }

  async run(onProgress: (files: number) => void): Promise<Plan> {
    const started = performance.now();
    for await (const view of walkTree(this.#inspection)) {
      await this.#take(view);
      onProgress(this.#selected.files);
    }
    this.#countGoneFolders();
    this.#forgetMoved();
    const walkMs = performance.now() - started;
    const { new: fresh, changed, outdated, retried } = this.#changes;
    const work = sum([fresh, changed, outdated, retried]);
    return {
      folders: this.#folders,
      selected: this.#selected,
      types: [...this.#types]
        .map(([extension, { files, bytes }]) => ({ extension, files, bytes }))
        .sort((left, right) => right.bytes - left.bytes || right.files - left.files),
      leftOut: [...this.#leftOut.values()].map(({ count: { files, bytes }, ...rest }) => ({ ...rest, files, bytes })),
      changes: this.#changes,
      work,
      closedFolders: this.#closedFolders,
      estimate: estimate(this.#inspection.catalog, work, walkMs),
      walkMs,
    };
  }

  async #take(view: FolderView): Promise<void> {
    const { catalog } = this.#inspection;
    if (view.kind === 'closed') {
      this.#closedFolders += 1;
      return;
    }
    const records = view.record === undefined || catalog === undefined ? [] : knownFiles(catalog, view);
    if (view.kind === 'listed') await this.#takeListed(view, records);
    else this.#absent(records, view.kind);
  }

  async #takeListed(view: FolderView & { kind: 'listed' }, records: readonly FileRecord[]): Promise<void> {
    this.#folders += 1;
    if (view.record !== undefined && records.some(({ state }) => state === 'gone'))
      this.#foundAgain.add(view.record.id);
    if (view.listing.ignored) {
      for (const entry of view.listing.entries) this.#leave('ignored_folder', '', entry);
      this.#absent(records, 'left_out');
      return;
    }
    const byName = new Map(records.map((record) => [record.name, record]));
    for (const entry of view.listing.entries) {
      const record = byName.get(entry.name);
      byName.delete(entry.name);
      await this.#judge(view, entry, record);
    }
    this.#absent([...byName.values()], 'gone');
  }

  #absent(records: readonly FileRecord[], why: 'gone' | 'left_out'): void {
    if (!this.#inspection.rules.removeDeleted) return;
    for (const { state, size } of records)
      if (state !== 'skipped') this.#changes[why === 'gone' || state === 'gone' ? 'gone' : 'removed'].add(size);
  }

  async #judge(view: FolderView & { kind: 'listed' }, entry: Entry, record: FileRecord | undefined): Promise<void> {
    const { rules } = this.#inspection;
    const result = rules.selection.judge(entry, rules.virtualPath(entry.path));
    if (!result.selected) this.#leave(result.reason, result.rule, entry);
    if (entry.kind === 'folder') return;
    if (result.selected) {
      this.#selected.add(entry.size);
      this.#countType(entry);
    }
    const change = view.settled ? settledChange(result) : await this.#changeOf(view, entry, result, record);
    if (change !== undefined) this.#changes[change].add(entry.size);
  }

  async #changeOf(
    view: FolderView & { kind: 'listed' },
    entry: Entry,
    result: SelectionResult,
    record: FileRecord | undefined,
  ): Promise<PlannedChange | undefined> {
    const decision = decide(entry, result, record, view.fingerprint, this.#nowMs);
    switch (decision.kind) {
      case 'same':
      case 'adopt':
        return settledChange(result);
      case 'leave_out':
        return decision.remove ? 'removed' : undefined;
      case 'index':
        return await this.#kindOf(entry, record, view.fingerprint);
    }
  }

  async #kindOf(entry: Entry, record: FileRecord | undefined, fingerprint: number): Promise<PlannedChange> {
    if (record === undefined || record.state === 'sent')
      return (await this.#isMoved(entry, fingerprint)) ? 'moved' : 'new';
    // What was gone and has changed meanwhile, or what a rule left out before.
    if (record.state === 'gone' || record.state === 'skipped') return 'new';
    if (!sameFingerprint(fingerprintOf(entry), record)) return 'changed';
    return record.state === 'failed' ? 'retried' : 'outdated';
  }

  async #isMoved(entry: Entry, fingerprint: number): Promise<boolean> {
    const { catalog } = this.#inspection;
    if (catalog === undefined) return false;
    const context = { ...this.#inspection, catalog, knowsTree: true };
    for (const candidate of moveCandidates(context, entry, fingerprint))
      if (await leadsNowhere(context, candidate)) return true;
    return false;
  }

  /** What lay in folders that an earlier scan has found gone, and whose documents are still there. */
  #countGoneFolders(): void {
    const { catalog, rules } = this.#inspection;
    if (catalog === undefined || !rules.removeDeleted) return;
    let after: FileRecord | undefined;
    for (;;) {
      const page = catalog.reports.filesOfGoneFolders(after, PAGE);
      if (page.length === 0) return;
      after = page.at(-1)?.record;
      for (const { record } of page) if (!this.#foundAgain.has(record.folderId)) this.#changes.gone.add(record.size);
    }
  }

  /** The old place of a moved file is not a file that is gone. */
  #forgetMoved(): void {
    const { moved, gone } = this.#changes;
    gone.files = Math.max(0, gone.files - moved.files);
    gone.bytes = Math.max(0, gone.bytes - moved.bytes);
  }

  #leave(reason: Reason, rule: string, entry: Entry): void {
    const key = `${reason} ${rule}`;
    const known = this.#leftOut.get(key) ?? { reason, rule, folders: 0, count: new Count() };
    this.#leftOut.set(key, known);
    if (entry.kind === 'folder') known.folders += 1;
    else known.count.add(entry.size);
  }

  #countType({ name, size }: Entry): void {
    const wanted = extensionOf(name) ?? '';
    const extension = this.#types.has(wanted) || this.#types.size < MOST_EXTENSIONS ? wanted : '…';
    const count = this.#types.get(extension) ?? new Count();
    this.#types.set(extension, count);
    count.add(size);
  }
}

/** Of a settled folder nothing has to be compared, so nothing is read. */
function knownFiles(catalog: Pick<Catalog, 'records'>, view: FolderView): readonly FileRecord[] {
  if (view.record === undefined || (view.kind === 'listed' && view.settled)) return [];
  return catalog.records.files(view.record.id);
}

function settledChange({ selected }: SelectionResult): PlannedChange | undefined {
  return selected ? 'unchanged' : undefined;
}

function estimate(catalog: Pick<Catalog, 'facts'> | undefined, work: Amount, walkMs: number): Estimate | undefined {
  const basis = catalog === undefined ? undefined : recordedThroughput(catalog);
  if (basis === undefined) return undefined;
  return {
    byFilesMs: walkMs + (work.files * basis.ms) / Math.max(1, basis.files),
    byBytesMs: walkMs + (work.bytes * basis.ms) / Math.max(1, basis.bytes),
    basis,
  };
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce(({ files, bytes }, each) => ({ files: files + each.files, bytes: bytes + each.bytes }), {
    files: 0,
    bytes: 0,
  });
}
