import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { DocumentRules } from '../../ingest/document-rules.js';
import { openTreeSource } from '../../source/registry.js';
import type { TreeSource } from '../../source/source.js';
import type { WatchReport } from '../../source/tree-watch.js';
import type { CatalogTotals, ReasonCounts } from '../../state/catalog.js';
import { openCatalog, replaceCatalog } from '../../state/open-catalog.js';
import type { SqliteCatalog } from '../../state/sqlite-catalog.js';
import { approveDeletions, heldDeletions, type Approval, type HeldDeletions } from '../scan/delete-guard.js';
import { openLocalTexts, type LocalTexts } from '../scan/local-texts.js';
import { ScanRules } from '../scan/scan-rules.js';
import { ListingsAhead } from '../listing-ahead/listings-ahead.js';
import type { ScanEnd, ScanRequest, UnfinishedScan } from '../scan/scan-runner.js';
import { Scan } from '../scan/scan.js';
import { loadPatternEngine } from '../scan/selection.js';
import { RunCounters, ScanCounters } from '../scan/scan-counters.js';
import { JobWatch } from '../watch/job-watch.js';
import type { ScanThread, ScanThreadData, ScanThreadHost } from './scan-thread.js';

interface WorkerParts {
  readonly data: ScanThreadData;
  readonly host: ScanThreadHost;
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly texts: LocalTexts | undefined;
  /** Ends the thread once its last answer has left. */
  readonly endThread: () => void;
}

/**
 * The scans of a job, in the thread that walks its tree and owns its catalog: neither file system calls nor SQLite ever block
 * the service's event loop.
 */
export class ScanWorker implements ScanThread {
  readonly #parts: WorkerParts;
  readonly #catalogPath: string;
  #catalog: SqliteCatalog;
  #scan: Scan | undefined;
  /** Since the last scan was asked for: one that is still being prepared must hear of it, too. */
  #isStopped = false;
  /** Likewise. */
  #isHeld = false;
  #run = new RunCounters();
  #watch: JobWatch | undefined;
  #partialScan: Promise<ScanEnd> | undefined;

  private constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#catalogPath = join(parts.data.jobDirectory, 'catalog.db');
    this.#catalog = openCatalog(this.#catalogPath, this.#warn);
  }

  static async open(data: ScanThreadData, host: ScanThreadHost, endThread: () => void): Promise<ScanWorker> {
    const { settings, jobDirectory, staticMetadata, extractorVersion } = data;
    await loadPatternEngine(settings.fs);
    const documents = new DocumentRules(settings, staticMetadata);
    const rules = new ScanRules(settings, documents, extractorVersion);
    const source = await openTreeSource(settings, {
      configDirectory: dirname(jobDirectory),
      log: (message) => host.log('warn', message),
    });
    const texts = await openLocalTexts(documents, source);
    return new ScanWorker({ data, host, rules, source, texts, endThread });
  }

  unfinished(): Promise<UnfinishedScan | undefined> {
    const open = this.#catalog.frontier.unfinishedScan();
    if (open === undefined) return Promise.resolve(undefined);
    const { pending } = this.#catalog.frontier.folderCounts();
    return Promise.resolve({ id: open.id, startedMs: open.startedMs, pendingFolders: pending });
  }

  async run(request: ScanRequest, indexIdentity: string): Promise<ScanEnd> {
    this.#isStopped = false;
    this.#isHeld = false;
    await this.#endPartialScan();
    await this.#watch?.refresh();
    // Attempts that follow a lost connection belong to the run that lost it.
    if (!request.resume || request.afterRestart) this.#run = new RunCounters(systemClock.now(), request.resume);
    const end = await this.#runScan(request, indexIdentity);
    if (end.kind !== 'failed' || end.code !== 'catalog_damaged') return end;
    // Corruption that only showed in the middle: a new catalog is rebuilt from the index, and the scan begins again.
    this.#catalog.close();
    this.#catalog = replaceCatalog(this.#catalogPath, end.message, this.#warn);
    return await this.#runScan({ ...request, resume: false }, indexIdentity);
  }

  async watch(): Promise<WatchReport> {
    const { data, rules, host } = this.#parts;
    const { settings, jobDirectory } = data;
    this.#watch = await JobWatch.load({
      settings,
      jobDirectory,
      rules,
      catalog: () => this.#catalog,
      onDue: () => host.changesDue(),
      onEnd: (message) => host.watchEnded(message),
    });
    return await this.#watch.start();
  }

  scanChanges(indexIdentity: string): Promise<ScanEnd> {
    this.#isStopped = false;
    this.#partialScan = this.#scanChanges(indexIdentity);
    return this.#partialScan;
  }

  heldDeletions(): Promise<HeldDeletions | undefined> {
    return Promise.resolve(heldDeletions(this.#catalog));
  }

  approveDeletions(expected: number | undefined): Promise<Approval> {
    return Promise.resolve(approveDeletions(this.#catalog, expected));
  }

  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#scan?.hold();
  }

  continue(): void {
    this.#isHeld = false;
    this.#scan?.continue();
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#isHeld = false;
    this.#scan?.stop();
    return Promise.resolve();
  }

  forgetRules(): Promise<void> {
    this.#catalog.facts.forgetRules();
    return Promise.resolve();
  }

  discardProgress(): Promise<void> {
    this.#catalog.frontier.endScan();
    return Promise.resolve();
  }

  totals(): Promise<CatalogTotals> {
    return Promise.resolve(this.#catalog.reports.totals());
  }

  reasons(): Promise<ReasonCounts> {
    return Promise.resolve(this.#catalog.reports.reasons());
  }

  async close(): Promise<void> {
    await this.#watch?.close();
    this.#catalog.close();
    await this.#parts.source.close();
    setImmediate(this.#parts.endThread);
  }

  readonly #warn = (message: string): void => this.#parts.host.log('warn', message);

  #runScan(request: ScanRequest, indexIdentity: string): Promise<ScanEnd> {
    return this.#withScan({ run: this.#run, indexIdentity }, (scan) => scan.run(request));
  }

  async #scanChanges(indexIdentity: string): Promise<ScanEnd> {
    const request = this.#watch?.take();
    if (request === undefined) return { kind: 'completed', progress: new ScanCounters().snapshot() };
    const end = await this.#withScan({ run: undefined, indexIdentity }, (scan) => scan.scanChanges(request));
    if (end.kind !== 'completed') this.#watch?.giveBack(request);
    return end;
  }

  /** A scan covers everything, including what the partial scan has left pending. */
  async #endPartialScan(): Promise<void> {
    this.#scan?.stop();
    await this.#partialScan?.catch(() => undefined);
  }

  async #withScan(
    { run, indexIdentity }: { readonly run: RunCounters | undefined; readonly indexIdentity: string },
    work: (scan: Scan) => Promise<ScanEnd>,
  ): Promise<ScanEnd> {
    const { rules, source, data, host } = this.#parts;
    const ahead = this.#listingsAhead();
    this.#scan = new Scan({
      port: host,
      indexIdentity,
      // A partial scan is no progress of a run.
      ...(run === undefined ? { isSilent: true } : { run }),
      rules,
      source,
      catalog: this.#catalog,
      folder: data.jobDirectory,
      clock: systemClock,
      texts: this.#parts.texts,
      sharedListing: ahead,
      maxUnderWay: data.maxUnderWay,
      isUnstable: (folder, name) => this.#watch?.isUnstable(folder, name) === true,
    });
    if (this.#isStopped) this.#scan.stop();
    if (this.#isHeld) void this.#scan.hold();
    try {
      return await work(this.#scan);
    } finally {
      this.#scan = undefined;
      await ahead?.close();
    }
  }

  /** Not where listing waits for a server instead of a processor. */
  #listingsAhead(): ListingsAhead | undefined {
    const { rules, source, data } = this.#parts;
    if (!source.features.cheapListing || availableParallelism() < 2) return undefined;
    const { settings, inBackground } = data;
    const seed = rules.listingSeed(rules.fingerprint(undefined));
    return new ListingsAhead({
      settings,
      rules: { seed, metaFilename: settings.tags.metaFilename },
      inBackground,
    });
  }
}
