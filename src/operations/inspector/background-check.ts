import { systemClock } from '../../base/clock.js';
import { CrawlerError, messageOf } from '../../base/errors.js';

export interface CheckProgress {
  readonly sinceMs: number;
  /** Files of the tree, and documents of the index, that were seen so far. */
  readonly files: number;
  readonly documents: number;
}

export interface CheckResult<Result> {
  readonly atMs: number;
  readonly tookMs: number;
  readonly result: Result;
}

export interface CheckFault {
  readonly atMs: number;
  readonly message: string;
}

/** Work that walks a whole tree, one at a time: how far it is, what came of it, and why it failed. */
export class BackgroundCheck<Result> {
  readonly #name: string;
  readonly #work: () => Promise<Result>;
  readonly #cancel: () => void;
  #running: CheckProgress | undefined;
  #last: CheckResult<Result> | undefined;
  #fault: CheckFault | undefined;

  /** @param name for a sentence: `plan`, `check` */
  constructor(name: string, work: () => Promise<Result>, cancel: () => void) {
    this.#name = name;
    this.#work = work;
    this.#cancel = cancel;
  }

  get running(): CheckProgress | undefined {
    return this.#running;
  }

  /** What the last one that came to its end has found. */
  get last(): CheckResult<Result> | undefined {
    return this.#last;
  }

  /** Why the last one did not come to its end; undefined when it did, or was stopped. */
  get fault(): CheckFault | undefined {
    return this.#fault;
  }

  /** Throws `conflict` while one is running. */
  start(): void {
    if (this.#running !== undefined)
      throw new CrawlerError('conflict', `A ${this.#name} is running already. Wait for it, or stop it with DELETE.`);
    const sinceMs = systemClock.now();
    this.#running = { sinceMs, files: 0, documents: 0 };
    this.#fault = undefined;
    void Promise.resolve()
      .then(() => this.#work())
      .then((result) => {
        this.#last = { atMs: sinceMs, tookMs: systemClock.now() - sinceMs, result };
      })
      .catch((error: unknown) => {
        const isStopped = error instanceof CrawlerError && error.code === 'cancelled';
        if (!isStopped) this.#fault = { atMs: systemClock.now(), message: messageOf(error) };
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Returns whether one was running. */
  stop(): boolean {
    if (this.#running === undefined) return false;
    this.#cancel();
    return true;
  }

  progress(files: number, documents: number): void {
    if (this.#running !== undefined) this.#running = { ...this.#running, files, documents };
  }
}
