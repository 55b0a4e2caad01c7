import type { Clock } from '../../src/base/clock.js';

/** A clock that only moves when somebody sleeps, and then at once. `slept` lists the delays. */
export class InstantClock implements Clock {
  readonly slept: number[] = [];
  #now = 1_700_000_000_000;

  now(): number {
    return this.#now;
  }

  async sleep(delayMs: number): Promise<void> {
    this.slept.push(delayMs);
    this.#now += delayMs;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
