import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Client, errors, type Dispatcher } from 'undici';
import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';
import type { AddressGuard, Resolve } from '../address-guard.js';
import { LinkedSignal } from '../deadline.js';
import { guardedConnector } from '../guarded-connector.js';

/**
 * One GET, with redirects followed by hand, so that the scheme and the resolved address of every hop are judged. Each hop
 * has a connection of its own, since one that is used again would have been judged for an earlier request.
 */
export interface HttpLimits {
  /** Until the headers of the answer are there, for each hop. */
  readonly headersMs: number;
  /** Without a byte. */
  readonly idleMs: number;
  readonly redirects: number;
}

export interface HttpRequestOptions {
  readonly guard: AddressGuard;
  readonly limits: HttpLimits;
  readonly resolve: Resolve;
}

/** Whoever gets it reads the body and closes it. */
export interface HttpAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** Where the redirects ended. */
  readonly url: URL;
  close(): void;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Throws `denied`, `not_found`, `unavailable`, `timed_out` or `cancelled`. */
export async function getFollowing(start: URL, options: HttpRequestOptions, signal: AbortSignal): Promise<HttpAnswer> {
  let url = start;
  let credentials = credentialsOf(start);
  for (let hop = 0; hop <= options.limits.redirects; hop++) {
    const answer = await get(url, credentials, options, signal);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode) || location === undefined) return checked(answer);
    answer.close();
    const next = nextUrl(location, url);
    if (next.origin !== url.origin) credentials = undefined;
    url = next;
  }
  throw new CrawlerError(
    'unavailable',
    `Can not open stream for ${shown(start)}: it redirects more than ${options.limits.redirects} times`,
  );
}

/** A URL for people: without user name and password. */
export function shown(url: URL | string): string {
  return String(url).replace(/\/\/[^/?#]*@/, '//');
}

function nextUrl(location: string, from: URL): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (next === undefined || !isHttp(next)) {
    throw new CrawlerError(
      'denied',
      `Can not open stream for ${shown(from)}: it redirects to an address that is not http or https`,
    );
  }
  return next;
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

type AnyAnswer = HttpAnswer & { readonly statusCode: number };

async function get(
  url: URL,
  credentials: string | undefined,
  { guard, limits, resolve }: HttpRequestOptions,
  signal: AbortSignal,
): Promise<AnyAnswer> {
  const client = new Client(url.origin, {
    connect: guardedConnector({ guard, connectMs: limits.headersMs, resolve }),
    // Counted here, together with the connection.
    headersTimeout: 0,
    bodyTimeout: limits.idleMs,
  });
  const ends = new LinkedSignal(signal);
  const timer = setTimeout(() => ends.abort(tooLate(url)), limits.headersMs);
  const close = (): void => {
    ends.release();
    void client.destroy();
  };
  try {
    const { statusCode, headers, body } = await client.request(requestOf(url, credentials, ends.signal));
    // What goes wrong with the body is met by whoever reads it, who may come later than the error.
    body.on('error', () => undefined);
    return { statusCode, headers, body, url, close };
  } catch (error) {
    close();
    throw requestError(url, error, signal);
  } finally {
    clearTimeout(timer);
  }
}

function requestOf(url: URL, credentials: string | undefined, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    method: 'GET',
    path: url.pathname + url.search,
    signal,
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'document-crawler',
      ...(credentials === undefined ? {} : { authorization: credentials }),
    },
  };
}

function checked(answer: AnyAnswer): HttpAnswer {
  const { statusCode, url } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  answer.close();
  const sentence = `Can not open stream for ${shown(url)}: the server answers ${statusCode}`;
  if (statusCode === 404 || statusCode === 410) throw new CrawlerError('not_found', sentence);
  if (statusCode === 401 || statusCode === 403) throw new CrawlerError('denied', sentence);
  throw new CrawlerError('unavailable', sentence);
}

function requestError(url: URL, error: unknown, signal: AbortSignal): CrawlerError {
  if (signal.aborted) return abortError(url, signal);
  if (error instanceof CrawlerError) return error;
  if (error instanceof errors.ConnectTimeoutError) return tooLate(url);
  const unknown = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'].includes(systemCode(error) ?? '');
  const why = unknown ? 'the host name is unknown' : (systemCode(error) ?? messageOf(error));
  return new CrawlerError('unavailable', `Can not open stream for ${shown(url)}: ${why}`, { cause: error });
}

/** What went wrong in the middle of a body. */
export function bodyError(url: URL, error: unknown, signal: AbortSignal): CrawlerError {
  if (signal.aborted) return abortError(url, signal);
  if (error instanceof CrawlerError) return error;
  if (error instanceof errors.BodyTimeoutError) return tooLate(url);
  return new CrawlerError('unavailable', `The fetch of ${shown(url)} broke off: ${messageOf(error)}`, { cause: error });
}

function tooLate(url: URL): CrawlerError {
  return new CrawlerError('timed_out', `Can not open stream for ${shown(url)}: the server does not answer in time`);
}

/** The signal ends a fetch for two reasons: its total time is over (the reason says so), or whoever asked is gone. */
function abortError(url: URL, signal: AbortSignal): CrawlerError {
  const reason: unknown = signal.reason;
  if (reason instanceof CrawlerError) return reason;
  return new CrawlerError('cancelled', `The fetch of ${shown(url)} was cancelled`, { cause: reason });
}

function credentialsOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

/** The text itself when its percent signs are no encoding. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
