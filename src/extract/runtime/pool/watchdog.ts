import type { Logger } from '../../../base/logger.js';
import type { WorkerLimits } from '../../limits.js';
import type { ExtractionTask } from './extraction-task.js';
import type { Worker } from './worker.js';

/**
 * Checks the processes ten times a second: kills those that exceed the time or memory limit of a document, retires those that
 * are idle or have grown, and takes back the documents that wait behind a slow one.
 */
const EVERY_MS = 100;
/** How long a cancelled document may take to end by itself. */
const CANCELLED_MS = 1_000;
const START_MS = 30_000;

export class Watchdog {
  readonly #limits: WorkerLimits;
  readonly #logger: Logger;
  readonly #workers: ReadonlySet<Worker>;
  readonly #requeue: (tasks: readonly ExtractionTask[]) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    limits: WorkerLimits,
    logger: Logger,
    workers: ReadonlySet<Worker>,
    requeue: (tasks: readonly ExtractionTask[]) => void,
  ) {
    this.#limits = limits;
    this.#logger = logger;
    this.#workers = workers;
    this.#requeue = requeue;
  }

  /** To be called whenever a process is started; stops by itself when there is none. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#check(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    if (this.#workers.size === 0) {
      this.stop();
      return;
    }
    const now = performance.now();
    for (const worker of this.#workers) {
      if (this.#checkMemory(worker)) continue;
      const elapsedMs = worker.elapsedMs(now);
      if (!worker.ready) this.#checkStart(worker, elapsedMs);
      else if (worker.current === undefined) this.#checkIdle(worker, elapsedMs);
      else this.#checkDocument(worker, worker.current, now);
    }
  }

  /** True when the process was killed. */
  #checkMemory(worker: Worker): boolean {
    const bytes = worker.residentBytes() ?? 0;
    if (bytes > this.#limits.memoryBytes) {
      worker.end('too_large');
      return true;
    }
    const isDue = bytes > this.#limits.recycleBytes || worker.answered >= this.#limits.recycleDocuments;
    if (isDue && !worker.retiring) {
      this.#logger.debug('An extraction process is replaced.', { pid: worker.pid, bytes, documents: worker.answered });
      this.#requeue(worker.takeBack());
      worker.retire();
    }
    return false;
  }

  #checkStart(worker: Worker, elapsedMs: number): void {
    if (elapsedMs > START_MS) worker.end('not_ready');
  }

  #checkIdle(worker: Worker, elapsedMs: number): void {
    if (elapsedMs > this.#limits.idleMs) worker.retire();
  }

  #checkDocument(worker: Worker, task: ExtractionTask, now: number): void {
    const elapsedMs = worker.elapsedMs(now);
    const workedMs = worker.workedMs(now, task.request.options.ocr.documentTimeoutMs);
    if (workedMs > this.#limits.documentMs) worker.end('timed_out');
    else if (task.settled && elapsedMs > CANCELLED_MS) worker.end('cancelled');
    else if (worker.isSlow) this.#requeue(worker.takeBack());
  }
}
