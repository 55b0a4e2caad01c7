import type { Clock } from '../../base/clock.js';
import type { CrawlerStatus } from '../../crawler/control.js';
import type { ScanProgress } from '../../crawler/scan/scan-port.js';
import type { EngineConnection } from '../../engine/engine-connection.js';
import type { SearchEngine } from '../../engine/engine.js';
import type { ExtractorService } from '../../extract/index.js';
import type { BulkWriter } from '../../ingest/bulk-writer.js';
import type { CountingIngester, DocumentCount } from '../../ingest/counting-ingester.js';
import type { CatalogTotals } from '../../state/catalog.js';
import type { Activity, CrawlMonitor, Health, Queues } from './monitor.js';
import { RunMeter } from './run-meter.js';
import type { RunWorkCount } from './run-work-count.js';
import type { RunWork } from './run-work.js';

export interface JobMonitorDeps {
  readonly engine: SearchEngine;
  readonly connection: EngineConnection;
  readonly extractor: ExtractorService;
  readonly writer: BulkWriter;
  readonly ingester: CountingIngester;
  readonly clock: Clock;
  /** Milliseconds that one document may take. */
  readonly documentMs: number;
}

/** What the monitor asks of the crawl; there is none with `--loop 0`. */
export interface WatchedCrawl {
  status(): CrawlerStatus;
  totals(): Promise<CatalogTotals>;
  /** Counts what a run has to do; left out where that costs too much. */
  readonly work?: Pick<RunWorkCount, 'of' | 'begin' | 'end'>;
}

/** Counting a million records takes a moment: not at every question. */
const TOTALS_AGE_MS = 10_000;
const ENGINE_TIMEOUT_MS = 2000;
const ENGINE_AGE_MS = 1000;
/** A run that is over by then needs no estimate. */
const SHORT_RUN_MS = 1000;
/** Nothing has moved for so long; or one extraction has run for so long beyond its limit. */
const STUCK_MS = 5 * 60_000;

/** Gathers what the parts of a running job know about themselves. */
export class JobMonitor implements CrawlMonitor {
  readonly #deps: JobMonitorDeps;
  readonly #meter: RunMeter;
  #crawl: WatchedCrawl | undefined;
  #totals: CatalogTotals | undefined;
  #totalsMs = 0;
  /** End of the scan after which they were counted. */
  #totalsOf: number | undefined;
  #engine: Promise<boolean> | undefined;
  #engineMs = 0;
  /** Whether a question for the health has waited for the first connection to the engine. */
  #hasWaited = false;

  constructor(deps: JobMonitorDeps) {
    this.#deps = deps;
    this.#meter = new RunMeter(deps.extractor.concurrency);
  }

  watch(crawl: WatchedCrawl): void {
    this.#crawl = crawl;
    this.#refreshTotals();
  }

  /** Ends what counts in the background. */
  async close(): Promise<void> {
    await this.#crawl?.work?.end();
  }

  onProgress(progress: ScanProgress): void {
    this.#meter.add(progress, this.#deps.extractor.activity(), this.#deps.clock.now());
  }

  activity(): Activity {
    const now = this.#deps.clock.now();
    if (now - this.#totalsMs > TOTALS_AGE_MS || this.#totalsOf !== this.#scanEndMs()) this.#refreshTotals();
    const extraction = this.#deps.extractor.activity();
    const { current, waiting, slowest } = extraction;
    const work = this.#work(current.length > 0, now);
    return {
      filesPerSecond: this.#meter.filesPerSecond(now),
      remainingMs:
        this.#isScanning() && work !== undefined ? this.#meter.remainingMs(work, extraction, now) : undefined,
      run: this.#meter.run(work),
      totals: this.#totals,
      current,
      slowest,
      queues: this.#queues(waiting),
    };
  }

  /** The part of the activity that costs nothing, whoever asks: no count of the catalog or of the tree begins. */
  measure(): Pick<Activity, 'filesPerSecond' | 'queues'> {
    const { clock, extractor } = this.#deps;
    return {
      filesPerSecond: this.#meter.filesPerSecond(clock.now()),
      queues: this.#queues(extractor.activity().waiting),
    };
  }

  async health(): Promise<Health> {
    const isUp = await this.#isEngineUp();
    return { engine: isUp ? 'up' : 'away', stuck: this.#isStuck() };
  }

  documents(): readonly DocumentCount[] {
    return this.#deps.ingester.documents();
  }

  #queues(extraction: number): Queues {
    const folders = this.#crawl?.status().pendingDirectories ?? 0;
    return { folders, extraction, engine: this.#deps.writer.waiting };
  }

  #isScanning(): boolean {
    return this.#crawl?.status().state === 'RUNNING';
  }

  /**
   * Waiting for a source or an engine that is away is not being stuck: the crawler tries again by itself. Nor is a document
   * that takes long, as long as its time is not over.
   */
  #isStuck(): boolean {
    const { clock, documentMs, extractor } = this.#deps;
    const status = this.#crawl?.status();
    if (status?.state !== 'RUNNING' || status.retryCount > 0) return false;
    const sinceMs = Math.max(this.#meter.advancedMs, status.scanStartMs ?? 0);
    if (sinceMs === 0 || clock.now() - sinceMs <= STUCK_MS) return false;
    return extractor.activity().current.every(({ elapsedMs }) => elapsedMs > documentMs + STUCK_MS);
  }

  /** Several that ask at once, or one that asks all the time, cost the engine one question a second. */
  async #isEngineUp(): Promise<boolean> {
    const { clock, engine, connection } = this.#deps;
    await this.#firstConnection();
    if (connection.problem !== undefined) return false;
    const now = clock.now();
    if (this.#engine === undefined || now - this.#engineMs > ENGINE_AGE_MS) {
      this.#engineMs = now;
      this.#engine = engine.identity(AbortSignal.timeout(ENGINE_TIMEOUT_MS)).then(
        () => true,
        () => false,
      );
    }
    return this.#engine;
  }

  /** A service that has only just started is connecting to its engine: that is not being away. */
  async #firstConnection(): Promise<void> {
    const { clock, connection } = this.#deps;
    const { connecting } = connection;
    if (connecting === undefined || this.#hasWaited) return;
    const waited = new AbortController();
    await Promise.race([connecting, clock.sleep(ENGINE_TIMEOUT_MS, waited.signal)]);
    waited.abort();
    this.#hasWaited = true;
  }

  /** What the run has to do. It is counted once somebody asks for it during a run that takes its time. */
  #work(hasDocuments: boolean, now: number): RunWork | undefined {
    const { sinceMs } = this.#meter;
    const counted = this.#crawl?.work;
    if (counted === undefined || sinceMs === undefined) return undefined;
    const goesOn = (): boolean => this.#isScanning() && this.#meter.sinceMs === sinceMs;
    if (hasDocuments && goesOn() && now - sinceMs >= SHORT_RUN_MS) counted.begin(sinceMs, goesOn);
    return counted.of(sinceMs);
  }

  #scanEndMs(): number | undefined {
    return this.#crawl?.status().scanEndMs;
  }

  #refreshTotals(): void {
    this.#totalsMs = this.#deps.clock.now();
    this.#totalsOf = this.#scanEndMs();
    void this.#crawl?.totals().then(
      (totals) => {
        this.#totals = totals;
      },
      () => undefined,
    );
  }
}
