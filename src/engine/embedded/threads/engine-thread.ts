import type { Worker } from 'node:worker_threads';
import { isDiskFull } from '../../../base/disk-full.js';
import type { EntryPoint } from '../../../base/entry-points.js';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import { RpcPeer, type Contract, type Notes, type WireMessage } from '../../../base/rpc.js';
import { startThread } from '../../../base/start-thread.js';
import type { Closing, ThreadData } from './protocol.js';
import { letGo } from './stray-threads.js';

/**
 * The engine's end of one thread. The thread is started by the first call and keeps the process alive only while calls are
 * open. When it dies, the open calls fail as `unavailable` and the next call starts another one.
 */

/** One thread with what was asked of it. */
interface RunningThread<Remote extends Contract<Remote>> {
  readonly worker: Worker;
  readonly peer: RpcPeer<object, Remote>;
  /** See work-limit.ts. A thread's own: what is asked of its successor must not make it forget that it has to end. */
  readonly cancelled: SharedArrayBuffer;
}

export class EngineThread<Remote extends Contract<Remote> & Closing> {
  readonly #entry: EntryPoint;
  readonly #path: string;
  #running: RunningThread<Remote> | undefined;

  constructor(entry: EntryPoint, path: string) {
    this.#entry = entry;
    this.#path = path;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Ahead of the first call, which is expected soon. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#start();
    this.#running.worker.unref();
  }

  /** `ask` makes one call of the thread. */
  async call<Result>(ask: (remote: Remote) => Promise<Result>): Promise<Result> {
    const { worker, peer } = (this.#running ??= this.#start());
    worker.ref();
    try {
      return await ask(peer.remote);
    } finally {
      if (peer.openCalls === 0) worker.unref();
    }
  }

  /**
   * Asks the thread to end the last call, which then fails as `cancelled`; returns its number. For threads that have one call
   * at a time.
   */
  cancel(): number {
    if (this.#running === undefined) return 0;
    const { cancelled, peer } = this.#running;
    Atomics.store(new Int32Array(cancelled), 0, peer.lastCall);
    return peer.lastCall;
  }

  /**
   * Lets go of the thread when it is still at this call. It ends by itself once SQLite returns; until then it neither answers
   * nor keeps the process alive. The call fails with `error`.
   */
  abandon(number: number, error: CrawlerError): void {
    const running = this.#running;
    if (running?.peer.lastCall !== number || running.peer.openCalls === 0) return;
    this.#running = undefined;
    running.peer.remote.close().catch(() => undefined);
    running.peer.close(error);
    letGo(running.worker);
  }

  /** Lets the thread finish what it was given; nothing to do when it was never started. */
  async close(): Promise<void> {
    const worker = this.#running?.worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // A thread that is lost meanwhile has nothing left to close.
    await this.call((remote) => remote.close()).catch(() => undefined);
    worker.ref();
    await ended;
  }

  #start(): RunningThread<Remote> {
    const cancelled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = startThread(this.#entry, { path: this.#path, cancelled } satisfies ThreadData);
    const peer = new RpcPeer<object, Remote>((batch) => worker.postMessage(batch), {} as Notes<Remote>);
    const running = { worker, peer, cancelled };
    worker.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
    let reason: unknown = new Error('it ended');
    worker.on('error', (error: unknown) => {
      reason = error;
    });
    worker.on('exit', () => this.#lost(running, reason));
    return running;
  }

  #lost(running: RunningThread<Remote>, reason: unknown): void {
    if (this.#running === running) this.#running = undefined;
    const message = `The thread of the index [${this.#path}] was lost: ${messageOf(reason)}. Try again.`;
    running.peer.close(new CrawlerError(isDiskFull(reason) ? 'disk_full' : 'unavailable', message));
  }
}
