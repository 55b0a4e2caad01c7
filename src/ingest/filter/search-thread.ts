import { Worker } from 'node:worker_threads';
import { entryPoint } from '../../base/entry-points.js';
import { CrawlerError, messageOf, throwIfCancelled } from '../../base/errors.js';
import { RpcPeer, type WireMessage } from '../../base/rpc.js';
import type { PatternSearch } from './pattern-search.js';

/**
 * This side of the thread that searches where it may take long (search-thread-entry.ts). The first search starts it; it keeps
 * the process alive only while a search is under way, so nobody has to close it. Texts are searched one after another.
 */
export class SearchThread {
  #running: { readonly worker: Worker; readonly search: PatternSearch } | undefined;
  #underWay = 0;

  /** Throws `timed_out`, `cancelled`, and `internal` when the thread is lost. */
  async isFoundIn(pattern: string, text: string, signal: AbortSignal): Promise<boolean> {
    throwIfCancelled(signal);
    const { worker, search } = (this.#running ??= this.#start());
    this.#underWay += 1;
    worker.ref();
    let onAbort = (): void => undefined;
    const cancelled = new Promise<never>((_, reject) => {
      onAbort = () => reject(new CrawlerError('cancelled', 'The work was cancelled.'));
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([search.isFoundIn(pattern, text), cancelled]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#underWay -= 1;
      if (this.#underWay === 0) worker.unref();
    }
  }

  #start(): { worker: Worker; search: PatternSearch } {
    const worker = new Worker(entryPoint('pattern-search'), { execArgv: [] });
    const peer = new RpcPeer<object, PatternSearch>((batch) => worker.postMessage(batch), {});
    let reason = 'it ended';
    worker.on('message', (batch: readonly WireMessage[]) => peer.receive(batch));
    worker.on('error', (error: unknown) => {
      reason = messageOf(error);
    });
    worker.on('exit', () => {
      this.#running = undefined;
      peer.close(new CrawlerError('internal', `The thread that searches for fs.filters was lost: ${reason}.`));
    });
    return { worker, search: peer.remote };
  }
}
