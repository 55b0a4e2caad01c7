import { Worker } from 'node:worker_threads';
import { isDiskFull } from '../../../base/disk-full.js';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { AnswerMessage, CallMessage, CallName, Calls, ThreadData } from './protocol.js';
import { letGo } from './stray-threads.js';

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

/** One thread with the calls that it has not answered yet. */
interface RunningThread {
  readonly worker: Worker;
  readonly open: Map<number, OpenCall>;
  /** See work-limit.ts. A thread's own: what is asked of its successor must not make it forget that it has to end. */
  readonly cancelled: SharedArrayBuffer;
}

export class EngineThread {
  readonly #entry: URL;
  readonly #path: string;
  #running: RunningThread | undefined;
  #number = 0;

  constructor(entry: URL, path: string) {
    this.#entry = entry;
    this.#path = path;
  }

  call<Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['response']> {
    const running = (this.#running ??= this.#start());
    const number = (this.#number += 1);
    const answered = new Promise<Calls[Name]['response']>((resolve, reject) => {
      running.open.set(number, { resolve: resolve as OpenCall['resolve'], reject });
    });
    if (running.open.size === 1) running.worker.ref();
    post(running, { number, name, request } as CallMessage);
    return answered;
  }

  /**
   * Asks the thread to end the last call, which then fails as `cancelled`; returns its number. For threads that have one call
   * at a time.
   */
  cancel(): number {
    if (this.#running !== undefined) Atomics.store(new Int32Array(this.#running.cancelled), 0, this.#number);
    return this.#number;
  }

  /**
   * Lets go of the thread when it is still at this call. It ends by itself once SQLite returns; until then it neither answers
   * nor keeps the process alive. The call fails with `error`.
   */
  abandon(number: number, error: CrawlerError): void {
    const running = this.#running;
    if (running?.open.has(number) !== true) return;
    this.#running = undefined;
    post(running, { number: 0, name: 'close', request: undefined });
    letGo(running.worker);
    failAll(running, error);
  }

  /** Lets the thread finish what it was given; nothing to do when it was never started. */
  async close(): Promise<void> {
    const worker = this.#running?.worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // A thread that is lost meanwhile has nothing left to close.
    await this.call('close', undefined).catch(() => undefined);
    worker.ref();
    await ended;
  }

  #start(): RunningThread {
    const cancelled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = new Worker(this.#entry, {
      workerData: { path: this.#path, cancelled } satisfies ThreadData,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const running: RunningThread = { worker, open: new Map(), cancelled };
    worker.unref();
    worker.on('message', (message: AnswerMessage) => settle(running, message));
    let reason: unknown = new Error('it ended');
    worker.on('error', (error: unknown) => {
      reason = error;
    });
    worker.on('exit', () => this.#lost(running, reason));
    return running;
  }

  #lost(running: RunningThread, reason: unknown): void {
    if (this.#running === running) this.#running = undefined;
    const message = `The thread of the index [${this.#path}] was lost: ${messageOf(reason)}. Try again.`;
    failAll(running, new CrawlerError(isDiskFull(reason) ? 'disk_full' : 'unavailable', message));
  }
}

/** A request that cannot be copied to another thread (nested too deep) is the caller's fault. */
function post(running: RunningThread, message: CallMessage): void {
  try {
    running.worker.postMessage(message);
  } catch (error) {
    const failure = { code: 'corrupt', message: `The request cannot be read: ${messageOf(error)}` } as const;
    settle(running, { number: message.number, ok: false, failure });
  }
}

function settle({ worker, open }: RunningThread, message: AnswerMessage): void {
  const call = open.get(message.number);
  open.delete(message.number);
  if (open.size === 0) worker.unref();
  if (message.ok) call?.resolve(message.response);
  else call?.reject(new CrawlerError(message.failure.code, message.failure.message));
}

function failAll({ open }: RunningThread, error: CrawlerError): void {
  const calls = [...open.values()];
  open.clear();
  for (const { reject } of calls) reject(error);
}
