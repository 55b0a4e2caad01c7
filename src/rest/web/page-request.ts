import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';

/** `GET /` of a browser leads to the page; everybody else gets the status that scripts read. */
export function redirectBrowsers(): RequestHandler {
  return (request, response, next) => {
    if (request.path !== '/' || !wantsPage(request)) {
      next();
      return;
    }
    response.setHeader('Vary', 'Accept');
    // Relative to what was asked for: a proxy may have taken a part of the path away.
    const [path = '/'] = request.originalUrl.split('?', 1);
    response.redirect(303, path.endsWith('/') ? './ui/' : `${path.slice(path.lastIndexOf('/') + 1)}/ui/`);
  };
}

/**
 * Somebody follows a link to a page of ours, maybe from another site: from a wiki or a mail. That is harmless, since the pages
 * hold no data and what they do is asked for by themselves.
 *
 * @param prefixes paths before every endpoint
 */
export function isPageNavigation(request: Request, prefixes: readonly string[]): boolean {
  return isNavigation(request.headers) && isPage(request, prefixes);
}

/** A file of the pages, or the redirect to them: none of them holds data. */
export function isPage(request: Request, prefixes: readonly string[]): boolean {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return prefixes.some((prefix) => {
    if (path === `${prefix}/ui` || path.startsWith(`${prefix}/ui/`)) return true;
    return (path === prefix || path === `${prefix}/`) && wantsPage(request);
  });
}

function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Only browsers name HTML before everything else. */
function wantsPage(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && request.accepts(['json', 'html']) === 'html';
}
