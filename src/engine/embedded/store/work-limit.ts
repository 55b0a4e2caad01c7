import { CrawlerError } from '../../../base/errors.js';
import { grouped } from '../../../base/grouped.js';
import type { Database } from '../../../base/sqlite.js';
import { sql, type Sql } from './sql.js';

/**
 * Ends the work on a call of a reader thread when nobody waits for it any more, or when its time is over.
 *
 * SQLite answers within one call that cannot be interrupted from outside: the binding has neither sqlite3_interrupt nor a
 * progress handler, and to terminate a thread within such a call aborts the process. So the statements themselves ask:
 * `whileWanted` is a condition in every loop over rows, and throws once the work is not wanted.
 */
export class WorkLimit {
  /** The number of the latest call that is cancelled, and with it all before; written by the other side. */
  readonly #cancelled: Int32Array;
  #number = 0;
  #startMs = 0;
  #timeMs = Infinity;
  #failure: CrawlerError | undefined;

  constructor(cancelled: Int32Array) {
    this.#cancelled = cancelled;
  }

  /** Statements on this connection may hold `whileWanted` from now on. */
  register(database: Database): void {
    database.define('still_wanted', () => {
      this.check();
      return 1;
    });
  }

  /** A call without a limit of its time. */
  begin(number: number): void {
    this.#number = number;
    this.#startMs = performance.now();
    this.#timeMs = Infinity;
    this.#failure = undefined;
  }

  /** Counts from the beginning of the call. */
  limitTo(timeMs: number): void {
    this.#timeMs = timeMs;
  }

  /** Throws when the work has to end. Loops outside SQLite call it, too. */
  check(): void {
    if (Atomics.load(this.#cancelled, 0) >= this.#number) {
      this.#failure = new CrawlerError('cancelled', 'The work was cancelled.');
    } else if (performance.now() - this.#startMs > this.#timeMs) {
      this.#failure = timeIsOver(this.#timeMs);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Why the work was ended: what comes out of SQLite then is an error of its own. */
  get failure(): CrawlerError | undefined {
    return this.#failure;
  }
}

/** A condition that is true, and asks once in 16 rows whether the answer is still wanted. `id` is a row id. */
export function whileWanted(id: Sql): Sql {
  return sql`(${id} & 15 OR still_wanted())`;
}

export function timeIsOver(timeMs: number): CrawlerError {
  const limit = `The search was ended after ${grouped(timeMs / 1000)} s, the limit of engine.search_timeout.`;
  return new CrawlerError('timed_out', `${limit} Search for less at once, or raise the limit.`);
}
