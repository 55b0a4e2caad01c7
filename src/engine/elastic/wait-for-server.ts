import type { Clock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { describe, retryCauseOf, isHopeless } from './engine-client.js';
import { parseJson } from './json.js';
import { rootCall } from './root-call.js';
import type { Exchange, NodeExchange } from './node-exchange.js';
import { RetryState, type BackoffPolicy } from './retry-state.js';
import { serverError } from './server-errors.js';
import { serverInfo, type ServerInfo } from './server.js';

export interface WaitForServerDeps {
  readonly exchange: NodeExchange;
  readonly address: string;
  /** -1 waits for ever. */
  readonly startTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A proxy in front of a cluster that has been asleep answers 404 until it has woken up. */
const COLD_PROXY: BackoffPolicy = { firstMs: 1_000, maxMs: 10_000, totalMs: 60_000 };
const REMINDER_MS = 30_000;

/**
 * Asks `GET /` until the engine answers. What does not heal by waiting – wrong credentials, an unknown certificate,
 * something else behind the URL – is thrown at once.
 */
export async function waitForServer(deps: WaitForServerDeps, signal: AbortSignal): Promise<ServerInfo> {
  const wait = new StartWait(deps);
  for (;;) {
    const exchange = await deps.exchange.send(rootCall, signal);
    if (exchange.kind === 'answer' && exchange.whole && exchange.status < 300) {
      return serverInfo(parseJson(exchange.text), deps.address);
    }
    await wait.after(exchange, signal);
    throwIfCancelled(signal);
  }
}

class StartWait {
  readonly #deps: WaitForServerDeps;
  readonly #retries: RetryState;
  readonly #coldRetries: RetryState;
  #remindAt = 0;

  constructor(deps: WaitForServerDeps) {
    this.#deps = deps;
    const totalMs = deps.startTimeoutMs < 0 ? Infinity : deps.startTimeoutMs;
    const start: BackoffPolicy = { firstMs: 500, maxMs: 5_000, totalMs };
    this.#retries = new RetryState({ fault: start, throttle: start }, deps.clock);
    this.#coldRetries = new RetryState({ fault: COLD_PROXY, throttle: COLD_PROXY }, deps.clock);
  }

  async after(exchange: Exchange, signal: AbortSignal): Promise<void> {
    const isCold = exchange.kind === 'answer' && exchange.whole && exchange.status === 404;
    const isPassing = isCold || (retryCauseOf(exchange) !== undefined && !isHopeless(exchange));
    if (!isPassing) throw this.#refused(exchange);
    this.#remind(exchange, isCold);
    const retries = isCold ? this.#coldRetries : this.#retries;
    if (!(await retries.pause('fault', signal))) throw this.#gaveUp(exchange, isCold);
  }

  #remind(exchange: Exchange, isCold: boolean): void {
    const now = this.#deps.clock.now();
    if (now < this.#remindAt) return;
    this.#remindAt = now + REMINDER_MS;
    const { address, startTimeoutMs, logger } = this.#deps;
    const limit = startTimeoutMs < 0 ? 'without a limit' : `for at most ${startTimeoutMs / 1000} s`;
    const until = isCold ? 'a proxy may still be waking up; trying for a minute' : `${limit} (engine.start_timeout)`;
    logger.warn(
      `Waiting for the search engine at [${address}]: ${describe(exchange)}${this.#hint(exchange)}; ${until}.`,
    );
  }

  /** A server with TLS hangs up on a plain request without a word. */
  #hint(exchange: Exchange): string {
    const isHungUp = exchange.kind === 'fault' && exchange.reached && this.#deps.address.startsWith('http://');
    return isHungUp ? ' – if it speaks TLS, write https:// in engine.urls' : '';
  }

  #refused(exchange: Exchange): CrawlerError {
    const { address } = this.#deps;
    if (exchange.kind === 'answer') {
      const what = `The search engine at [${address}] refuses the connection`;
      return serverError(exchange.status, parseJson(exchange.text), what, address);
    }
    const { code, cause } = exchange.error;
    const message = `The search engine at [${address}] cannot be used: ${describe(exchange)}.`;
    return new CrawlerError(code, message, { subject: address, cause });
  }

  #gaveUp(exchange: Exchange, isCold: boolean): CrawlerError {
    const { address, startTimeoutMs } = this.#deps;
    const what = `The search engine at [${address}]`;
    if (isCold) {
      const message = `${what} answers its root with 404: check engine.urls and engine.path_prefix.`;
      return new CrawlerError('not_found', message, { subject: address });
    }
    const message =
      `${what} was not ready within ${startTimeoutMs / 1000} s (${describe(exchange)}${this.#hint(exchange)}): start it, ` +
      'correct engine.urls, or raise engine.start_timeout.';
    return new CrawlerError('unavailable', message, { subject: address });
  }
}
