// A page that is open, for what it costs the service.
import { setTimeout as delay } from 'node:timers/promises';
import { timed } from './figures.mjs';
import { ask } from './service.mjs';

/** What the operator's page asks for, and how often while a scan is running (ms). */
export const OPERATOR = [
  ['_crawler/status', 2000],
  ['_crawler/verify', 2000],
  ['_crawler/history', 5000],
  ['_health', 10_000],
];

/** Asks what a page asks, as often as it does. */
export class OpenPage {
  #closing = new AbortController();
  #latencies = [];
  #loops;

  constructor(url, asked = OPERATOR) {
    this.#loops = asked.map(([path, ms]) => this.#loop(`${url}/${path}`, ms));
  }

  /** Resolves with the milliseconds of each status. */
  async close() {
    this.#closing.abort();
    await Promise.all(this.#loops);
    return this.#latencies;
  }

  async #loop(url, everyMs) {
    const { signal } = this.#closing;
    for (let next = performance.now() + Math.random() * everyMs; ; next = Math.max(next + everyMs, performance.now())) {
      await delay(next - performance.now(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const [ms] = await timed(() => ask(url));
      if (url.endsWith('status')) this.#latencies.push(ms);
    }
  }
}
