import type { Reply } from './engine-client.js';
import type { EngineCall } from './node-exchange.js';

/**
 * What was written is visible to the next search. A refresh with each bulk request would make many small segments, so the
 * engine refreshes only when somebody searches after a write: a crawl without searches never pays for it.
 */
export class SearchVisibility {
  readonly #ask: (call: EngineCall, signal: AbortSignal) => Promise<Reply>;
  /** The number of the last write to each index that may not be visible yet. */
  readonly #writes = new Map<string, number>();
  #count = 0;

  constructor(ask: (call: EngineCall, signal: AbortSignal) => Promise<Reply>) {
    this.#ask = ask;
  }

  wrote(index: string): void {
    this.#writes.set(index, (this.#count += 1));
  }

  /** The refresh's own failure is of no interest: a user without the privilege sees the documents a second later. */
  async ensure(signal: AbortSignal): Promise<void> {
    const writes = [...this.#writes];
    if (writes.length === 0) return;
    const index = writes.map(([name]) => name);
    await this.#ask(
      {
        name: `refresh of [${index.join(', ')}]`,
        send: (client, options) => client.indices.refresh({ index, ignore_unavailable: true }, options),
      },
      signal,
    );
    for (const [index, write] of writes) {
      if (this.#writes.get(index) === write) this.#writes.delete(index);
    }
  }
}
