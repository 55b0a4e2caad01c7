import { Worker } from 'node:worker_threads';
import type { RunWork } from '../crawler/inspect/run-work.js';
import type { CrawlThreadData } from './crawl-thread.js';
import { entryPoint } from '../base/entry-points.js';
import type { RunWorkThreadData } from './run-work-thread.js';

/** How often it is looked whether the run goes on for which is counted. */
const CHECK_MS = 500;

/** Counts what a run has to do, in a thread that ends with the run at the latest. */
export class RunWorkCount {
  readonly #data: CrawlThreadData;
  /** Of the run that is counted, or was. */
  #sinceMs: number | undefined;
  #work: RunWork | undefined;
  #worker: Worker | undefined;

  constructor(data: CrawlThreadData) {
    this.#data = data;
  }

  /** What the run that began at this time has to do; undefined when it has not been counted (yet). */
  of(sinceMs: number): RunWork | undefined {
    return this.#sinceMs === sinceMs ? this.#work : undefined;
  }

  /** @param goesOn whether the run is still the one at work */
  begin(sinceMs: number, goesOn: () => boolean): void {
    if (this.#sinceMs === sinceMs) return;
    this.end();
    this.#sinceMs = sinceMs;
    this.#work = undefined;
    const workerData: RunWorkThreadData = { ...this.#data, sinceMs };
    const worker = new Worker(entryPoint('run-work'), { workerData, execArgv: [] });
    worker.unref();
    const check = setInterval(() => {
      if (!goesOn()) this.end();
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

  end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
