import { setImmediate as yieldToEvents, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../base/clock.js';
import type { CrawlerError } from '../../base/errors.js';
import { messageOf, throwIfCancelled } from '../../base/errors.js';
import { Semaphore } from '../../base/semaphore.js';
import type { TreeSource } from '../../source/source.js';
import type { Catalog, FolderRecord } from '../../state/catalog.js';
import { CatalogWriter } from './catalog-writer.js';
import { FolderScan } from './folder-scan.js';
import { ListingTurns } from './listing-turns.js';
import type { LocalTexts } from './local-texts.js';
import { RecordClaims } from './record-claims.js';
import { rebuildCatalog } from './rebuild-catalog.js';
import { removeGone } from './removal.js';
import { checkRoot, noteRoot } from './root.js';
import { toFault, type ScanContext, type ScanKind } from './scan-context.js';
import type { ScanPort, ScanProgress } from './scan-port.js';
import type { ScanRules } from './scan-rules.js';
import type { ListingSummary, SharedListing } from './shared-listing.js';
import type { PartialScanRequest, ScanEnd, ScanRequest } from './scan-runner.js';
import { recordThroughput } from './throughput.js';
import { writeFolderDocument } from './write-folder-document.js';
import { ScanCounters, type RunCounters } from './scan-counters.js';

export interface ScanDeps {
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly catalog: Catalog;
  /** Where the catalog lies, for sentences. */
  readonly folder?: string;
  readonly port: ScanPort;
  readonly clock: Clock;
  /** Identity of the index (engine.ts): another one than last time means that the catalog speaks of a lost index. */
  readonly indexIdentity: string;
  /** Left out: every file is for the extraction processes. */
  readonly texts?: LocalTexts | undefined;
  /** Left out: the scan lists every folder itself. */
  readonly sharedListing?: SharedListing | undefined;
  /** Files under way at the same time. */
  readonly maxUnderWay: number;
  /** Whether somebody is still writing a file; nobody is, where nothing is watched. */
  readonly isUnstable?: (folder: string, name: string) => boolean;
  /** Of the run that this scan is an attempt of. */
  readonly run?: RunCounters;
  /** Its progress is not reported. */
  readonly isSilent?: boolean;
}

type FinishedScan = ScanEnd & { readonly progress: ScanProgress };

/** Folders taken from the frontier at a time. */
const PAGE = 64;
/** The scan's thread answers messages at least this often. */
const YIELD_MS = 25;
const PROGRESS_MS = 250;
/** How often what waits for company is sent on its way, once no more is to come. */
const FLUSH_MS = 100;

/**
 * One walk over the tree, from the root to the removal of what is gone, or over the folders where something was seen to
 * change. The frontier lives in the catalog: a scan that was interrupted, even by a kill, resumes with the folders that are
 * still pending.
 */
export class Scan {
  readonly #deps: ScanDeps;
  readonly #writer: CatalogWriter;
  readonly #counters: ScanCounters;
  readonly #stop = new AbortController();
  readonly #semaphore: Semaphore;
  readonly #turns: ListingTurns;
  readonly #inWork = new Map<number, Promise<void>>();
  #failure: CrawlerError | undefined;
  #held: Promise<void> | undefined;
  #wasHeld = false;
  #release: (() => void) | undefined;
  #lastYieldMs = 0;

  constructor(deps: ScanDeps) {
    this.#deps = deps;
    this.#counters = new ScanCounters(deps.run);
    this.#writer = new CatalogWriter(deps.catalog, (error) => this.#fail(error));
    this.#semaphore = new Semaphore(deps.maxUnderWay);
    this.#turns = new ListingTurns(this.#counters, deps.sharedListing, this.#stop.signal);
  }

  /** Never rejects: how it ended is in the answer. */
  run(request: ScanRequest): Promise<FinishedScan> {
    return this.#conclude(() => this.#run(request));
  }

  /** Goes through single folders; not while a scan of the whole tree is unfinished. Never rejects. */
  scanChanges(request: PartialScanRequest): Promise<FinishedScan> {
    return this.#conclude(() => this.#scanChanges(request));
  }

  async #conclude(work: () => Promise<void>): Promise<FinishedScan> {
    try {
      await work();
      return { kind: 'completed', progress: this.#finish() };
    } catch (error) {
      this.#deps.port.flush();
      await this.#semaphore.idle();
      return this.#endOf(error);
    } finally {
      this.#writer.close();
    }
  }

  /** No further file is taken. Resolves when what was under way is recorded. */
  async hold(): Promise<void> {
    this.#wasHeld = true;
    this.#turns.hold();
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve;
    });
    this.#deps.port.flush();
    await this.#semaphore.idle();
    this.#writer.flush();
    this.#report();
  }

  continue(): void {
    this.#release?.();
    this.#held = undefined;
  }

  stop(): void {
    this.#stop.abort();
    this.continue();
  }

  async #run(request: ScanRequest): Promise<void> {
    const { context, resumed } = await this.#begin(request);
    const reports = setInterval(() => this.#tryReport(), PROGRESS_MS);
    try {
      await this.#walk(context);
      if (resumed && request.afterRestart) {
        this.#begins(request);
        await this.#walk(context);
      } else if (resumed || this.#wasHeld) {
        // Found gone before the interruption, which may have taken hours: it may be there again.
        this.#deps.catalog.frontier.recheckGone();
        await this.#walk(context);
      }
      await removeGone(context);
    } finally {
      clearInterval(reports);
    }
    this.#writer.flush();
    // What was settled since the last tick belongs to the numbers of the run.
    this.#report();
    this.#deps.catalog.frontier.endScan();
    recordThroughput(this.#deps.catalog, this.#counters.work, this.#deps.clock.now());
  }

  async #scanChanges({ folders, wide }: PartialScanRequest): Promise<void> {
    const { catalog, rules, indexIdentity } = this.#deps;
    const rootDevice = await checkRoot(this.#deps, this.#stop.signal);
    // Another index, or a catalog without a tree, are for the next scan.
    if (
      catalog.facts.fact('index.identity') !== indexIdentity ||
      catalog.records.folderByPath(rules.root) === undefined
    )
      return;
    const context = this.#contextOf(wide ? 'partial_of_tree' : 'partial', rootDevice, true);
    catalog.frontier.beginPartialScan(wide ? [rules.root] : folders);
    await this.#walk(context);
    await removeGone(context);
    this.#writer.flush();
  }

  #contextOf(kind: ScanKind, rootDevice: number, knowsTree: boolean): ScanContext {
    const { catalog, rules, source, clock, port, texts, isUnstable } = this.#deps;
    return {
      kind,
      rules,
      source,
      catalog,
      writer: this.#writer,
      port,
      counters: this.#counters,
      clock,
      texts,
      semaphore: this.#semaphore,
      claims: new RecordClaims(),
      namesakes: [],
      knowsTree,
      rootDevice,
      isUnstable: isUnstable ?? (() => false),
      signal: this.#stop.signal,
      gate: () => this.#gate(),
      fail: (error) => this.#fail(error),
    };
  }

  async #begin(request: ScanRequest): Promise<{ context: ScanContext; resumed: boolean }> {
    const { catalog, rules, source } = this.#deps;
    const { signal } = this.#stop;
    // Before anything can fail: an attempt that does not even reach the source keeps the counts of those before it.
    if (request.resume) this.#recall();
    const rootDevice = await checkRoot(this.#deps, this.#stop.signal);
    const context = this.#contextOf('scan', rootDevice, await this.#checkIndex());
    const open = request.resume ? catalog.frontier.unfinishedScan() : undefined;
    if (open === undefined) {
      Object.assign(this.#counters, { files: 0, deleted: 0, failed: 0 });
      noteRoot(catalog, rules.root);
      this.#begins(request);
    }
    this.#counters.run.beginsAt(this.#counters);
    const root = catalog.records.folderByPath(rules.root);
    if (root !== undefined) await writeFolderDocument(context, root, await source.stat(rules.root, signal));
    return { context, resumed: open !== undefined };
  }

  #recall(): void {
    const { catalog } = this.#deps;
    const open = catalog.frontier.unfinishedScan();
    if (open === undefined) return;
    Object.assign(this.#counters, { files: open.files, deleted: open.deleted, failed: open.failed });
    this.#counters.completedFolders = catalog.frontier.folderCounts().completed;
  }

  #begins({ scanId, startedMs }: ScanRequest): void {
    this.#deps.catalog.frontier.beginScan(this.#deps.rules.root, scanId, startedMs);
    this.#counters.completedFolders = 0;
    this.#counters.seen = 0;
  }

  /** Returns whether the catalog knows the tree. Another index than last time makes it start anew. */
  async #checkIndex(): Promise<boolean> {
    const { catalog, indexIdentity, port, rules } = this.#deps;
    const known = catalog.facts.fact('index.identity');
    if (known === indexIdentity) return true;
    if (known !== undefined) {
      port.log(
        'warn',
        'The index is not the one of the last run: what it holds is compared with the tree, and the rest is indexed again.',
      );
      catalog.facts.clear();
    }
    const rebuilt = await rebuildCatalog(catalog, port, rules, this.#stop.signal);
    catalog.facts.setFact('index.identity', indexIdentity);
    return rebuilt > 0;
  }

  async #walk(context: ScanContext): Promise<void> {
    let afterId = 0;
    for (;;) {
      this.#throwFailure();
      this.#writer.flush();
      const page = this.#deps.catalog.frontier.pendingFolders(afterId, PAGE);
      const folders = page.filter(({ id }) => !this.#inWork.has(id));
      await this.#turns.through(folders, (folder, listed) => this.#take(context, folder, listed));
      afterId = page.at(-1)?.id ?? 0;
      if (page.length > 0) continue;
      if (this.#inWork.size > 0) await this.#nextSettled();
      else if (!this.#hasPending()) break;
    }
    this.#throwFailure();
  }

  async #take(context: ScanContext, folder: FolderRecord, listed: () => ListingSummary | undefined): Promise<void> {
    await this.#gate();
    await this.#breathe();
    this.#throwFailure();
    const { settled } = await new FolderScan(context, folder).scan(listed());
    const done = settled.finally(() => this.#inWork.delete(folder.id));
    this.#inWork.set(folder.id, done);
  }

  /** Nothing is left to list: what is held back to fill a batch has to leave now, and what follows from it soon after. */
  async #nextSettled(): Promise<void> {
    this.#deps.port.flush();
    // Not what the end of the thread waits for.
    await Promise.race([...this.#inWork.values(), delay(FLUSH_MS, undefined, { ref: false })]);
  }

  #hasPending(): boolean {
    this.#writer.flush();
    return this.#deps.catalog.frontier.pendingFolders(0, 1).length > 0;
  }

  async #gate(): Promise<void> {
    while (this.#held !== undefined) await this.#held;
    this.#throwFailure();
  }

  /** Listing is synchronous work: without a pause now and then no message would reach this thread. */
  async #breathe(): Promise<void> {
    const now = performance.now();
    if (now - this.#lastYieldMs < YIELD_MS) return;
    await yieldToEvents();
    this.#lastYieldMs = performance.now();
  }

  #fail(error: unknown): void {
    // What a stop breaks off has not failed.
    if (this.#stop.signal.aborted) return;
    const fault = toFault(error, this.#deps.folder);
    this.#failure ??= fault;
    this.#counters.lastError = fault.message;
    this.continue();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
    throwIfCancelled(this.#stop.signal);
  }

  #tryReport(): void {
    try {
      this.#report();
    } catch (error) {
      this.#fail(error);
    }
  }

  #report(): void {
    this.#counters.pendingFolders = this.#deps.catalog.frontier.folderCounts().pending;
    this.#deps.catalog.frontier.saveScan(this.#counters);
    if (this.#deps.isSilent !== true) this.#deps.port.progress(this.#counters.snapshot());
  }

  #finish(): ScanProgress {
    this.#counters.pendingFolders = 0;
    this.#counters.currentPath = undefined;
    return this.#counters.snapshot();
  }

  #endOf(error: unknown): FinishedScan {
    try {
      this.#writer.flush();
      this.#report();
    } catch (fault) {
      // The catalog itself fails (damaged file, full disk): what is not recorded is done again.
      this.#deps.port.log('warn', `The catalog cannot be written: ${messageOf(fault)}`);
    }
    const progress = this.#counters.snapshot();
    if (this.#stop.signal.aborted) return { kind: 'stopped', progress };
    const fault = toFault(error, this.#deps.folder);
    return {
      kind: 'failed',
      progress: { ...progress, lastError: fault.message },
      code: fault.code,
      message: fault.message,
      connection: fault.retryable,
    };
  }
}
