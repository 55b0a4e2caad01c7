import { CrawlerError } from '../base/errors.js';
import { cancelled, LinkedSignal } from './deadline.js';

export interface PooledConnection {
  /** False once the connection cannot be used any more. */
  readonly alive: boolean;
  /** It is idle: it must not keep the process alive. */
  rest(): void;
  wake(): void;
  close(): void;
}

export interface PoolOptions<C> {
  readonly size: number;
  /** A new connection, ready for use. The signal also ends when the pool is closed. */
  open(signal: AbortSignal): Promise<C>;
}

/** Idle connections are closed after this. Servers close them sooner or later, and others may need the place. */
const IDLE_MS = 60_000;
/** A server that allows fewer connections than we want is asked again after this. */
const LIMITED_MS = 60_000;

/** A connection in use. It is given back exactly once. */
export interface Lease<C> {
  readonly connection: C;
  /** It was idle before: the server may have closed it in the meantime. */
  readonly reused: boolean;
  /** `reusable` is false when an exchange was left unfinished. */
  giveBack(reusable: boolean): void;
}

/**
 * The connections of a source, opened when they are needed. Each serves one exchange at a time; when all of them
 * are busy, callers wait in order. A server that refuses another connection while some are open has a limit of its own:
 * the pool stays below it.
 */
export class ConnectionPool<C extends PooledConnection> {
  readonly #options: PoolOptions<C>;
  readonly #connections = new Set<C>();
  readonly #idle: C[] = [];
  readonly #waiting: (() => void)[] = [];
  #opening = 0;
  #limit: { readonly size: number; readonly untilMs: number } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(options: PoolOptions<C>) {
    this.#options = options;
  }

  /**
   * Works with a connection. When an idle one turns out to be closed, the other idle ones are discarded
   * too, and the work is repeated on a new connection.
   * @param hold keeps the lease: the work gives it back itself
   */
  async use<T>(signal: AbortSignal, work: (connection: C, lease: Lease<C>) => Promise<T>, hold = false): Promise<T> {
    for (;;) {
      const lease = await this.#lease(signal);
      try {
        const result = await work(lease.connection, lease);
        if (!hold) lease.giveBack(true);
        return result;
      } catch (error) {
        const { alive } = lease.connection;
        lease.giveBack(alive);
        if (this.#closed && !signal.aborted) throw closed();
        const wasDead = lease.reused && !alive && error instanceof CrawlerError && error.retryable;
        if (!wasDead) throw error;
        this.#dropIdle();
      }
    }
  }

  /** Closes all connections, also those in use. */
  close(): void {
    this.#closing.abort();
    clearInterval(this.#idleTimer);
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
    this.#idle.length = 0;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #lease(signal: AbortSignal): Promise<Lease<C>> {
    for (let turns = 0; ; turns += 1) {
      if (signal.aborted) {
        // The turn of this waiter passes to the next one.
        this.#waiting.shift()?.();
        throw cancelled(signal);
      }
      if (this.#closed) throw closed();
      const idle = this.#takeIdle();
      if (idle !== undefined) return this.#leaseOf(idle, true);
      if (this.#connections.size + this.#opening >= this.#size()) {
        await this.#turn(signal, turns > 0);
        continue;
      }
      const opened = await this.#open(signal);
      if (opened !== undefined) return this.#leaseOf(opened, false);
    }
  }

  /** Undefined when the server accepts no further connection while others of this pool are in use. */
  async #open(signal: AbortSignal): Promise<C | undefined> {
    this.#opening += 1;
    const ends = new LinkedSignal(signal, this.#closing.signal);
    try {
      const connection = await this.#options.open(ends.signal);
      if (this.#closed) {
        connection.close();
        throw closed();
      }
      this.#connections.add(connection);
      return connection;
    } catch (error) {
      // Another waiter may try.
      this.#waiting.shift()?.();
      if (this.#closed && !signal.aborted) throw closed();
      const working = [...this.#connections].filter(({ alive }) => alive).length;
      const limited = error instanceof CrawlerError && error.code === 'unavailable' && working > 0;
      if (!limited) throw error;
      this.#limit = { size: working, untilMs: Date.now() + LIMITED_MS };
      return undefined;
    } finally {
      ends.release();
      this.#opening -= 1;
    }
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  #size(): number {
    const { size } = this.#options;
    if (this.#limit === undefined || this.#limit.untilMs < Date.now()) return size;
    return Math.min(size, this.#limit.size);
  }

  #takeIdle(): C | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.alive) return idle;
      this.#connections.delete(idle);
    }
    return undefined;
  }

  #dropIdle(): void {
    for (const connection of this.#idle.splice(0)) {
      this.#connections.delete(connection);
      connection.close();
    }
  }

  #leaseOf(connection: C, reused: boolean): Lease<C> {
    if (reused) connection.wake();
    let given = false;
    return {
      connection,
      reused,
      giveBack: (reusable) => {
        if (given) return;
        given = true;
        this.#giveBack(connection, reusable);
      },
    };
  }

  #giveBack(connection: C, reusable: boolean): void {
    if (reusable && connection.alive && !this.#closed) {
      connection.rest();
      this.#idle.push(connection);
      this.#watchIdle();
    } else {
      this.#connections.delete(connection);
      connection.close();
    }
    this.#waiting.shift()?.();
  }

  /** Closes what has been idle for a whole interval. */
  #watchIdle(): void {
    if (this.#idleTimer !== undefined) return;
    let known: ReadonlySet<C> = new Set(this.#idle);
    this.#idleTimer = setInterval(() => {
      for (const connection of this.#idle.filter((each) => known.has(each))) {
        this.#idle.splice(this.#idle.indexOf(connection), 1);
        this.#connections.delete(connection);
        connection.close();
      }
      known = new Set(this.#idle);
      if (this.#connections.size > 0) return;
      clearInterval(this.#idleTimer);
      this.#idleTimer = undefined;
    }, IDLE_MS);
    this.#idleTimer.unref();
  }

  /** @param again another caller took the connection: the place in the queue is kept */
  #turn(signal: AbortSignal, again: boolean): Promise<void> {
    return new Promise((resolve) => {
      const proceed = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(proceed);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve();
      };
      if (again) this.#waiting.unshift(proceed);
      else this.#waiting.push(proceed);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

function closed(): CrawlerError {
  return new CrawlerError('cancelled', 'The source has been closed.');
}
