import type { Clock } from '../base/clock.js';
import type { CheckpointStore } from '../state/checkpoint.js';

/**
 * The wait between two runs. Besides the clock it listens to the checkpoint file, looked at every five seconds: a person
 * who edits `next_check` (to a past time, or away) or deletes the file, by hand or over REST, starts the next run.
 */
const POLL_MS = 5000;

export class NextRunTimer {
  readonly #clock: Clock;
  readonly #checkpoints: CheckpointStore;
  #current: AbortController | undefined;
  #stamp = '';

  constructor(clock: Clock, checkpoints: CheckpointStore) {
    this.#clock = clock;
    this.#checkpoints = checkpoints;
  }

  wait(delayMs: number, then: () => void): void {
    const { signal } = this.#begin();
    void this.#clock.sleep(delayMs, signal).then(() => {
      if (!signal.aborted) then();
    });
  }

  /** @param saved resolves when the program itself has written the checkpoint for this wait */
  waitUntil(dueMs: number, then: () => void, saved: () => Promise<void>): void {
    const { signal } = this.#begin();
    void this.#poll(dueMs, signal, saved).then(() => {
      if (!signal.aborted) then();
    });
  }

  cancel(): void {
    this.#current?.abort();
  }

  #begin(): AbortController {
    this.cancel();
    this.#current = new AbortController();
    return this.#current;
  }

  async #poll(dueMs: number, signal: AbortSignal, saved: () => Promise<void>): Promise<void> {
    await Promise.resolve();
    await saved();
    this.#stamp = await this.#checkpoints.stamp();
    let due = dueMs;
    while (!signal.aborted && this.#clock.now() < due) {
      await this.#clock.sleep(Math.min(POLL_MS, Math.max(0, due - this.#clock.now())), signal);
      const stamp = await this.#checkpoints.stamp();
      if (stamp === this.#stamp) continue;
      this.#stamp = stamp;
      due = await this.#dueByFile();
    }
  }

  /** Without a file, or without a `next_check` in it, the next run is due. */
  async #dueByFile(): Promise<number> {
    try {
      const checkpoint = await this.#checkpoints.load();
      return checkpoint?.next_check === undefined ? 0 : Date.parse(checkpoint.next_check);
    } catch {
      return 0;
    }
  }
}
