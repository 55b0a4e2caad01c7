import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { diskFull, isDiskFull } from '../../base/disk-full.js';
import { endThread } from '../../base/end-thread.js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { RpcPeer, type WireMessage } from '../../base/rpc.js';
import { startThread } from '../../base/start-thread.js';
import type { WatchReport } from '../../source/tree-watch.js';
import type { CatalogTotals, ReasonCounts } from '../../state/catalog.js';
import type { Approval, HeldDeletions } from '../scan/delete-guard.js';
import type { ScanEnd, ScanRequest, ScanRunner, UnfinishedScan } from '../scan/scan-runner.js';
import type { ScanThread, ScanThreadData, ScanThreadHost } from './scan-thread.js';

export interface ThreadScanRunnerDeps {
  readonly data: ScanThreadData;
  readonly host: ScanThreadHost;
  /** Resolves with the identity of the index once the engine is there; every scan waits for it. */
  readonly indexIdentity: () => Promise<string>;
}

/** How long the thread may take to end once everything is closed. */
const END_MS = 2000;

interface RunningThread {
  readonly worker: Worker;
  readonly remote: ScanThread;
}

/**
 * Runs scans in the crawl's own thread (scan-worker.ts). A thread that died is
 * replaced by the next scan.
 */
export class ThreadScanRunner implements ScanRunner {
  readonly #deps: ThreadScanRunnerDeps;
  #thread: RunningThread | undefined;
  /** How often `stop` was called. */
  #stops = 0;
  #isHeld = false;
  #isClosed = false;
  #running: Promise<ScanEnd> | undefined;
  #partialScan: Promise<ScanEnd> | undefined;
  /** The thread that watches. */
  #watching: RunningThread | undefined;

  constructor(deps: ThreadScanRunnerDeps) {
    this.#deps = deps;
  }

  async unfinished(): Promise<UnfinishedScan | undefined> {
    return await this.#remote.unfinished();
  }

  async run(request: ScanRequest): Promise<ScanEnd> {
    this.#running = this.#end(async (identity) => {
      if (this.#watching !== undefined && this.#watching !== this.#thread) await this.watch();
      const end = this.#remote.run(request, identity);
      // What was held before it began is held from its beginning.
      if (this.#isHeld) void this.hold();
      return await end;
    });
    return await this.#running;
  }

  async watch(): Promise<WatchReport> {
    const report = await this.#remote.watch();
    this.#watching = this.#thread;
    return report;
  }

  async scanChanges(): Promise<ScanEnd> {
    this.#partialScan = this.#end((identity) => this.#remote.scanChanges(identity));
    return await this.#partialScan;
  }

  async heldDeletions(): Promise<HeldDeletions | undefined> {
    return await this.#remote.heldDeletions();
  }

  async approveDeletions(expected: number | undefined): Promise<Approval> {
    return await this.#remote.approveDeletions(expected);
  }

  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#thread?.remote.hold().catch(() => undefined);
  }

  continue(): void {
    this.#isHeld = false;
    this.#thread?.remote.continue();
  }

  async stop(): Promise<void> {
    this.#stops += 1;
    this.#isHeld = false;
    await this.#thread?.remote.stop().catch(() => undefined);
    await this.#running;
    await this.#partialScan;
    // Whoever waits for the run has heard of its end by then.
    await yieldToEvents();
  }

  async discardProgress(): Promise<void> {
    await this.stop();
    await this.#remote.discardProgress();
  }

  async totals(): Promise<CatalogTotals> {
    return await this.#remote.totals();
  }

  async reasons(): Promise<ReasonCounts> {
    return await this.#remote.reasons();
  }

  /** Every file counts as changed at the next scan (`--restart`). */
  async forgetRules(): Promise<void> {
    await this.#remote.forgetRules();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#thread === undefined) return;
    const { worker, remote } = this.#thread;
    await remote.close().catch(() => undefined);
    await endThread(worker, END_MS);
  }

  async #end(work: (indexIdentity: string) => Promise<ScanEnd>): Promise<ScanEnd> {
    const stops = this.#stops;
    try {
      const identity = await this.#deps.indexIdentity();
      // The thread knows nothing yet of a scan that was stopped meanwhile.
      return this.#stops === stops ? await work(identity) : { kind: 'stopped', progress: undefined };
    } catch (error) {
      const fault =
        error instanceof CrawlerError ? error : new CrawlerError('internal', messageOf(error), { cause: error });
      const { code, message, retryable } = fault;
      if (code === 'cancelled') return { kind: 'stopped', progress: undefined };
      return { kind: 'failed', progress: undefined, code, message, connection: retryable };
    }
  }

  /** Throws `cancelled` once it is closed: nobody would end another thread. */
  get #remote(): ScanThread {
    if (this.#isClosed) throw new CrawlerError('cancelled', 'The crawl has been closed.');
    this.#thread ??= this.#start();
    return this.#thread.remote;
  }

  #start(): RunningThread {
    const worker = startThread('crawl-thread', this.#deps.data);
    const peer = new RpcPeer<ScanThreadHost, ScanThread>((batch) => worker.postMessage(batch), { continue: true });
    peer.serve(this.#deps.host);
    let reason: unknown;
    worker.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#thread = undefined;
      const died = isDiskFull(reason)
        ? diskFull(this.#deps.data.jobDirectory, reason, 'The next start resumes.')
        : new CrawlerError('internal', `The crawl thread ended unexpectedly: ${messageOf(reason)}`, { cause: reason });
      peer.close(reason === undefined ? new CrawlerError('cancelled', 'The crawl has been closed.') : died);
    });
    return { worker, remote: peer.remote };
  }
}
