import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import { baseName } from '../../base/path.js';
import type { Entry, EntryKind } from '../../model/entry.js';
import type { FileRecord, FolderRecord, FolderState } from '../../state/catalog.js';
import { lastRootDevice } from './delete-guard.js';
import { FileWork, type Judged } from './file-work.js';
import { readListing, type FolderListing } from './folder-listing.js';
import { decide, goneRecord, hasLostTarget, hiddenTarget } from './reconcile.js';
import type { ScanContext } from './scan-context.js';
import { isUndecided, type SelectionResult } from './selection.js';
import type { ListingSummary } from './shared-listing.js';
import { writeFolderDocument } from './write-folder-document.js';

/** Files judged before the first of them is handed over. */
const CHUNK = 1000;

/**
 * One folder: list it, merge the listing with the catalog, hand its files over. The folder leaves the frontier when the
 * last outcome of its files is recorded; `scan` itself returns as soon as all of them are under way, so that the next
 * folder can be listed meanwhile.
 */
export class FolderScan {
  readonly #context: ScanContext;
  readonly #folder: FolderRecord;

  constructor(context: ScanContext, folder: FolderRecord) {
    this.#context = context;
    this.#folder = folder;
  }

  /**
   * Resolves with a promise for the folder's last outcome. Throws only what must end the scan.
   * @param listed when it was listed by another thread: it is not listed again if it is as it was
   */
  async scan(listed?: ListingSummary): Promise<{ readonly settled: Promise<void> }> {
    const { source, rules, signal, counters } = this.#context;
    counters.currentPath = this.#folder.path;
    if (listed?.digest === this.#folder.digest) return this.#keep(listed);
    let listing: FolderListing;
    try {
      listing = await readListing(source, this.#folder.path, rules.selection, signal);
    } catch (error) {
      return await this.#passOver(error);
    }
    return await this.#reconcile(listing);
  }

  /** A folder that cannot be listed keeps everything it is known to hold. A lost connection ends the scan. */
  async #passOver(error: unknown): Promise<{ settled: Promise<void> }> {
    const { signal, writer, counters, port } = this.#context;
    throwIfCancelled(signal);
    if (!(error instanceof CrawlerError) || error.code === 'unavailable' || error.code === 'timed_out') throw error;
    if (error.code === 'not_found') await this.#expectRoot();
    else {
      counters.lastError = error.message;
      counters.failed += 1;
      port.log('warn', `Error listing files in ${this.#folder.path}: ${error.message} Nothing below it is removed.`);
    }
    const reason = error.code === 'not_found' ? 'vanished' : 'unreadable';
    writer.add({
      kind: 'complete',
      folderId: this.#folder.id,
      state: { digest: '', device: this.#folder.device, reason },
    });
    return { settled: Promise.resolve() };
  }

  /** Where the whole tree was taken away, no folder of it has vanished: the scan ends, and the next one resumes it. */
  async #expectRoot(): Promise<void> {
    const { source, rules, rootDevice, signal } = this.#context;
    const { device } = await source.stat(rules.root, signal);
    if (rootDevice === 0 || device === rootDevice) return;
    throw new CrawlerError(
      'not_found',
      `[${rules.root}] is on another device than before: its disk was taken away. Nothing is removed from the index.`,
      { subject: rules.root },
    );
  }

  async #reconcile(listing: FolderListing): Promise<{ settled: Promise<void> }> {
    const { rules, catalog } = this.#context;
    const fingerprint = rules.fingerprint(listing.metadata);
    const digest = listing.digest.value(rules.listingSeed(fingerprint));
    if (digest === this.#folder.digest) {
      const { entries } = listing;
      return this.#keep({ entries: entries.length, holdsFolders: entries.some(({ kind }) => kind === 'folder') });
    }
    if (listing.ignored) return this.#ignore(digest);
    const records = new Map(catalog.records.files(this.#folder.id).map((record) => [record.name, record]));
    const device = await this.#deviceOf(listing);
    const foreign = this.#foreign(listing, records, device);
    if (foreign !== undefined) return await this.#passOver(foreign);
    const work = new FileWork(this.#context, this.#folder, listing.metadata, fingerprint);
    const documents = [...(await this.#ownDocument()), ...(await this.#descend(listing.entries, work))];
    await this.#judgeFiles(listing.entries, records, fingerprint, work);
    this.#markGone(records.values());
    const settled = Promise.all([work.ended(), ...documents]).then(([end, ...answered]) => {
      if (end === 'broken' || answered.includes(false)) return;
      this.#complete({ digest: end === 'settled' ? digest : '', device, reason: undefined });
    });
    return { settled };
  }

  /** A scan has written it when it went through the folder above; a partial scan begins here. */
  async #ownDocument(): Promise<readonly Promise<boolean>[]> {
    const { kind, rules, source, signal } = this.#context;
    if (kind !== 'partial' || rules.folderIndex === undefined) return [];
    const entry = await source.stat(this.#folder.path, signal).catch(() => undefined);
    if (entry === undefined) return [];
    const { answered } = await writeFolderDocument(this.#context, this.#folder, entry);
    return [answered];
  }

  /** Nothing changed: its sub-folders are pending, none of its records was read. */
  #keep({ entries, holdsFolders }: Omit<ListingSummary, 'digest'>): { settled: Promise<void> } {
    const { kind, writer, counters } = this.#context;
    counters.seen += entries;
    counters.keptFolders += 1;
    writer.add({ kind: 'keep', folderId: this.#folder.id, withSubfolders: kind !== 'partial' && holdsFolders });
    counters.completedFolders += 1;
    return { settled: Promise.resolve() };
  }

  /** A .crawlerignore takes out the folder's files and everything below it. */
  #ignore(digest: string): { settled: Promise<void> } {
    const { catalog, port } = this.#context;
    catalog.batch(() => {
      for (const { id } of catalog.records.subfolders(this.#folder.id)) catalog.deletions.markFolderGone(id);
      this.#markGone(catalog.records.files(this.#folder.id));
    });
    port.log('debug', `[${this.#folder.path}] holds a .crawlerignore file: it is skipped.`);
    this.#complete({ digest, device: this.#folder.device, reason: 'ignored_folder' });
    return { settled: Promise.resolve() };
  }

  /** The device of the folder's content: the one of a file in it, or else of the folder. */
  async #deviceOf({ entries }: FolderListing): Promise<number> {
    const file = entries.find(({ kind }) => kind === 'file');
    if (file !== undefined) return file.device;
    const { source, signal } = this.#context;
    if (!source.features.identity) return 0;
    const { device } = this.#folder;
    return await source.stat(this.#folder.path, signal).then(
      (folder) => folder.device,
      () => device,
    );
  }

  /**
   * A folder on another device than last time that holds nothing of what it held is not an emptied folder: its disk is
   * not mounted, and something else shows through. One that has changed its device together with the root (a server that
   * was mounted again, another disk for the whole tree) has not lost a disk: what is gone of it is for the guard.
   */
  #foreign(
    { entries }: FolderListing,
    records: ReadonlyMap<string, FileRecord>,
    device: number,
  ): CrawlerError | undefined {
    const { id, device: lastDevice, path } = this.#folder;
    if (lastDevice === 0 || device === 0 || device === lastDevice) return undefined;
    const { catalog, rootDevice } = this.#context;
    if (device === rootDevice && lastDevice === lastRootDevice(catalog)) return undefined;
    const subfolders = catalog.records.subfolders(id).map((each) => baseName(each.path));
    const known = new Set([...records.keys(), ...subfolders]);
    if (known.size === 0 || entries.some(({ name }) => known.has(name))) return undefined;
    return new CrawlerError(
      'denied',
      `[${path}] is on another device than last time and holds none of its ${known.size} known entries: its disk seems not to be mounted.`,
      { subject: path },
    );
  }

  /** Returns whether the documents of the sub-folders are answered for, each as `writeFolderDocument` says it. */
  async #descend(entries: readonly Entry[], work: FileWork): Promise<readonly Promise<boolean>[]> {
    const { catalog, rules, kind } = this.#context;
    const { selected, undecided } = this.#judgeFolders(entries, work);
    const byPath = new Map(selected.map((entry) => [entry.path, entry]));
    const kinds = new Map(entries.map(({ path, kind: is }) => [path, is]));
    for (const known of catalog.records.subfolders(this.#folder.id)) {
      if (byPath.has(known.path) || undecided.has(known.path)) continue;
      const hidden = this.#hiddenFolder(known, kinds.get(known.path));
      if (hidden === undefined) catalog.deletions.markFolderGone(known.id);
      else this.#passOverKnown(hidden, work);
    }
    const paths = [...byPath.keys()];
    const children =
      kind === 'partial'
        ? catalog.frontier.addNewSubfolders(this.#folder.id, paths)
        : catalog.frontier.addSubfolders(this.#folder.id, paths);
    const documents: Promise<boolean>[] = [];
    if (rules.folderIndex === undefined) return documents;
    for (const child of children) {
      const entry = byPath.get(child.path);
      if (entry !== undefined) documents.push((await writeFolderDocument(this.#context, child, entry)).answered);
    }
    return documents;
  }

  /** A folder of which a pattern was not decided is not entered, and what is known of it is kept. */
  #judgeFolders(
    entries: readonly Entry[],
    work: FileWork,
  ): { readonly selected: readonly Entry[]; readonly undecided: ReadonlySet<string> } {
    const selected: Entry[] = [];
    const undecided = new Set<string>();
    for (const entry of entries) {
      if (entry.kind !== 'folder') continue;
      const result = this.#select(entry);
      if (result.selected) selected.push(entry);
      else if (isUndecided(result)) {
        undecided.add(entry.path);
        this.#passOverUndecided(entry, result, work);
      }
    }
    return { selected, undecided };
  }

  /** Why a known folder behind a followed link cannot be seen, although nothing says that it is gone. */
  #hiddenFolder({ path, device }: FolderRecord, kind: EntryKind | undefined): string | undefined {
    if (kind === 'unreachable') return `[${path}] is a link to what cannot be read.`;
    const { rootDevice } = this.#context;
    const wasElsewhere = device !== 0 && rootDevice !== 0 && device !== rootDevice;
    if (kind !== 'dangling' || !wasElsewhere) return undefined;
    return `[${path}] is a link to another disk, which seems not to be mounted.`;
  }

  #passOverUndecided({ path }: Entry, result: SelectionResult & { selected: false }, work: FileWork): void {
    this.#passOverKnown(`[${path}] is passed over. ${result.rule}`, work);
  }

  #passOverKnown(why: string, work: FileWork): void {
    const { counters, port } = this.#context;
    counters.failed += 1;
    counters.lastError = why;
    port.log('warn', `${counters.lastError} What the index holds of it is kept.`);
    work.keepOpen();
  }

  async #judgeFiles(
    entries: readonly Entry[],
    records: Map<string, FileRecord>,
    fingerprint: number,
    work: FileWork,
  ): Promise<void> {
    for (let from = 0; from < entries.length; from += CHUNK) {
      const judged = entries
        .slice(from, from + CHUNK)
        .flatMap((entry) => this.#judge(entry, records, fingerprint, work));
      work.announce(judged);
      for (const { entry, decision, record } of judged) await work.take(entry, decision, record);
    }
  }

  /** Takes the entry's record out of `records`; returns what there is to do about it, if anything. */
  #judge(entry: Entry, records: Map<string, FileRecord>, fingerprint: number, work: FileWork): Judged[] {
    if (entry.kind === 'folder') return [];
    const { counters, clock } = this.#context;
    counters.seen += 1;
    const record = records.get(entry.name);
    // A link whose target is gone goes as all that is gone: at the end of the scan, and only if the guard lets it.
    if (hasLostTarget(entry, record)) return this.#leaveOpen(work);
    records.delete(entry.name);
    if (this.#isHiddenOrUnstable(entry, record, work)) return this.#leaveOpen(work, record);
    const result = this.#select(entry);
    if (isUndecided(result)) {
      this.#passOverUndecided(entry, result, work);
      if (record !== undefined) return this.#leaveOpen(work, record);
    }
    const decision = decide(entry, result, record, fingerprint, clock.now());
    if (decision.kind !== 'same') return [{ entry, decision, record }];
    // Its document is being given to another file at this moment.
    if (record?.state === 'indexed' && this.#context.claims.has(this.#folder.id, entry.name))
      return [{ entry, decision: { kind: 'index' }, record }];
    if (record !== undefined && record.retryMs > 0) work.keepOpen();
    return [];
  }

  #isHiddenOrUnstable(entry: Entry, record: FileRecord | undefined, work: FileWork): boolean {
    const hidden = hiddenTarget(entry, record);
    if (hidden !== undefined) this.#passOverKnown(hidden, work);
    return hidden !== undefined || this.#context.isUnstable(this.#folder.path, entry.name);
  }

  /** The next scan looks at it again. What counted as gone, and is there, counts as gone no longer. */
  #leaveOpen(work: FileWork, present?: FileRecord): Judged[] {
    work.keepOpen();
    if (present?.state === 'gone')
      this.#context.writer.add({ kind: 'file', record: { ...present, state: 'sent', rules: 0 } });
    return [];
  }

  /** What is left of the records was not in the listing. */
  #markGone(left: Iterable<FileRecord>): void {
    const { writer } = this.#context;
    for (const record of left) {
      if (record.state === 'gone') continue;
      if (record.state === 'skipped') writer.add({ kind: 'forget', folderId: record.folderId, name: record.name });
      else writer.add({ kind: 'file', record: goneRecord(record) });
    }
  }

  #complete(state: FolderState): void {
    this.#context.writer.add({ kind: 'complete', folderId: this.#folder.id, state });
    this.#context.counters.completedFolders += 1;
  }

  #select(entry: Entry): SelectionResult {
    return this.#context.rules.selection.judge(entry, this.#context.rules.virtualPath(entry.path));
  }
}
