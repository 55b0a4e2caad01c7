import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { diskFull, isDiskFull } from '../base/disk-full.js';
import { entryPoint } from '../base/entry-points.js';
import { CrawlerError, messageOf } from '../base/errors.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import type { HeldDeletions } from '../crawler/scan/delete-guard.js';
import type { ScanPort } from '../crawler/scan/scan-port.js';
import type { ScanEnd, ScanRequest, ScanRunner, UnfinishedScan } from '../crawler/scan/scan-runner.js';
import type { WatchReport } from '../source/tree-watch.js';
import type { CatalogTotals } from '../state/catalog.js';
import type { CrawlThreadData } from './crawl-thread.js';

export interface ThreadScanRunnerDeps {
  readonly data: CrawlThreadData;
  readonly port: ScanPort;
  /** Resolves with the identity of the index once the engine is there; every scan waits for it. */
  readonly indexIdentity: () => Promise<string>;
  /** The watch has something to look at. */
  readonly onChangesDue: () => void;
  /** The watch has ended by itself. `message` is a sentence. */
  readonly onWatchEnded: (message: string) => void;
}

/** Listings are short-lived: a small nursery keeps the thread's memory the same at any size of the tree. */
const YOUNG_GENERATION_MB = 12;

interface CrawlThread {
  readonly worker: Worker;
  readonly peer: RpcPeer;
}

/**
 * Runs scans in the crawl's own thread (crawl-thread.ts) and answers what they ask of this one. A thread that died is
 * replaced by the next scan.
 */
export class ThreadScanRunner implements ScanRunner {
  readonly #deps: ThreadScanRunnerDeps;
  #thread: CrawlThread | undefined;
  #running: Promise<ScanEnd> | undefined;
  #looking: Promise<ScanEnd> | undefined;
  /** The thread that watches. */
  #watching: CrawlThread | undefined;

  constructor(deps: ThreadScanRunnerDeps) {
    this.#deps = deps;
  }

  unfinished(): Promise<UnfinishedScan | undefined> {
    return this.#call('unfinished') as Promise<UnfinishedScan | undefined>;
  }

  async run(request: ScanRequest): Promise<ScanEnd> {
    this.#running = this.#end(async (identity) => {
      if (this.#watching !== undefined && this.#watching !== this.#thread) await this.watch();
      return await this.#call('run', request, identity);
    });
    return await this.#running;
  }

  async watch(): Promise<WatchReport> {
    const report = (await this.#call('watch')) as WatchReport;
    this.#watching = this.#thread;
    return report;
  }

  async look(): Promise<ScanEnd> {
    this.#looking = this.#end((identity) => this.#call('look', identity));
    return await this.#looking;
  }

  heldDeletions(): Promise<HeldDeletions | undefined> {
    return this.#call('heldDeletions') as Promise<HeldDeletions | undefined>;
  }

  approveDeletions(): Promise<HeldDeletions | undefined> {
    return this.#call('approveDeletions') as Promise<HeldDeletions | undefined>;
  }

  async hold(): Promise<void> {
    if (this.#thread !== undefined) await this.#call('hold').catch(() => undefined);
  }

  continue(): void {
    this.#thread?.peer.notify('continue');
  }

  async stop(): Promise<void> {
    if (this.#thread !== undefined) await this.#call('stop').catch(() => undefined);
    await this.#running;
    await this.#looking;
    // Whoever waits for the run has heard of its end by then.
    await yieldToEvents();
  }

  async discardProgress(): Promise<void> {
    await this.stop();
    await this.#call('discardProgress');
  }

  totals(): Promise<CatalogTotals> {
    return this.#call('totals') as Promise<CatalogTotals>;
  }

  /** Every file counts as changed at the next scan (`--restart`). */
  async forgetRules(): Promise<void> {
    await this.#call('forgetRules');
  }

  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const { worker } = this.#thread;
    await this.#call('close').catch(() => undefined);
    await worker.terminate();
  }

  async #end(work: (indexIdentity: string) => Promise<unknown>): Promise<ScanEnd> {
    try {
      return (await work(await this.#deps.indexIdentity())) as ScanEnd;
    } catch (error) {
      const fault =
        error instanceof CrawlerError ? error : new CrawlerError('internal', messageOf(error), { cause: error });
      const { code, message, retryable } = fault;
      if (code === 'cancelled') return { kind: 'stopped', progress: undefined };
      return { kind: 'failed', progress: undefined, code, message, connection: retryable };
    }
  }

  #call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    this.#thread ??= this.#start();
    return this.#thread.peer.call(method, ...args);
  }

  #start(): CrawlThread {
    const worker = new Worker(entryPoint('crawl-thread'), {
      workerData: this.#deps.data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const peer = new RpcPeer((batch) => worker.postMessage(batch), handlersOf(this.#deps));
    let reason: unknown;
    worker.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#thread = undefined;
      const died = isDiskFull(reason)
        ? diskFull(this.#deps.data.jobDirectory, reason, 'The next start resumes.')
        : new CrawlerError('internal', `The crawl's thread died: ${messageOf(reason)}`, { cause: reason });
      peer.close(reason === undefined ? new CrawlerError('cancelled', 'The crawl has been closed.') : died);
    });
    return { worker, peer };
  }
}

type ThreadHandlers = ScanPort & Record<string, (...args: never[]) => unknown>;

/** The port as plain handlers: methods of a class are not own properties. */
function handlersOf({ port, onChangesDue, onWatchEnded }: ThreadScanRunnerDeps): ThreadHandlers {
  return {
    changesDue: () => onChangesDue(),
    watchEnded: (message: string) => onWatchEnded(message),
    ingest: (request) => port.ingest(request),
    move: (request) => port.move(request),
    write: (operations) => port.write(operations),
    indexPage: (which) => port.indexPage(which),
    flush: () => port.flush(),
    logDocument: (level, line) => port.logDocument(level, line),
    log: (level, message) => port.log(level, message),
    progress: (progress) => port.progress(progress),
  };
}
