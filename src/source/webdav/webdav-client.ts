import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { CrawlerError } from '../../base/errors.js';
import { cancelled } from '../deadline.js';
import { guardedConnector } from '../guarded-connector.js';
import { Authorization } from './authorization.js';
import { requestPaths } from './webdav-path.js';
import { connectionFault, isPassing, statusFault } from './webdav-fault.js';
import { addressOf, type WebdavServer } from './webdav-server.js';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** A server that wants a longer rest is left to the crawl's own pauses. */
const LONGEST_PAUSE_MS = 30_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** What is asked about a path of the tree. */
export interface WebdavQuestion {
  readonly method: 'PROPFIND' | 'GET';
  readonly path: string;
  /** Folders are asked for with a slash at the end: many servers redirect otherwise. */
  readonly isFolder: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whoever gets it reads the body, or destroys it. */
export interface WebdavAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
  /** Where the redirects ended. */
  readonly requestPath: string;
}

/** The requests to one server: login, redirects, another attempt where that may help. */
export class WebdavClient {
  readonly #server: WebdavServer;
  readonly #pool: Pool;
  readonly #authorization: Authorization;
  readonly #closing = new AbortController();

  constructor(server: WebdavServer, connections: number) {
    const { guard, timeouts, login, endpoint } = server;
    this.#server = server;
    this.#authorization = new Authorization(login);
    this.#pool = new Pool(endpoint.origin, {
      connections,
      connect: guardedConnector({ guard, connectMs: timeouts.connectMs }),
      headersTimeout: timeouts.silenceMs,
      bodyTimeout: timeouts.silenceMs,
    });
  }

  /** A success (2xx). Throws `not_found`, `denied`, `unavailable`, `rate_limited` or `cancelled`. */
  async ask(question: WebdavQuestion, signal: AbortSignal): Promise<WebdavAnswer> {
    let missing: unknown;
    for (const path of requestPaths(
      this.#server.endpoint.pathname.replace(/\/$/, ''),
      question.path,
      question.isFolder,
    )) {
      try {
        return await this.#askWithRetries(question, path, signal);
      } catch (error) {
        if (!(error instanceof CrawlerError && error.code === 'not_found')) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  /** What is under way ends as cancelled. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.destroy();
  }

  /** A broken answer, as a sentence. */
  fault(path: string, error: unknown, signal: AbortSignal): CrawlerError {
    if (signal.aborted || this.#closing.signal.aborted) return cancelled(signal);
    return connectionFault(this.#server, path, error);
  }

  async #askWithRetries(question: WebdavQuestion, path: string, signal: AbortSignal): Promise<WebdavAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(question, path, signal);
      if (!('fault' in outcome)) return outcome;
      if (attempt === ATTEMPTS || outcome.pauseMs === undefined) throw outcome.fault;
      const pauseMs = Math.max(outcome.pauseMs, FIRST_PAUSE_MS * 4 ** (attempt - 1));
      if (pauseMs > LONGEST_PAUSE_MS) throw outcome.fault;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || this.#closing.signal.aborted) throw cancelled(signal);
    }
  }

  async #attempt(question: WebdavQuestion, path: string, signal: AbortSignal): Promise<WebdavAnswer | Failed> {
    let answer: WebdavAnswer;
    try {
      answer = await this.#follow(question, path, signal);
    } catch (error) {
      const fault = this.fault(question.path, error, signal);
      // A server that is silent has been waited for long enough.
      const again = fault.code === 'unavailable' && !(error instanceof CrawlerError) && !isTimeout(error);
      return { fault, pauseMs: again ? 0 : undefined };
    }
    const { status, headers, body } = answer;
    if (status >= 200 && status < 300) return answer;
    await body.dump().catch(() => undefined);
    const fault = statusFault(this.#server, question.path, status);
    return { fault, pauseMs: isPassing(status) ? retryAfterMs(headers['retry-after']) : undefined };
  }

  /** Redirects lead to another path of the same server; the login goes to no other one. */
  async #follow(question: WebdavQuestion, start: string, signal: AbortSignal): Promise<WebdavAnswer> {
    let path = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await this.#authorized(question, path, signal);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || typeof location !== 'string') return answer;
      await answer.body.dump().catch(() => undefined);
      path = this.#redirected(question.path, path, location);
    }
    throw this.#refused(question.path, `it redirects more than ${MAX_REDIRECTS} times`);
  }

  #redirected(path: string, from: string, location: string): string {
    const { origin } = this.#server.endpoint;
    const next = URL.canParse(location, origin + from) ? new URL(location, origin + from) : undefined;
    if (next?.origin === origin) return next.pathname + next.search;
    const where = next === undefined ? 'nowhere' : `to another server [${next.origin}], which gets no login`;
    throw this.#refused(path, `it redirects ${where}. Check fs.webdav.endpoint`);
  }

  #refused(path: string, why: string): CrawlerError {
    return new CrawlerError('denied', `[${path}] on ${addressOf(this.#server)} cannot be read: ${why}.`, {
      subject: path,
    });
  }

  async #authorized(question: WebdavQuestion, path: string, signal: AbortSignal): Promise<WebdavAnswer> {
    const sent = this.#authorization.header(question.method, path);
    const answer = await this.#send(question, path, sent, signal);
    if (answer.status !== 401 || !this.#authorization.accept(answer.headers['www-authenticate'], sent)) return answer;
    await answer.body.dump().catch(() => undefined);
    return await this.#send(question, path, this.#authorization.header(question.method, path), signal);
  }

  async #send(
    { method, headers, body: text }: WebdavQuestion,
    path: string,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<WebdavAnswer> {
    if (signal.aborted || this.#closing.signal.aborted) throw cancelled(signal);
    const request: Dispatcher.RequestOptions = {
      method,
      path,
      signal,
      headers: {
        'accept-encoding': 'identity',
        'user-agent': 'document-crawler',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(text === undefined ? {} : { body: text }),
    };
    const response = await this.#pool.request(request);
    // Met by whoever reads, who may come later than the error.
    response.body.on('error', () => undefined);
    return { status: response.statusCode, headers: response.headers, body: response.body, requestPath: path };
  }
}

interface Failed {
  readonly fault: CrawlerError;
  /** The least to wait before another attempt; undefined when none would help. */
  readonly pauseMs: number | undefined;
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(String(error.code))
  );
}

/** Seconds, or a date. */
function retryAfterMs(header: string | string[] | undefined): number {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? 0 : Math.max(0, epochMs - Date.now());
}
