import type { CheckCursor, CheckSlice } from './threads/protocol.js';

/**
 * Checks the index while nobody needs it (check-index.ts): a short slice now and then, so that it takes a twentieth of one core
 * at most. When everything was checked it rests for a day.
 */
export interface QuietCheckDeps {
  readonly slice: (cursor: CheckCursor | undefined, timeMs: number) => Promise<CheckSlice>;
  readonly isQuiet: () => boolean;
}

const SLICE_MS = 50;
const PAUSE_MS = 1000;
/** A job that ends sooner needs no thread for this. */
const FIRST_MS = 10_000;
const REST_MS = 24 * 3_600_000;

export class QuietCheck {
  readonly #deps: QuietCheckDeps;
  #timer: NodeJS.Timeout | undefined;
  #cursor: CheckCursor | undefined;

  constructor(deps: QuietCheckDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.stop();
    this.#cursor = undefined;
    this.#next(FIRST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #next(pauseMs: number): void {
    this.#timer = setTimeout(() => void this.#check(), pauseMs).unref();
  }

  async #check(): Promise<void> {
    if (!this.#deps.isQuiet()) {
      this.#next(PAUSE_MS);
      return;
    }
    try {
      const { next } = await this.#deps.slice(this.#cursor, SLICE_MS);
      this.#cursor = next;
      this.#next(next === undefined ? REST_MS : PAUSE_MS);
    } catch {
      // Corruption is dealt with by whoever answered; anything else (a file that is away) is for the next time.
      this.#cursor = undefined;
      this.#next(REST_MS);
    }
  }
}
