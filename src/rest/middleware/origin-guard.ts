import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { hostName, isCrossSite } from '../cross-site.js';
import { RequestFault } from '../request-fault.js';
import { isPageNavigation } from '../web/page-request.js';

/**
 * A page of another site must not use the service through the browser of somebody who can reach it.
 *
 * Browsers say where a request comes from: `Sec-Fetch-Site`, and `Origin` on everything that changes something. What
 * comes from elsewhere is refused. DNS rebinding gets around that: the page's own host name starts to resolve to
 * 127.0.0.1, and the browser takes the service for the page's site. Then the Host header holds the strange name. So on
 * loopback a browser must use a known name. Scripts send none of these headers and are asked for nothing.
 */
export interface OriginRules {
  readonly loopback: boolean;
  /** The host of `rest.url`. */
  readonly ownHost: string;
  /** Further names that the service is known by, for instance that of a proxy before it. */
  readonly allowedHosts: readonly string[];
  /** Paths before every endpoint: links of other sites may lead to the pages below them. */
  readonly prefixes: readonly string[];
}

export function originGuard({ loopback, ownHost, allowedHosts, prefixes }: OriginRules): RequestHandler {
  const allowed = new Set(allowedHosts.map(hostName));
  const known = new Set([...allowed, hostName(ownHost)]);
  return (request, _response, next) => {
    const { headers } = request;
    if (isCrossSite(headers, allowed) && !isPageNavigation(request, prefixes)) {
      throw new RequestFault(
        403,
        'Requests from pages of other sites are refused. Set rest.enable_cors to allow them.',
      );
    }
    if (loopback && isBrowser(headers) && !isKnown(hostName(headers.host ?? ''), known)) {
      throw new RequestFault(403, 'This host name is not known to the service. Add it to rest.allowed_hosts.');
    }
    next();
  };
}

/** Any header that browsers send and scripts do not. Node's fetch sends `accept-language: *`, no browser does. */
function isBrowser(headers: IncomingHttpHeaders): boolean {
  const language = headers['accept-language'];
  return (
    headers.origin !== undefined ||
    headers.referer !== undefined ||
    headers['sec-fetch-site'] !== undefined ||
    headers['sec-fetch-dest'] !== undefined ||
    (language !== undefined && language !== '*') ||
    (headers['user-agent']?.startsWith('Mozilla/') ?? false)
  );
}

/** An address cannot be rebound, a name can. */
function isKnown(host: string, known: ReadonlySet<string>): boolean {
  return isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost') || known.has(host);
}
