import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { isCrossSite } from '../cross-site.js';

/** Requests of our own pages carry it: no form, link or picture of another page can. */
export const PAGE_HEADER = 'x-crawler-page';

export function isOfPage({ headers }: Request): boolean {
  return headers[PAGE_HEADER] === '1';
}

/** Cookies know hosts and no ports: two services on one machine keep two sessions by their names. */
export function cookieName(port: number): string {
  return `crawler_${port}`;
}

export function tokenOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Whether a cookie may count: a browser sends it with whatever another page makes it ask. Reading counts where the browser
 * says that this page or nobody has asked (over plain HTTP it says nothing, and `SameSite` alone keeps other sites out);
 * everything else must come from our own page.
 */
export function mayUseCookie(request: Request, allowedHosts: ReadonlySet<string>): boolean {
  const { method, headers } = request;
  if (isCrossSite(headers, allowedHosts)) return false;
  return method === 'GET' || method === 'HEAD' || (isOfPage(request) && headers.origin !== undefined);
}

/** @param path of the service as the browser sees it, with a slash at the end */
export function sessionCookie(name: string, token: string, { path, isSecure }: CookieScope): string {
  return `${name}=${token}; Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** The same cookie, ended. */
export function endedCookie(name: string, scope: CookieScope): string {
  return `${sessionCookie(name, '', scope)}; Max-Age=0`;
}

export interface CookieScope {
  readonly path: string;
  readonly isSecure: boolean;
}

/** Of a request to `…/_session`. */
export function cookieScope({ originalUrl, headers }: Request): CookieScope {
  const [path = '/'] = originalUrl.split('?', 1);
  return { path: path.slice(0, path.lastIndexOf('/') + 1), isSecure: headers.origin?.startsWith('https:') ?? false };
}
