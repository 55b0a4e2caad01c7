import { CrawlerError } from '../../../base/errors.js';
import type { EngineThread } from './engine-thread.js';
import type { IndexReading } from './protocol.js';
import { timeIsOver } from '../store/work-limit.js';

/**
 * Hands calls to the first thread that is free, at most one each, so that a slow search delays the others only when all
 * threads have one. Later threads are not started before the earlier ones are busy.
 *
 * A call that is aborted, or whose time is over, is over at once for its caller. Its thread is asked to end the work, and is
 * free again when it has; one that does not is replaced (engine-thread.ts).
 */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** How long the call may take, with the time that it waits for a thread; undefined: as long as it takes. */
  readonly timeMs: number | undefined;
}

export interface ReaderTimes {
  /** How long a thread may take to end its work when it is asked to. */
  readonly endingMs: number;
  /** How long `close` waits for calls under way before it ends them. */
  readonly closingMs: number;
}

const TIMES: ReaderTimes = { endingMs: 2000, closingMs: 5000 };

type ReaderThread = EngineThread<IndexReading>;

interface OpenCall {
  /** Undefined while it waits for one. */
  thread: ReaderThread | undefined;
  readonly start: (thread: ReaderThread) => void;
  readonly fail: (error: CrawlerError) => void;
}

export class ReaderPool {
  readonly #threads: readonly ReaderThread[];
  readonly #times: ReaderTimes;
  readonly #busy = new Set<ReaderThread>();
  readonly #open = new Set<OpenCall>();
  #waiting: OpenCall[] = [];

  constructor(threads: readonly ReaderThread[], times: ReaderTimes = TIMES) {
    this.#threads = threads;
    this.#times = times;
  }

  /** `ask` makes one call of a thread. */
  call<Result>(ask: (reader: IndexReading) => Promise<Result>, { signal, timeMs }: CallLimits): Promise<Result> {
    return new Promise((resolve, reject) => {
      const call: OpenCall = {
        thread: undefined,
        start: (thread) => {
          call.thread = thread;
          // First of all: an abort that comes with the answer must not reach the next call of the thread.
          const settled = (): void => {
            forget();
            this.#release(thread);
          };
          thread.call(ask).finally(settled).then(resolve, reject);
        },
        fail: (error) => {
          forget();
          reject(error);
        },
      };
      const abort = (): void => this.#end(call, cancelled(signal.reason));
      // The thread watches its time by itself: this is for one that cannot, and for calls that wait for a thread.
      const timer =
        timeMs === undefined
          ? undefined
          : setTimeout(() => this.#end(call, timeIsOver(timeMs)), timeMs + this.#times.endingMs / 2);
      const forget = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#open.delete(call);
      };
      this.#open.add(call);
      if (signal.aborted) return call.fail(cancelled(signal.reason));
      signal.addEventListener('abort', abort, { once: true });
      this.#take(call);
    });
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** After the calls that were made before, or some seconds: takes every thread and gives none back. */
  async close(): Promise<void> {
    const endCalls = (): void => {
      for (const call of this.#open) this.#end(call, new CrawlerError('cancelled', 'The index is being closed.'));
    };
    const timer = setTimeout(endCalls, this.#times.closingMs);
    const threads = await Promise.all(this.#threads.map(() => this.#takeThread()));
    clearTimeout(timer);
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** The caller has its answer now. The thread is released when it has ended its work, or is given up. */
  #end(call: OpenCall, error: CrawlerError): void {
    call.fail(error);
    this.#waiting = this.#waiting.filter((each) => each !== call);
    const { thread } = call;
    if (thread === undefined) return;
    const number = thread.cancel();
    setTimeout(() => thread.abandon(number, error), this.#times.endingMs).unref();
  }

  #takeThread(): Promise<ReaderThread> {
    return new Promise((resolve) => this.#take({ thread: undefined, start: resolve, fail: () => undefined }));
  }

  #take(call: OpenCall): void {
    const free = this.#threads.find((thread) => !this.#busy.has(thread));
    if (free === undefined) {
      this.#waiting.push(call);
    } else {
      this.#busy.add(free);
      call.start(free);
    }
  }

  #release(thread: ReaderThread): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy.delete(thread);
    else next.start(thread);
  }
}

function cancelled(cause: unknown): CrawlerError {
  return new CrawlerError('cancelled', 'The work was cancelled.', { cause });
}
