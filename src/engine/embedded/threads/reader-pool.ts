import type { EngineThread } from './engine-thread.js';
import type { CallName, Calls } from './protocol.js';

/**
 * Hands calls to the first thread that is free, at most one each, so that a slow search delays the others only when all
 * threads have one. Later threads are not started before the earlier ones are busy.
 */
export class ReaderPool {
  readonly #threads: readonly EngineThread[];
  readonly #busy = new Set<EngineThread>();
  readonly #waiting: ((thread: EngineThread) => void)[] = [];

  constructor(threads: readonly EngineThread[]) {
    this.#threads = threads;
  }

  async call<Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['response']> {
    const thread = await this.#acquire();
    try {
      return await thread.call(name, request);
    } finally {
      this.#release(thread);
    }
  }

  /** After the calls that were made before: takes every thread and gives none back. */
  async close(): Promise<void> {
    const threads = await Promise.all(this.#threads.map(() => this.#acquire()));
    await Promise.all(threads.map((thread) => thread.close()));
  }

  async #acquire(): Promise<EngineThread> {
    const free = this.#threads.find((thread) => !this.#busy.has(thread));
    if (free === undefined) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#busy.add(free);
    return free;
  }

  #release(thread: EngineThread): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy.delete(thread);
    else next(thread);
  }
}
