import { Worker } from 'node:worker_threads';
import { isDiskFull } from '../../../base/disk-full.js';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { AnswerMessage, CallMessage, CallName, Calls, ThreadData } from './protocol.js';

/**
 * The engine's end of one thread. The thread is started by the first call and keeps the process alive only while calls are
 * open. When it dies, the open calls fail as `unavailable` and the next call starts another one.
 *
 * The young generation is kept small: the work is many short-lived strings, and V8 would otherwise give each thread tens of
 * megabytes for them. The old generation is not limited: one document may be large.
 */
const YOUNG_GENERATION_MB = 8;

interface OpenCall {
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class EngineThread {
  readonly #entry: URL;
  readonly #data: ThreadData;
  readonly #open = new Map<number, OpenCall>();
  #worker: Worker | undefined;
  #number = 0;

  constructor(entry: URL, data: ThreadData) {
    this.#entry = entry;
    this.#data = data;
  }

  get openCalls(): number {
    return this.#open.size;
  }

  call<Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['response']> {
    const worker = (this.#worker ??= this.#start());
    const number = (this.#number += 1);
    const answered = new Promise<Calls[Name]['response']>((resolve, reject) => {
      this.#open.set(number, { resolve: resolve as OpenCall['resolve'], reject });
    });
    if (this.#open.size === 1) worker.ref();
    this.#post(worker, { number, name, request } as CallMessage);
    return answered;
  }

  /** Lets the thread finish what it was given; nothing to do when it was never started. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // A thread that is lost meanwhile has nothing left to close.
    await this.call('close', undefined).catch(() => undefined);
    worker.ref();
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, {
      workerData: this.#data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.unref();
    worker.on('message', (message: AnswerMessage) => this.#settle(message));
    let reason: unknown = new Error('it ended');
    worker.on('error', (error: unknown) => {
      reason = error;
    });
    worker.on('exit', () => this.#lost(worker, reason));
    return worker;
  }

  /** A request that cannot be copied to another thread (nested too deep) is the caller's fault. */
  #post(worker: Worker, message: CallMessage): void {
    try {
      worker.postMessage(message);
    } catch (error) {
      const failure = { code: 'corrupt', message: `The request cannot be read: ${messageOf(error)}` } as const;
      this.#settle({ number: message.number, ok: false, failure });
    }
  }

  #settle(message: AnswerMessage): void {
    const call = this.#open.get(message.number);
    this.#open.delete(message.number);
    if (this.#open.size === 0) this.#worker?.unref();
    if (message.ok) call?.resolve(message.response);
    else call?.reject(new CrawlerError(message.failure.code, message.failure.message));
  }

  #lost(worker: Worker, reason: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    const calls = [...this.#open.values()];
    this.#open.clear();
    const message = `The thread of the index [${this.#data.path}] was lost: ${messageOf(reason)}. Try again.`;
    const code = isDiskFull(reason) ? 'disk_full' : 'unavailable';
    for (const { reject } of calls) reject(new CrawlerError(code, message));
  }
}
