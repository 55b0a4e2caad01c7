import type { Clock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { parseJson } from './json.js';
import type { EngineCall, Exchange, NodeExchange } from './node-exchange.js';
import { RetryState, type RetryCause, type RetryPolicy } from './retry-state.js';
import { accessRemedy } from './remedies.js';
import { reasonOfBody } from './server-errors.js';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface EngineClientDeps {
  readonly exchange: NodeExchange;
  /** For people: the URLs without credentials. */
  readonly address: string;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From then on nothing is tried a second time. */
  readonly stop?: AbortSignal | undefined;
}

export interface Pause {
  readonly call: EngineCall;
  readonly why: string;
  readonly cause: RetryCause;
  readonly retries: RetryState;
}

/** Calls with an answer of JSON, tried again while the engine is away or busy. */
export class EngineClient {
  readonly #deps: EngineClientDeps;

  constructor(deps: EngineClientDeps) {
    this.#deps = deps;
  }

  /**
   * The answer, whatever its status, unless the engine stayed away: then it throws `unavailable` or `timed_out`, and
   * `denied` for a TLS connection that is refused. A status of 429 or 5xx is returned only when the retries are used up.
   */
  async ask(
    call: EngineCall,
    signal: AbortSignal,
    retries = new RetryState(this.#deps.retry, this.#deps.clock),
  ): Promise<Reply> {
    for (;;) {
      const exchange = await this.#deps.exchange.send(call, signal);
      const cause = retryCauseOf(exchange);
      const again =
        cause !== undefined &&
        !isHopeless(exchange) &&
        (call.repeatable !== false || (exchange.kind === 'fault' && !exchange.reached)) &&
        (await this.pause({ call, why: describe(exchange), cause, retries }, signal));
      if (again) continue;
      if (exchange.kind === 'answer' && exchange.whole) {
        return { status: exchange.status, body: parseJson(exchange.text) };
      }
      throw this.#unreachable(exchange, retries);
    }
  }

  /**
   * Waits for the next attempt, and says so the first time; false when the retries are used up, or as soon as the program is
   * being stopped.
   */
  async pause({ call, why, cause, retries }: Pause, signal: AbortSignal): Promise<boolean> {
    const { address, clock, logger, stop } = this.#deps;
    const delayMs = retries.nextDelayMs(cause);
    if (delayMs === undefined || isAborted(stop)) return false;
    const level = retries.attempts(cause) === 1 ? 'warn' : 'debug';
    logger[level](`${capitalised(call.name)}: ${why}. Trying again in ${delayMs / 1000} s.`, {
      engine: address,
    });
    await clock.sleep(delayMs, stop === undefined ? signal : AbortSignal.any([signal, stop]));
    throwIfCancelled(signal);
    return !isAborted(stop);
  }

  /** The sentence for an engine that did not answer. */
  #unreachable(exchange: Exchange, retries: RetryState): CrawlerError {
    const code = exchange.kind === 'fault' ? exchange.error.code : 'unavailable';
    const cause = exchange.kind === 'fault' ? exchange.error : undefined;
    const seconds = Math.round(retries.triedMs('fault') / 1000);
    const tried = seconds > 0 ? ` for ${seconds} s` : '';
    const message = `The search engine at [${this.#deps.address}] cannot be reached${tried}: ${describe(exchange)}.`;
    return new CrawlerError(code, message, { subject: this.#deps.address, ...(cause === undefined ? {} : { cause }) });
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

export function retryCauseOf(exchange: Exchange): RetryCause | undefined {
  if (exchange.kind === 'fault' || !exchange.whole) return 'fault';
  if (exchange.status === 429) return 'throttle';
  return exchange.status >= 500 && exchange.status !== 501 ? 'fault' : undefined;
}

/** True for what no waiting heals: a refused TLS connection, wrong credentials, a missing privilege. */
export function isHopeless(exchange: Exchange): boolean {
  if (exchange.kind === 'fault') return !exchange.error.retryable;
  return exchange.whole && accessRemedy(exchange.status) !== undefined;
}

/** What happened, without a full stop. */
export function describe(exchange: Exchange): string {
  if (exchange.kind === 'fault') return exchange.error.message.replace(/\.$/, '');
  if (!exchange.whole) return 'the connection broke in the middle of the answer';
  const { reason } = reasonOfBody(parseJson(exchange.text));
  return reason === '' ? `HTTP status ${exchange.status}` : `HTTP status ${exchange.status}, ${reason}`;
}
