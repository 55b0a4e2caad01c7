import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { Logger } from '../../../base/logger.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from '../../extraction.js';
import { embeddedVersion } from '../../extraction-version.js';
import { KindTimes } from '../../kind-times.js';
import { defaultLimits, type ExtractionLimits } from '../../limits.js';
import { SlowestDocuments } from '../../slowest-documents.js';
import type { ProcessAnswer } from '../channel/messages.js';
import type { Isolation } from '../isolation/isolation.js';
import type { ProgramIsolation, SandboxBackend } from '../isolation/sandbox-backend.js';
import { Cancellations } from './cancellations.js';
import { failedExtraction } from './failed-extraction.js';
import { TaskQueue } from './task-queue.js';
import { ExtractionTask } from './extraction-task.js';
import { Pipeline } from './pipeline.js';
import { problemOf } from './problem-of.js';
import { sharePages } from './share-pages.js';
import { Watchdog } from './watchdog.js';
import type { ProcessEnd } from './worker-process.js';
import { Worker, type EndReason, type WorkerListener } from './worker.js';

/**
 * Extraction in child processes, so that a document that hangs, exhausts memory or crashes affects only itself.
 *
 * Processes are started on demand: the first for the first document, another when the running ones cannot take all waiting
 * documents. Small documents are sent ahead in groups (`pipeline.ts`), so that a process never waits for its next one. When
 * one document takes long, the documents behind it are taken back.
 *
 * When a process dies or is killed (`watchdog.ts`), its current document is retried once, alone in a new process; after the
 * second failure it becomes an extraction with a problem. The other documents of the process go to another one.
 */
export interface ExtractionPoolOptions {
  /** The maximum number of processes. */
  readonly size: number;
  readonly logger: Logger;
  readonly limits?: ExtractionLimits;
  /** Path of the program that the processes run. */
  readonly sandboxModule?: string;
  /** Documents after which a process is replaced; 0, the default, for as many as the limits say. */
  readonly documentsPerProcess?: number;
  /** A process is replaced after a document that is damaged, or that it fails to read: it may have been an attack. */
  readonly replacesAfterFaults?: boolean;
  /** What else this program does goes before extraction where both want the processor. */
  readonly inBackground?: boolean;
  /** Left out: the processes open documents themselves, and have the rights of this one. */
  readonly isolation?: Isolation;
}

const SANDBOX_MODULE = fileURLToPath(entryPoint('sandbox'));
/** After so many failed starts in a row all waiting documents are rejected. */
const MOST_FAILED_STARTS = 3;
/** How long a process may take to end by itself. */
const CLOSE_TIMEOUT_MS = 1_000;
const SLOWEST = 10;

export class ExtractionPool implements ExtractorService {
  readonly version = embeddedVersion;
  readonly concurrency: number;
  readonly #logger: Logger;
  readonly #limits: ExtractionLimits;
  readonly #module: string;
  readonly #isolation: Isolation | undefined;
  readonly #documentsPerProcess: number;
  readonly #replacesAfterFaults: boolean;
  readonly #inBackground: boolean;
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<Worker>();
  readonly #pipeline = new Pipeline();
  readonly #cancellations = new Cancellations();
  /** Of documents that no process has begun. */
  readonly #queueCancellations = new Cancellations((tasks) => this.#notBegun(tasks));
  readonly #slowest = new SlowestDocuments(SLOWEST);
  readonly #kinds = new KindTimes();
  readonly #watchdog: Watchdog;
  readonly #listener: WorkerListener;
  #tasks = 0;
  #failedStarts = 0;
  #dispatching = false;
  #closing: Promise<void> | undefined;

  constructor({
    size,
    logger,
    limits = defaultLimits,
    sandboxModule = SANDBOX_MODULE,
    isolation,
    documentsPerProcess = 0,
    replacesAfterFaults = false,
    inBackground = false,
  }: ExtractionPoolOptions) {
    this.#documentsPerProcess = documentsPerProcess === 0 ? Number.POSITIVE_INFINITY : documentsPerProcess;
    this.#replacesAfterFaults = replacesAfterFaults;
    this.#inBackground = inBackground;
    this.concurrency = Math.max(1, size);
    this.#logger = logger;
    this.#limits = limits;
    this.#module = sandboxModule;
    this.#isolation = isolation;
    this.#watchdog = new Watchdog(limits.worker, logger, this.#workers, (tasks) => this.#requeue(tasks));
    this.#listener = {
      onAnswer: (worker, task, answer) => {
        if (worker.answered >= this.#documentsPerProcess) worker.retire();
        this.#finish(task, answer);
      },
      onProgress: (worker) => {
        this.#failedStarts = 0;
        if (worker.isolation !== undefined && worker.ready) this.#isolation?.succeeded(worker.isolation);
        this.#dispatchSoon();
      },
      onEnd: (worker, reason, end) => this.#afterEnd(worker, reason, end),
    };
  }

  extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction> {
    const task = new ExtractionTask(this.#tasks++, request);
    if (this.#closing !== undefined) task.cancel('The extraction service is closed.');
    else this.#cancellations.watch(task, signal);
    if (queueSignal !== undefined && !task.settled) this.#queueCancellations.watch(task, queueSignal);
    if (!task.settled) {
      this.#queue.push(task);
      this.#dispatchSoon();
    }
    return task.result;
  }

  /**
   * Starts a process, so that it is known whether it can be isolated as it must be.
   * @throws CrawlerError `settings_invalid` when it cannot
   */
  async prepare(): Promise<void> {
    for (;;) {
      const refusal = this.#isolation?.refusal(this.#module);
      if (refusal !== undefined) throw refusal;
      if ((await this.#start(false)?.started) === true || this.#closing !== undefined) return;
    }
  }

  /** Starts the first process before a document asks for it: while it starts, its documents are found. */
  startFirst(): void {
    if (this.#closing === undefined && this.#workers.size === 0) this.#start(false);
  }

  /** How programs that read pictures are isolated; undefined when they are not. */
  get programs(): ProgramIsolation | undefined {
    return this.#isolation?.programs;
  }

  activity(): ExtractionActivity {
    const now = performance.now();
    const current = [...this.#workers].flatMap((worker) =>
      worker.current === undefined
        ? []
        : [{ document: placeOf(worker.current), elapsedMs: worker.elapsedMs(now), ...worker.page }],
    );
    return {
      current,
      waiting: Math.max(0, this.#cancellations.pending - current.length),
      slowest: this.#slowest.list,
      kinds: this.#kinds.list,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#watchdog.stop();
    for (const task of this.#queue.takeAll()) task.cancel('The extraction service was closed.');
    const workers = [...this.#workers];
    for (const worker of workers) {
      if (worker.load === 0) worker.end('released');
      else worker.end('cancelled');
    }
    const timer = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, CLOSE_TIMEOUT_MS);
    await Promise.all(workers.map((worker) => worker.ended));
    clearTimeout(timer);
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
    const refusal = this.#isolation?.refusal(this.#module);
    if (refusal !== undefined) for (const task of this.#queue.takeAll()) task.reject(refusal);
    const batches = new Map<Worker, ExtractionTask[]>();
    while (this.#queue.peek() !== undefined) {
      const worker = this.#workerWithRoom(batches) ?? this.#startAnother();
      const task = worker === undefined ? undefined : this.#queue.take();
      if (worker === undefined || task === undefined) break;
      const batch = batches.get(worker);
      if (batch === undefined) batches.set(worker, [task]);
      else batch.push(task);
    }
    for (const [worker, tasks] of batches) worker.assign(tasks);
    sharePages(this.#workers, this.concurrency);
  }

  /** The least loaded of the workers that can take another document. */
  #workerWithRoom(batches: ReadonlyMap<Worker, readonly ExtractionTask[]>): Worker | undefined {
    let best: Worker | undefined;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const worker of this.#workers) {
      const load = worker.load + (batches.get(worker)?.length ?? 0);
      if (worker.answered + load >= this.#documentsPerProcess) continue;
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

  /** Undefined when the process cannot even be prepared for its isolation, say on a full disk: another way is tried next. */
  #start(isAlone: boolean): Worker | undefined {
    const isolation = this.#isolation?.backend(this.#module);
    const options = {
      limits: this.#limits,
      logger: this.#logger,
      isolation,
      replacesAfterFaults: this.#replacesAfterFaults,
      inBackground: this.#inBackground,
    };
    try {
      const worker = new Worker(this.#module, options, this.#listener, isAlone);
      this.#workers.add(worker);
      this.#watchdog.watch();
      return worker;
    } catch (error) {
      if (isolation === undefined) throw error;
      this.#isolation?.failed(isolation, messageOf(error), true);
      this.#dispatchSoon();
      return undefined;
    }
  }

  #finish(task: ExtractionTask, { elapsedMs, result }: ProcessAnswer): void {
    this.#pipeline.learn(elapsedMs);
    this.#slowest.add(placeOf(task), elapsedMs);
    this.#kinds.add(task.request.name, task.request.size ?? 0, elapsedMs);
    if ('extraction' in result) task.resolve(result.extraction);
    else task.reject(new CrawlerError(result.error.code, result.error.message));
  }

  /** What was sent ahead to a process is taken back, so that nothing follows the document that it extracts. */
  #notBegun(tasks: readonly ExtractionTask[]): readonly ExtractionTask[] {
    for (const worker of this.#workers) this.#requeue(worker.takeBack());
    const begun = new Set([...this.#workers].map((worker) => worker.current));
    return tasks.filter((task) => !begun.has(task));
  }

  #requeue(tasks: readonly ExtractionTask[]): void {
    this.#queue.requeue(tasks);
    this.#dispatchSoon();
  }

  #afterEnd(worker: Worker, reason: EndReason, end: ProcessEnd): void {
    this.#workers.delete(worker);
    const { atWork, others } = worker.unanswered();
    if (this.#closing !== undefined) {
      for (const task of [atWork, ...others]) task?.cancel('The extraction service was closed.');
      return;
    }
    this.#requeue(others);
    if (atWork !== undefined) this.#slowest.add(placeOf(atWork), worker.elapsedMs(performance.now()));
    if (atWork !== undefined && !atWork.settled) this.#retryOrFail(atWork, worker, reason, end);
    if (!worker.ready && reason !== 'cancelled' && reason !== 'released')
      this.#afterFailedStart(worker.isolation, reason, end);
  }

  #retryOrFail(task: ExtractionTask, worker: Worker, reason: EndReason, end: ProcessEnd): void {
    if (reason === 'cancelled' || reason === 'released') {
      this.#requeue([task]);
      return;
    }
    task.failedAttempts++;
    const problem = problemOf(reason, end, this.#limits.worker);
    this.#logger.debug('An extraction process ended while it extracted a document.', {
      name: task.request.name,
      ...problem,
      ...end,
    });
    const mayRetry = task.failedAttempts === 1 && this.#isolation?.refusal(this.#module) === undefined;
    if (!mayRetry) {
      task.resolve(failedExtraction(task.request, problem, worker.partialResult()));
      return;
    }
    const alone = this.#start(true);
    if (alone === undefined) this.#requeue([task]);
    else alone.assign([task]);
  }

  /** Isolation that does not work is replaced by another; a program that does not start is not. */
  #afterFailedStart(backend: SandboxBackend | undefined, reason: EndReason, end: ProcessEnd): void {
    if (backend !== undefined) {
      const why =
        end.isolationFault ?? lastLine(end.stderrTail) ?? `it ended with ${end.signal ?? end.code ?? 'nothing'}`;
      this.#isolation?.failed(backend, why, end.isolationFault !== undefined || reason === 'not_ready');
      this.#dispatchSoon();
      return;
    }
    this.#failedStarts++;
    if (this.#failedStarts < MOST_FAILED_STARTS) return;
    this.#failedStarts = 0;
    const message = `The extraction process does not start: ${end.stderrTail.slice(0, 500)}`;
    for (const task of this.#queue.takeAll()) task.reject(new CrawlerError('internal', message));
  }
}

function lastLine(output: string): string | undefined {
  return output.split('\n').pop()?.trim() || undefined;
}

function placeOf({ request }: ExtractionTask): string {
  return request.place ?? request.name;
}
