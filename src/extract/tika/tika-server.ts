import { setTimeout as delay } from 'node:timers/promises';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { backoffMs } from '../../base/retry.js';
import { TikaAddress } from './tika-address.js';
import { exchange, type TikaExchange, type HttpRequest } from './tika-exchange.js';

/**
 * A Tika server as seen from here: whether it is there, and how long to wait until it is there again. A server that has
 * a watchdog (the default) ends itself and starts anew when a document takes too long or all memory: for some seconds
 * connections are refused, or answered with 503.
 */
export interface TikaServerOptions {
  readonly url: string;
  /** How often a server that is away is asked again before it is given up. */
  readonly retries: number;
  readonly logger: Logger;
  /** Before the first repetition; doubled each time. */
  readonly firstPauseMs?: number;
}

/** What a server says of itself; `away` may pass by itself, `other` is something else behind the address. */
export type TikaHealth =
  { readonly kind: 'ready'; readonly version: string } | { readonly kind: 'away' | 'other'; readonly message: string };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const HEALTH_MS = 5_000;
const MOST_HEALTH_BYTES = 64 * 1024;
/** After the server has been given up, for so long all other calls fail at once. */
const GIVEN_UP_MS = 10_000;

export class TikaServer {
  readonly address: TikaAddress;
  readonly #retries: number;
  readonly #logger: Logger;
  readonly #firstPauseMs: number;
  #givenUpAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<TikaHealth> | undefined;

  constructor({ url, retries, logger, firstPauseMs = FIRST_PAUSE_MS }: TikaServerOptions) {
    this.address = new TikaAddress(url);
    this.#retries = retries;
    this.#logger = logger;
    this.#firstPauseMs = firstPauseMs;
  }

  send(request: HttpRequest, signal: AbortSignal): Promise<TikaExchange> {
    return exchange(this.address, request, signal);
  }

  /** Asks for the version. Never rejects but with `cancelled`. */
  async health(signal: AbortSignal): Promise<TikaHealth> {
    const request = { method: 'GET', path: 'version', headers: { accept: 'text/plain' } } as const;
    const limits = { timeoutMs: HEALTH_MS, mostAnswerBytes: MOST_HEALTH_BYTES };
    return healthOf(await this.send({ ...request, ...limits }, signal));
  }

  /** Throws `unavailable` at once when the server was given up a moment ago and is still away. */
  async expectReady(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#givenUpAt > GIVEN_UP_MS) return;
    this.#checking ??= this.health(new AbortController().signal).finally(() => {
      this.#checking = undefined;
    });
    const health = await this.#checking;
    throwIfCancelled(signal);
    if (health.kind !== 'ready') throw this.unavailable(health.message);
    this.#givenUpAt = Number.NEGATIVE_INFINITY;
  }

  /** Waits before attempt `attempt` (from 1 on). Throws `unavailable` when that is one too many. */
  async pause(attempt: number, message: string, signal: AbortSignal): Promise<void> {
    if (attempt > this.#retries) {
      this.#givenUpAt = performance.now();
      throw this.unavailable(message);
    }
    const pauseMs = backoffMs(attempt, this.#firstPauseMs, LONGEST_PAUSE_MS);
    this.#logger.debug(`The Tika server at [${this.address.shown}] does not answer: trying again.`, {
      message,
      attempt,
      pauseMs,
    });
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    throwIfCancelled(signal);
  }

  /** Resolves when the server answers (again). Throws `unavailable` when it does not come back. */
  async untilReady(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const health = await this.health(signal);
      if (health.kind === 'ready') return;
      await this.pause(attempt, health.message, signal);
    }
  }

  unavailable(message: string): CrawlerError {
    const { shown } = this.address;
    return new CrawlerError('unavailable', `The Tika server at [${shown}] cannot be used: ${message}.`, {
      subject: shown,
    });
  }
}

function healthOf(end: TikaExchange): TikaHealth {
  switch (end.kind) {
    case 'answer': {
      const text = end.body.toString();
      const version = /^\s*Apache Tika (\S+)/.exec(text)?.[1];
      if (end.status === 200 && version !== undefined) return { kind: 'ready', version };
      const kind = end.status >= 500 || end.status === 429 ? 'away' : 'other';
      return { kind, message: `it answers GET /version with status ${end.status}, and not with a version of Tika` };
    }
    case 'unreached':
      return { kind: 'away', message: `it cannot be reached (${end.message})` };
    case 'lost':
      return { kind: 'away', message: `it hangs up (${end.message})` };
    case 'late':
      return { kind: 'away', message: `it does not answer within ${HEALTH_MS / 1000} s` };
    case 'too_large':
      return { kind: 'other', message: 'its answer to GET /version is too large' };
  }
}
