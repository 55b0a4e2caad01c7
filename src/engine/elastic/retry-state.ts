import type { Clock } from '../../base/clock.js';
import { backoffMs } from '../../base/retry.js';

/** How long and how often a request is retried. Each cause has a back-off and a limit of its own. */
export interface RetryPolicy {
  /** No connection, a broken answer, a server error: the engine is away. */
  readonly fault: BackoffPolicy;
  /** 429, or 503 for a single document: the engine is there and busy. */
  readonly throttle: BackoffPolicy;
}

export interface BackoffPolicy {
  readonly firstMs: number;
  /** The delay is doubled up to this. */
  readonly maxMs: number;
  /** Counted from the first failure; Infinity retries without end. */
  readonly totalMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  fault: { firstMs: 500, maxMs: 5_000, totalMs: 10_000 },
  throttle: { firstMs: 1_000, maxMs: 30_000, totalMs: 300_000 },
};

export type RetryCause = keyof RetryPolicy;

/** What has been tried, and is left, for one piece of work. */
export class RetryState {
  readonly #policy: RetryPolicy;
  readonly #clock: Clock;
  readonly #states = new Map<RetryCause, { readonly since: number; attempts: number }>();

  constructor(policy: RetryPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  /** Milliseconds to wait before the next attempt; undefined when the time for this cause is used up. */
  nextDelayMs(cause: RetryCause): number | undefined {
    const { firstMs, maxMs, totalMs } = this.#policy[cause];
    const now = this.#clock.now();
    const state = this.#states.get(cause) ?? { since: now, attempts: 0 };
    this.#states.set(cause, state);
    const leftMs = state.since + totalMs - now;
    if (leftMs <= 0) return undefined;
    state.attempts += 1;
    return Math.min(backoffMs(state.attempts, firstMs, maxMs), leftMs);
  }

  /** Waits before the next attempt; false, at once, when the time for this cause is used up. */
  async pause(cause: RetryCause, signal: AbortSignal): Promise<boolean> {
    const delayMs = this.nextDelayMs(cause);
    if (delayMs === undefined) return false;
    await this.#clock.sleep(delayMs, signal);
    return true;
  }

  /** An attempt has succeeded: the next failure of this kind begins anew. */
  relieve(cause: RetryCause): void {
    this.#states.delete(cause);
  }

  /** Milliseconds since the first failure of this kind. */
  triedMs(cause: RetryCause): number {
    const state = this.#states.get(cause);
    return state === undefined ? 0 : this.#clock.now() - state.since;
  }

  attempts(cause: RetryCause): number {
    return this.#states.get(cause)?.attempts ?? 0;
  }
}
