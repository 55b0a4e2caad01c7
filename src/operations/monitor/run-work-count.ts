import { Worker } from 'node:worker_threads';
import { endThread } from '../../base/end-thread.js';
import { entryPoint } from '../../base/entry-points.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { JobSettings } from '../../settings/job-settings.js';
import type { RunWork } from './run-work.js';

/** How often it is checked whether the run still continues. */
const CHECK_MS = 500;
/** How long the thread may take to end. */
const END_MS = 2000;

/** A job as the thread that counts has to open it. */
export interface CountedJob {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly extractorVersion: string;
  readonly staticMetadata: MetadataFile | undefined;
}

/** What the thread is started with (app/run-work-thread.ts). It answers with one `RunWork`. */
export interface RunWorkThreadData extends CountedJob {
  /** Start of the run, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/** Counts what a run has to do, in a thread that ends with the run at the latest. */
export class RunWorkCount {
  readonly #data: CountedJob;
  /** Of the run that is counted, or was. */
  #sinceMs: number | undefined;
  #work: RunWork | undefined;
  #worker: Worker | undefined;
  /** Of threads that were asked to end. */
  #ending: Promise<void> = Promise.resolve();

  constructor(data: CountedJob) {
    this.#data = data;
  }

  /** What the run that began at this time has to do; undefined when it has not been counted (yet). */
  of(sinceMs: number): RunWork | undefined {
    return this.#sinceMs === sinceMs ? this.#work : undefined;
  }

  /** @param goesOn whether the run still continues */
  begin(sinceMs: number, goesOn: () => boolean): void {
    if (this.#sinceMs === sinceMs) return;
    void this.end();
    this.#sinceMs = sinceMs;
    this.#work = undefined;
    const workerData: RunWorkThreadData = { ...this.#data, sinceMs };
    const worker = new Worker(entryPoint('run-work'), { workerData, execArgv: [] });
    worker.unref();
    const check = setInterval(() => {
      if (!goesOn()) void this.end();
    }, CHECK_MS);
    check.unref();
    worker.on('message', (work: RunWork) => {
      if (this.#sinceMs === sinceMs) this.#work = work;
    });
    // A tree that cannot be listed is for the scan to report.
    worker.on('error', () => undefined);
    worker.on('exit', () => clearInterval(check));
    this.#worker = worker;
  }

  /** Resolves when the thread has ended. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) this.#ending = this.#endAfter(this.#ending, worker);
    await this.#ending;
  }

  async #endAfter(earlier: Promise<void>, worker: Worker): Promise<void> {
    worker.postMessage('end');
    await Promise.all([earlier, endThread(worker, END_MS)]);
  }
}
