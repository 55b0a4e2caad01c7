import { request as plainRequest } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';
import { checkLiteral, guardedLookup, type AddressGuard, type Resolve } from '../address-guard.js';

/**
 * One GET, with redirects followed by hand, so that the scheme and the resolved address of every hop are judged. The
 * check sits in the `lookup` of the connection itself: what was checked is what is connected to. Connections are not
 * pooled, since a pooled one would skip the check.
 */
export interface HttpLimits {
  /** Until the headers of the answer are there, for each hop. */
  readonly headersMs: number;
  /** Without a byte. */
  readonly idleMs: number;
  readonly redirects: number;
}

export interface HttpDoor {
  readonly guard: AddressGuard;
  readonly limits: HttpLimits;
  readonly resolve: Resolve;
}

export interface HttpAnswer {
  readonly response: IncomingMessage;
  /** Where the redirects ended. */
  readonly url: URL;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Throws `denied`, `not_found`, `unavailable`, `timed_out` or `cancelled`. Whoever gets the answer reads or destroys it. */
export async function getFollowing(start: URL, door: HttpDoor, signal: AbortSignal): Promise<HttpAnswer> {
  let url = start;
  let credentials = credentialsOf(start);
  for (let hop = 0; hop <= door.limits.redirects; hop++) {
    const response = await get(url, credentials, door, signal);
    const location = response.headers.location;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined)
      return { response: checked(response, url), url };
    response.destroy();
    const next = nextUrl(location, url);
    if (next.origin !== url.origin) credentials = undefined;
    url = next;
  }
  throw new CrawlerError(
    'unavailable',
    `Can not open stream for ${shown(start)}: it redirects more than ${door.limits.redirects} times`,
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

function get(url: URL, credentials: string | undefined, door: HttpDoor, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  checkLiteral(door.guard, host);
  const options: RequestOptions = {
    agent: false,
    timeout: door.limits.idleMs,
    lookup: guardedLookup(door.guard, door.resolve),
    signal,
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'document-crawler',
      ...(credentials === undefined ? {} : { authorization: credentials }),
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    let answer: IncomingMessage | undefined;
    const request = send(url, options, (response) => {
      clearTimeout(deadline);
      answer = response;
      resolve(response);
    });
    const giveUp = (): void => {
      const late = new CrawlerError(
        'timed_out',
        `Can not open stream for ${shown(url)}: the server does not answer in time`,
      );
      if (answer === undefined) request.destroy(late);
      else answer.destroy(late);
    };
    const deadline = setTimeout(giveUp, door.limits.headersMs);
    request.on('timeout', giveUp);
    request.on('error', (error) => {
      clearTimeout(deadline);
      reject(requestError(url, error, signal));
    });
    request.end();
  });
}

function checked(response: IncomingMessage, url: URL): IncomingMessage {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  response.destroy();
  const sentence = `Can not open stream for ${shown(url)}: the server answers ${status}`;
  if (status === 404 || status === 410) throw new CrawlerError('not_found', sentence);
  if (status === 401 || status === 403) throw new CrawlerError('denied', sentence);
  throw new CrawlerError('unavailable', sentence);
}

function requestError(url: URL, error: Error, signal: AbortSignal): CrawlerError {
  if (error instanceof CrawlerError) return error;
  if (signal.aborted) return abortError(url, signal);
  const unknown = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'].includes(systemCode(error) ?? '');
  const why = unknown ? 'the host name is unknown' : (systemCode(error) ?? messageOf(error));
  return new CrawlerError('unavailable', `Can not open stream for ${shown(url)}: ${why}`, { cause: error });
}

/** Why a signal was aborted when the total time of a fetch is over. */
export const TOO_LATE = Symbol('too late');

/** The signal ends a fetch for two reasons: its total time is over, or whoever asked is gone. */
export function abortError(url: URL, signal: AbortSignal): CrawlerError {
  const reason: unknown = signal.reason;
  return reason === TOO_LATE
    ? new CrawlerError('timed_out', `The fetch of ${shown(url)} takes too long`)
    : new CrawlerError('cancelled', `The fetch of ${shown(url)} was cancelled`, { cause: reason });
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
