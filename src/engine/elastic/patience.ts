import type { Clock } from '../../base/clock.js';
import { backoffMs } from '../../base/retry.js';

/** How long and how often is tried again. Two kinds of hindrance, each with its own back-off and its own limit. */
export interface RetryPolicy {
  /** No connection, a broken answer, a server error: the engine is away. */
  readonly fault: RetryRhythm;
  /** 429, or 503 for a single document: the engine is there and busy. */
  readonly throttle: RetryRhythm;
}

export interface RetryRhythm {
  readonly firstMs: number;
  /** The delay is doubled up to this. */
  readonly maxMs: number;
  /** Counted from the first hindrance; Infinity waits for ever. */
  readonly totalMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  fault: { firstMs: 500, maxMs: 5_000, totalMs: 10_000 },
  throttle: { firstMs: 1_000, maxMs: 30_000, totalMs: 300_000 },
};

export type Hindrance = keyof RetryPolicy;

/** The patience left for one piece of work. */
export class Patience {
  readonly #policy: RetryPolicy;
  readonly #clock: Clock;
  readonly #states = new Map<Hindrance, { readonly since: number; attempts: number }>();

  constructor(policy: RetryPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  /** Milliseconds to wait before the next attempt; undefined when the time for this hindrance is used up. */
  nextDelayMs(hindrance: Hindrance): number | undefined {
    const { firstMs, maxMs, totalMs } = this.#policy[hindrance];
    const now = this.#clock.now();
    const state = this.#states.get(hindrance) ?? { since: now, attempts: 0 };
    this.#states.set(hindrance, state);
    const leftMs = state.since + totalMs - now;
    if (leftMs <= 0) return undefined;
    state.attempts += 1;
    return Math.min(backoffMs(state.attempts, firstMs, maxMs), leftMs);
  }

  /** Waits before the next attempt; false, at once, when the time for this hindrance is used up. */
  async pause(hindrance: Hindrance, signal: AbortSignal): Promise<boolean> {
    const delayMs = this.nextDelayMs(hindrance);
    if (delayMs === undefined) return false;
    await this.#clock.sleep(delayMs, signal);
    return true;
  }

  /** The hindrance is over: the next one of its kind begins anew. */
  relieve(hindrance: Hindrance): void {
    this.#states.delete(hindrance);
  }

  /** Milliseconds since this hindrance was first met. */
  triedMs(hindrance: Hindrance): number {
    const state = this.#states.get(hindrance);
    return state === undefined ? 0 : this.#clock.now() - state.since;
  }

  attempts(hindrance: Hindrance): number {
    return this.#states.get(hindrance)?.attempts ?? 0;
  }
}
