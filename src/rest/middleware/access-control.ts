import type { Request, RequestHandler } from 'express';
import type { Access } from '../access/access.js';
import { isOfPage } from '../access/session-cookie.js';
import { RequestFault } from '../request-fault.js';
import { isPage } from '../web/page-request.js';

/** What a reader may ask for. `_engine` has only what reads, with any method, and `mcp` offers readers nothing else. */
const READABLE = /^\/(?:_find|_search|_document|_engine|_crawler|_health|_metrics|_openapi\.json)(?:\/|$)/;
const READ_ONLY = /^\/(?:_engine|mcp)(?:\/|$)/;

export interface ServicePaths {
  /** Paths before every endpoint. */
  readonly prefixes: readonly string[];
  /** Those of them below which there are pages. */
  readonly pagePrefixes: readonly string[];
}

/**
 * `rest.api_keys` and `rest.read_keys`: every request carries one of them, or the cookie of a session. OPTIONS needs none,
 * since browsers send preflights without credentials; the files of the pages and the sign-in need none either.
 *
 */
export function accessControl(access: Access, paths: ServicePaths): RequestHandler {
  return (request, _response, next) => {
    if (request.method === 'OPTIONS' || isOpen(request, paths)) {
      next();
      return;
    }
    const role = access.roleOf(request);
    if (role === undefined) throw keyNeeded(request);
    if (role === 'read' && !mayRead(request, paths)) {
      throw new RequestFault(403, 'A read key does not allow this. Use one of rest.api_keys.');
    }
    next();
  };
}

/** Where Basic is named, browsers ask for a password with a window of their own: their pages get Bearer alone. */
function keyNeeded(request: Request): RequestFault {
  const basic = isOfPage(request) ? '' : ', Basic realm="crawler", charset="UTF-8"';
  return new RequestFault(
    401,
    'An API key is needed: send it as a bearer token or as the password of basic authentication.',
    { 'WWW-Authenticate': `Bearer realm="crawler"${basic}` },
  );
}

function isOpen(request: Request, { prefixes, pagePrefixes }: ServicePaths): boolean {
  return isPage(request, pagePrefixes) || prefixes.some((prefix) => request.path === `${prefix}/_session`);
}

function mayRead({ method, path }: Request, { prefixes }: ServicePaths): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return prefixes
    .filter((prefix) => path.startsWith(`${prefix}/`))
    .map((prefix) => path.slice(prefix.length))
    .some((below) => (isReading && READABLE.test(below)) || READ_ONLY.test(below));
}
