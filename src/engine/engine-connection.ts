import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { backoffMs } from '../base/retry.js';
import type { SearchEngine } from './engine.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Connects to the engine once for everybody who needs it, and tells whether it is there. A failed attempt may be repeated. */
export class EngineConnection {
  readonly #engine: SearchEngine;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  #preparing: Promise<{ readonly identity: string }> | undefined;
  #problem: string | undefined = 'The search engine is not connected yet. Try again in a moment.';

  constructor(engine: SearchEngine, logger: Logger, signal: AbortSignal) {
    this.#engine = engine;
    this.#logger = logger;
    this.#signal = signal;
  }

  prepare(): Promise<{ readonly identity: string }> {
    this.#preparing ??= this.#prepare();
    return this.#preparing;
  }

  /**
   * The identity of the index as it is now. An index that was lost since the last time is made again, with its templates
   * where the whole server was replaced.
   */
  async identity(): Promise<string> {
    const { identity: known } = await this.prepare();
    const identity = await this.#engine.identity(this.#signal);
    if (identity === known) return identity;
    const prepared = await this.#engine.prepare(this.#signal);
    this.#preparing = Promise.resolve(prepared);
    return prepared.identity;
  }

  /** Tries again, at growing intervals, until the engine is there or the signal is aborted. Never throws. */
  async retryUntilReady(clock: Clock, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await this.prepare();
        return;
      } catch {
        this.#logger.warn(
          `${this.#problem ?? ''} Until it is connected, the service answers that the engine is unavailable.`,
        );
        await clock.sleep(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal);
      }
    }
  }

  /** Why the engine cannot be used, or undefined. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The attempt to connect that is under way, until it has succeeded or failed. */
  get connecting(): Promise<void> | undefined {
    if (this.#problem === undefined) return undefined;
    return this.#preparing?.then(
      () => undefined,
      () => undefined,
    );
  }

  async #prepare(): Promise<{ readonly identity: string }> {
    try {
      const prepared = await this.#engine.prepare(this.#signal);
      this.#problem = undefined;
      if (this.#engine.type === 'elastic') {
        const version = await this.#engine.version(this.#signal);
        this.#logger.info(`Crawler is now connected to the search engine version [${version}]`);
      }
      return prepared;
    } catch (error) {
      this.#problem = messageOf(error);
      this.#preparing = undefined;
      throw error;
    }
  }
}
