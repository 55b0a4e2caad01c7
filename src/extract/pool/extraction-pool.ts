import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../base/entry-points.js';
import { CrawlerError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from '../extraction.js';
import { defaultLimits, type ExtractionLimits } from '../limits.js';
import { embeddedVersion } from '../registry.js';
import type { SandboxAnswer } from '../sandbox/protocol.js';
import { SlowestDocuments } from '../slowest-documents.js';
import { Cancellations } from './cancellations.js';
import { failedExtraction } from './failed-extraction.js';
import { JobQueue } from './job-queue.js';
import { Job } from './job.js';
import { Pipeline } from './pipeline.js';
import { problemOf } from './problem-of.js';
import { sharePages } from './share-pages.js';
import { Watchdog } from './watchdog.js';
import type { ProcessEnd } from './worker-process.js';
import { Worker, type EndReason, type WorkerListener } from './worker.js';

/**
 * Extraction in child processes, so that a document that hangs, eats memory or crashes costs only itself.
 *
 * Processes are started when there is work for them: the first for the first document, another when documents are left over
 * after the ones that run have taken what they can. Small documents are sent ahead in groups (`pipeline.ts`), so that a
 * process never waits for its next one. A process that stays long with one document gives the waiting ones back.
 *
 * When a process dies or is ended (`watchdog.ts`), the document it worked on is tried once more, alone in a fresh process;
 * the second time it comes back as an extraction with a problem. The others it held are simply sent to another process.
 */
export interface ExtractionPoolOptions {
  /** Processes at most. */
  readonly size: number;
  readonly logger: Logger;
  readonly limits?: ExtractionLimits;
  /** File of the program that the processes run. */
  readonly sandboxModule?: string;
}

const SANDBOX_MODULE = fileURLToPath(entryPoint('sandbox'));
/** A process that does not come up is tried this often before everything that waits is given up. */
const MOST_FAILED_STARTS = 3;
/** How long a process that was asked to end may take. */
const PATIENCE_MS = 1_000;
const SLOWEST = 10;

export class ExtractionPool implements ExtractorService {
  readonly version = embeddedVersion;
  readonly concurrency: number;
  readonly #logger: Logger;
  readonly #limits: ExtractionLimits;
  readonly #module: string;
  readonly #queue = new JobQueue();
  readonly #workers = new Set<Worker>();
  readonly #pipeline = new Pipeline();
  readonly #cancellations = new Cancellations();
  readonly #slowest = new SlowestDocuments(SLOWEST);
  readonly #watchdog: Watchdog;
  readonly #listener: WorkerListener;
  #jobs = 0;
  #failedStarts = 0;
  #dispatching = false;
  #closing: Promise<void> | undefined;

  constructor({ size, logger, limits = defaultLimits, sandboxModule = SANDBOX_MODULE }: ExtractionPoolOptions) {
    this.concurrency = Math.max(1, size);
    this.#logger = logger;
    this.#limits = limits;
    this.#module = sandboxModule;
    this.#watchdog = new Watchdog(limits.worker, logger, this.#workers, (jobs) => this.#putBack(jobs));
    this.#listener = {
      onAnswer: (_worker, job, answer) => this.#finish(job, answer),
      onProgress: () => {
        this.#failedStarts = 0;
        this.#dispatchSoon();
      },
      onEnd: (worker, reason, end) => this.#afterEnd(worker, reason, end),
    };
  }

  extract(request: ExtractionRequest, signal: AbortSignal): Promise<Extraction> {
    const job = new Job(this.#jobs++, request);
    if (this.#closing === undefined) this.#cancellations.watch(job, signal);
    else job.cancel('The extraction service is closed.');
    if (!job.settled) {
      this.#queue.push(job);
      this.#dispatchSoon();
    }
    return job.result;
  }

  activity(): ExtractionActivity {
    const now = performance.now();
    const current = [...this.#workers].flatMap((worker) =>
      worker.current === undefined ? [] : [{ document: placeOf(worker.current), elapsedMs: worker.elapsedMs(now) }],
    );
    return {
      current,
      waiting: Math.max(0, this.#cancellations.pending - current.length),
      slowest: this.#slowest.list,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#watchdog.stop();
    for (const job of this.#queue.takeAll()) job.cancel('The extraction service was closed.');
    const workers = [...this.#workers];
    for (const worker of workers) {
      if (worker.load === 0) worker.end('released');
      else worker.end('cancelled');
    }
    const impatience = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, PATIENCE_MS);
    await Promise.all(workers.map((worker) => worker.ended));
    clearTimeout(impatience);
  }

  /** Requests that arrive in the same turn of the event loop are sent together. */
  #dispatchSoon(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    setImmediate(() => {
      this.#dispatching = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#closing !== undefined) return;
    const batches = new Map<Worker, Job[]>();
    while (this.#queue.peek() !== undefined) {
      const worker = this.#workerWithRoom(batches) ?? this.#startAnother();
      const job = worker === undefined ? undefined : this.#queue.take();
      if (worker === undefined || job === undefined) break;
      const batch = batches.get(worker);
      if (batch === undefined) batches.set(worker, [job]);
      else batch.push(job);
    }
    for (const [worker, jobs] of batches) worker.assign(jobs);
    sharePages(this.#workers, this.concurrency);
  }

  /** The one with the least to do among those that may take more. */
  #workerWithRoom(batches: ReadonlyMap<Worker, readonly Job[]>): Worker | undefined {
    let best: Worker | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const worker of this.#workers) {
      const load = worker.load + (batches.get(worker)?.length ?? 0);
      if (load < bestLoad && this.#pipeline.hasRoom(worker, load)) {
        best = worker;
        bestLoad = load;
      }
    }
    return best;
  }

  #startAnother(): Worker | undefined {
    return this.#workers.size < this.concurrency ? this.#start(false) : undefined;
  }

  #start(isAlone: boolean): Worker {
    const worker = new Worker(this.#module, this.#limits, this.#logger, this.#listener, isAlone);
    this.#workers.add(worker);
    this.#watchdog.watch();
    return worker;
  }

  #finish(job: Job, { elapsedMs, result }: SandboxAnswer): void {
    this.#pipeline.learn(elapsedMs);
    this.#slowest.add(placeOf(job), elapsedMs);
    if ('extraction' in result) job.resolve(result.extraction);
    else job.reject(new CrawlerError(result.error.code, result.error.message));
  }

  #putBack(jobs: readonly Job[]): void {
    this.#queue.putBack(jobs);
    this.#dispatchSoon();
  }

  #afterEnd(worker: Worker, reason: EndReason, end: ProcessEnd): void {
    this.#workers.delete(worker);
    const { culprit, others } = worker.leftovers();
    if (this.#closing !== undefined) {
      for (const job of [culprit, ...others]) job?.cancel('The extraction service was closed.');
      return;
    }
    this.#putBack(others);
    if (culprit !== undefined) this.#slowest.add(placeOf(culprit), worker.elapsedMs(performance.now()));
    if (culprit !== undefined && !culprit.settled) this.#retryOrFail(culprit, worker, reason, end);
    if (!worker.ready) this.#afterFailedStart(end);
  }

  #retryOrFail(job: Job, worker: Worker, reason: EndReason, end: ProcessEnd): void {
    if (reason === 'cancelled' || reason === 'released') {
      this.#putBack([job]);
      return;
    }
    job.strikes++;
    const problem = problemOf(reason, end, this.#limits.worker);
    this.#logger.debug('An extraction process ended on a document.', { name: job.request.name, ...problem, ...end });
    if (job.strikes === 1) this.#start(true).assign([job]);
    else job.resolve(failedExtraction(job.request, problem, worker.salvage()));
  }

  #afterFailedStart(end: ProcessEnd): void {
    this.#failedStarts++;
    if (this.#failedStarts < MOST_FAILED_STARTS) return;
    this.#failedStarts = 0;
    const message = `The extraction process does not start: ${end.lastWords.slice(0, 500)}`;
    for (const job of this.#queue.takeAll()) job.reject(new CrawlerError('internal', message));
  }
}

function placeOf({ request }: Job): string {
  return request.place ?? request.name;
}
