import { Worker } from 'node:worker_threads';
import { CrawlerError, messageOf } from '../base/errors.js';
import { RpcPeer, type WireMessage } from '../base/rpc.js';
import { NO_PROGRESS } from '../crawler/run-record.js';
import type { ScanPort } from '../crawler/scan/scan-port.js';
import type { ScanEnd, ScanRequest, ScanRunner, UnfinishedScan } from '../crawler/scan/scan-runner.js';
import type { CrawlThreadData } from './crawl-thread.js';

export interface ThreadScanRunnerDeps {
  readonly data: CrawlThreadData;
  readonly port: ScanPort;
  /** Resolves with the identity of the index once the engine is there; a scan waits for it. */
  readonly prepareEngine: () => Promise<{ readonly identity: string }>;
}

/** Runs scans in the crawl's own thread (crawl-thread.ts) and answers what they ask of this one. */
export class ThreadScanRunner implements ScanRunner {
  readonly #deps: ThreadScanRunnerDeps;
  readonly #worker: Worker;
  readonly #peer: RpcPeer;
  #running: Promise<ScanEnd> | undefined;

  constructor(deps: ThreadScanRunnerDeps) {
    this.#deps = deps;
    this.#worker = new Worker(new URL('./crawl-thread.js', import.meta.url), { workerData: deps.data });
    this.#peer = new RpcPeer((batch) => this.#worker.postMessage(batch), handlersOf(deps.port));
    this.#worker.on('message', (batch: readonly WireMessage[]) => this.#peer.receive(batch));
    this.#worker.on('error', (error) => {
      this.#peer.close(new CrawlerError('internal', `The crawl's thread died: ${messageOf(error)}`, { cause: error }));
    });
    this.#worker.on('exit', () => this.#peer.close(new CrawlerError('cancelled', 'The crawl has been closed.')));
  }

  unfinished(): Promise<UnfinishedScan | undefined> {
    return this.#peer.call('unfinished') as Promise<UnfinishedScan | undefined>;
  }

  async run(request: ScanRequest): Promise<ScanEnd> {
    this.#running = this.#run(request);
    return await this.#running;
  }

  async hold(): Promise<void> {
    await this.#peer.call('hold');
  }

  continue(): void {
    this.#peer.notify('continue');
  }

  async stop(): Promise<void> {
    await this.#peer.call('stop');
    await this.#running;
  }

  async discardProgress(): Promise<void> {
    await this.stop();
    await this.#peer.call('discardProgress');
  }

  /** Every file counts as changed at the next scan (`--restart`). */
  async forgetRules(): Promise<void> {
    await this.#peer.call('forgetRules');
  }

  async close(): Promise<void> {
    await this.#peer.call('close').catch(() => undefined);
    await this.#worker.terminate();
  }

  async #run(request: ScanRequest): Promise<ScanEnd> {
    try {
      const { identity } = await this.#deps.prepareEngine();
      return (await this.#peer.call('run', request, identity)) as ScanEnd;
    } catch (error) {
      const fault =
        error instanceof CrawlerError ? error : new CrawlerError('internal', messageOf(error), { cause: error });
      const { code, message, retryable } = fault;
      return { kind: 'failed', progress: NO_PROGRESS, code, message, connection: retryable };
    }
  }
}

/** The port as plain handlers: methods of a class are not own properties. */
function handlersOf(port: ScanPort): ScanPort & Record<string, (...args: never[]) => unknown> {
  return {
    ingest: (request) => port.ingest(request),
    move: (request) => port.move(request),
    write: (operations) => port.write(operations),
    nextIndexPage: () => port.nextIndexPage(),
    flush: () => port.flush(),
    logDocument: (level, line) => port.logDocument(level, line),
    log: (level, message) => port.log(level, message),
    progress: (progress) => port.progress(progress),
  };
}
