import { baseName, joinPath } from '../../base/path.js';
import { decide, fingerprintOf, sameFingerprint, type Decision } from '../../crawler/scan/reconcile.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { Entry } from '../../model/entry.js';
import type { FileRecord, NamedState } from '../../state/catalog.js';
import { walkTree, type FolderView, type Inspection, type ReadableCatalog } from '../job/tree-walk.js';
import type { Finding, FindingKind } from './findings.js';

/** What a comparison of tree and catalog tells as it goes. */
export interface TreeCheckEvents {
  readonly finding: (finding: Finding) => void;
  /** The catalog counts this file as indexed. */
  readonly indexed: (folderPath: string, name: string) => void;
  /** Called after each folder: whoever collects findings can work them off. */
  readonly settle: () => Promise<void>;
  /** The file is indexed and has not changed since: its content may be compared. Waits while too many are. */
  readonly unchanged: ((entry: Entry, metadata: MetadataFile | undefined) => Promise<void>) | undefined;
}

export interface TreeCheckOptions {
  /** A crawler is running on the job: what its next scan will see is no difference. */
  readonly live: boolean;
  /** Documents of files that are gone stay in the index (fs.remove_deleted). */
  readonly keepsDeleted: boolean;
  /** What the last scan found gone waits for a person's approval. */
  readonly holdsDeletions: boolean;
  readonly nowMs: number;
}

type ListedView = FolderView & { readonly kind: 'listed' };

const GONE_PAGE = 1000;

/**
 * Compares tree and catalog as the next scan would, and changes nothing.
 *
 * On a live job the catalog itself tells what is only not done yet, without any clock: the digest of a folder's listing
 * (listing-digest.ts) differs from the one of the last scan, or there is none, so the next scan looks at the folder. A
 * difference in a folder whose digest fits would be overlooked for ever: that is one also on a live job.
 */
export class TreeCheck {
  readonly #inspection: Inspection & { readonly catalog: ReadableCatalog };
  readonly #options: TreeCheckOptions;
  readonly #events: TreeCheckEvents;
  readonly closedFolders: { path: string; message: string }[] = [];
  selected = 0;
  bytes = 0;
  indexed = 0;
  folders = 0;
  /** Files that are gone and whose documents wait for approval. */
  held = 0;
  /** Folders of the catalog that were looked at although it had marked them gone. */
  readonly #foundAgain = new Set<number>();

  constructor(
    inspection: Inspection & { readonly catalog: ReadableCatalog },
    options: TreeCheckOptions,
    events: TreeCheckEvents,
  ) {
    this.#inspection = inspection;
    this.#options = options;
    this.#events = events;
  }

  async run(): Promise<void> {
    for await (const view of walkTree(this.#inspection)) {
      await this.#check(view);
      await this.#events.settle();
    }
    this.#checkGoneFolders();
  }

  async #check(view: FolderView): Promise<void> {
    const { catalog } = this.#inspection;
    switch (view.kind) {
      case 'closed':
        if (this.closedFolders.length < 1000) this.closedFolders.push({ path: view.path, message: view.fault.message });
        if (view.record !== undefined) this.#countIndexed(view.path, catalog.reports.fileStates(view.record.id));
        return;
      case 'gone':
      case 'left_out':
        this.#checkAbsent(view.path, catalog.records.files(view.record.id), view.kind);
        return;
      case 'listed':
        this.folders += 1;
        if (view.listing.ignored) {
          if (view.record !== undefined)
            this.#checkAbsent(view.path, catalog.records.files(view.record.id), 'left_out');
          return;
        }
        await this.#checkListed(view);
    }
  }

  async #checkListed(view: ListedView): Promise<void> {
    const { record, listing } = view;
    if (view.settled && record !== undefined) {
      const states = this.#inspection.catalog.reports.fileStates(record.id);
      if (isComplete(listing.entries, states)) {
        await this.#takeSettled(view, states);
        return;
      }
    }
    const records = record === undefined ? [] : this.#inspection.catalog.records.files(record.id);
    if (record !== undefined && records.some(({ state }) => state === 'gone')) this.#foundAgain.add(record.id);
    const byName = new Map(records.map((each) => [each.name, each]));
    for (const entry of listing.entries) {
      if (entry.kind === 'folder') continue;
      const known = byName.get(entry.name);
      byName.delete(entry.name);
      await this.#checkEntry(view, entry, known);
    }
    this.#checkAbsent(view.path, [...byName.values()], 'gone', view);
  }

  /** The catalog knows exactly this listing: nothing has to be compared. */
  async #takeSettled(view: ListedView, named: readonly NamedState[]): Promise<void> {
    const { path, listing } = view;
    this.#countIndexed(path, named);
    if (named.some(({ state }) => state === 'gone')) {
      const gone = this.#inspection.catalog.records.files(view.record?.id ?? 0).filter(({ state }) => state === 'gone');
      this.#checkAbsent(path, gone, 'gone');
    }
    const { unchanged } = this.#events;
    const states = new Map(named.map(({ name, state }) => [name, state]));
    for (const entry of listing.entries) {
      if (entry.kind !== 'file') continue;
      const state = states.get(entry.name);
      if (state === 'skipped') continue;
      this.#countSelected(entry);
      if (unchanged !== undefined && state === 'indexed') await unchanged(entry, listing.metadata);
    }
  }

  async #checkEntry(view: ListedView, entry: Entry, record: FileRecord | undefined): Promise<void> {
    const { rules } = this.#inspection;
    const result = rules.selection.judge(entry, rules.virtualPath(entry.path));
    const decision = decide(entry, result, record, view.fingerprint, this.#options.nowMs);
    if (result.selected) this.#countSelected(entry);
    if (record?.state === 'indexed') this.#countIndexed(view.path, [record]);
    if (decision.kind === 'leave_out') {
      this.#checkLeftOut(view, entry, record, decision);
      return;
    }
    const kind = decision.kind === 'index' ? kindOf(entry, record, view.fingerprint) : undefined;
    if (kind !== undefined) this.#report(view, record, entry.path, kind);
    else if (record?.state === 'indexed') await this.#events.unchanged?.(entry, view.listing.metadata);
  }

  /** A rule that is new, or that has hit a changed file: the document of before has to go. */
  #checkLeftOut(
    view: ListedView,
    entry: Entry,
    record: FileRecord | undefined,
    { reason, rule, remove }: Decision & { kind: 'leave_out' },
  ): void {
    if (remove && record?.state !== 'gone')
      this.#report(view, record, entry.path, 'unwanted', { reason, detail: rule });
  }

  /** Records whose names are not in a listing, or whose folder has none. */
  #checkAbsent(path: string, records: readonly FileRecord[], why: 'gone' | 'left_out', view?: ListedView): void {
    for (const record of records) {
      if (record.state === 'skipped') continue;
      this.#countIndexed(path, [record]);
      if (this.#options.keepsDeleted) continue;
      if (record.state === 'gone' && this.#options.holdsDeletions) {
        this.held += 1;
        continue;
      }
      const kind = why === 'gone' || record.state === 'gone' ? 'gone' : 'unwanted';
      this.#report(view, record, joinPath(path, record.name), kind);
    }
  }

  /** What lay in folders that a scan has found gone: it was interrupted before the removal, or is held back. */
  #checkGoneFolders(): void {
    let after: FileRecord | undefined;
    for (;;) {
      const page = this.#inspection.catalog.reports.filesOfGoneFolders(after, GONE_PAGE);
      if (page.length === 0) return;
      after = page.at(-1)?.record;
      for (const { folderPath, record } of page)
        if (!this.#foundAgain.has(record.folderId)) this.#checkAbsent(folderPath, [record], 'gone');
    }
  }

  #report(
    view: ListedView | undefined,
    record: FileRecord | undefined,
    path: string,
    kind: FindingKind,
    more: Pick<Finding, 'reason' | 'detail'> = {},
  ): void {
    const overlooked = view?.settled === true;
    const place = record === undefined ? placeOf(view, path) : { folderId: record.folderId, name: record.name };
    const where = place === undefined ? {} : { place };
    const pending = this.#options.live && !overlooked;
    this.#events.finding({ kind, path, what: 'file', pending, overlooked, ...where, ...more });
  }

  #countSelected(entry: Entry): void {
    this.selected += 1;
    this.bytes += Math.max(0, entry.size);
  }

  #countIndexed(path: string, states: readonly NamedState[]): void {
    for (const { name, state } of states) {
      if (state !== 'indexed') continue;
      this.indexed += 1;
      this.#events.indexed(path, name);
    }
  }
}

function placeOf(view: ListedView | undefined, path: string): Finding['place'] {
  return view?.record === undefined ? undefined : { folderId: view.record.id, name: baseName(path) };
}

/** A settled folder has a record for each of its entries that is no folder, and none besides. */
function isComplete(entries: readonly Entry[], states: readonly NamedState[]): boolean {
  let files = 0;
  for (const { kind } of entries) if (kind !== 'folder') files += 1;
  let present = 0;
  for (const { state } of states) if (state !== 'gone') present += 1;
  return files === present;
}

/** Why the next scan would work on this file; undefined for a failure, which is a reason of its own. */
function kindOf(entry: Entry, record: FileRecord | undefined, fingerprint: number): FindingKind | undefined {
  switch (record?.state) {
    case undefined:
    case 'sent':
    case 'gone':
      return 'unseen';
    case 'failed':
      return sameFingerprint(fingerprintOf(entry), record) ? undefined : 'changed';
    case 'indexed':
    case 'skipped':
      if (!sameFingerprint(fingerprintOf(entry), record)) return 'changed';
      return record.rules === fingerprint || record.state === 'skipped' ? 'unseen' : 'outdated';
  }
}
