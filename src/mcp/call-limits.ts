import { abortable } from '../base/abortable.js';
import { throwIfCancelled } from '../base/errors.js';
import { Semaphore } from '../base/semaphore.js';
import { withTimeout } from '../base/with-timeout.js';
import { CallFault } from './call-fault.js';

const AT_ONCE = 2;
const WAITING = 16;
const CALL_MS = 20_000;
const CALLS = 120;
const PERIOD_MS = 60_000;

export interface CallLimitOptions {
  readonly now?: () => number;
  readonly callMs?: number;
  readonly callsPerMinute?: number;
}

/** Bounds what assistants may ask for: two calls at a time, some that wait, so many a minute, and a time for each. */
export class CallLimits {
  readonly #slots = new Semaphore(AT_ONCE);
  readonly #now: () => number;
  readonly #callMs: number;
  readonly #callsPerMinute: number;
  /** When each caller has called in the last minute. */
  readonly #calls = new Map<string, number[]>();
  #underWay = 0;

  constructor({ now = Date.now, callMs = CALL_MS, callsPerMinute = CALLS }: CallLimitOptions = {}) {
    this.#now = now;
    this.#callMs = callMs;
    this.#callsPerMinute = callsPerMinute;
  }

  /** Throws a CallFault when it is too much or takes too long. */
  async run<T>(caller: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#count(caller);
    if (this.#underWay >= AT_ONCE + WAITING) {
      throw new CallFault('The server is busy with other calls. Wait a moment, and call again.');
    }
    this.#underWay += 1;
    await this.#slots.acquire();
    if (signal.aborted) this.#release();
    throwIfCancelled(signal);
    return await withTimeout(signal, this.#callMs, async (limited) => await this.#inTime(signal, limited, work));
  }

  /** The place of a call is free again when its work has ended, also where nobody waits for that any more. */
  async #inTime<T>(outer: AbortSignal, limited: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const working = work(limited).finally(() => this.#release());
    try {
      return await abortable(limited, working);
    } catch (error) {
      if (outer.aborted || !limited.aborted) throw error;
      throw new CallFault(
        `The call was given up after ${this.#callMs / 1000} s. Ask for less, such as fewer results or a narrower search.`,
      );
    }
  }

  #release(): void {
    this.#underWay -= 1;
    this.#slots.release();
  }

  #count(caller: string): void {
    const now = this.#now();
    const recent = (this.#calls.get(caller) ?? []).filter((each) => each > now - PERIOD_MS);
    if (recent.length >= this.#callsPerMinute) {
      throw new CallFault(
        `At most ${this.#callsPerMinute} calls a minute are answered. Wait a moment, and call again.`,
      );
    }
    this.#calls.set(caller, [...recent, now]);
  }
}
