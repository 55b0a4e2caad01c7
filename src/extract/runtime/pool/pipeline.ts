import type { Worker } from './worker.js';

/**
 * How many documents a process may hold: enough to be busy for the next few milliseconds, and no more, because a document
 * that waits in one process cannot quickly be given to another. The number follows the average time of a document.
 */
const WORK_AHEAD_MS = 15;
const FEWEST = 2;
const MOST = 64;
/** The average before the first document. */
const FIRST_GUESS_MS = 4;
/** The weight of the newest document in the moving average. */
const WEIGHT = 0.05;

export class Pipeline {
  #averageMs = FIRST_GUESS_MS;

  learn(elapsedMs: number): void {
    this.#averageMs += (elapsedMs - this.#averageMs) * WEIGHT;
  }

  hasRoom(worker: Worker, load: number): boolean {
    if (worker.retiring || worker.isAlone) return false;
    if (worker.isSlow) return false;
    return load < this.#depth();
  }

  #depth(): number {
    return Math.min(MOST, Math.max(FEWEST, Math.ceil(WORK_AHEAD_MS / Math.max(0.01, this.#averageMs))));
  }
}
