import express, { type RequestHandler, type Response } from 'express';
import { RequestFault } from '../request-fault.js';

/** Nothing but the files of the page runs or is loaded, and no other site may show it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  // With [no-referrer] browsers may send `Origin: null`, which is refused.
  'Referrer-Policy': 'same-origin',
};

/**
 * The files of the pages for search and operators, mounted at `/ui`. They hold no data: the page asks the service for it.
 * @param ui `search` leaves out the page of operators
 */
export function webPages(folder: string, ui: 'on' | 'search'): RequestHandler {
  const files = express.static(folder, {
    index: 'index.html',
    extensions: ['html'],
    redirect: false,
    dotfiles: 'ignore',
    etag: true,
    setHeaders: (response: Response, path: string) => {
      // Names of all other files hold a hash of their content.
      const isPage = path.endsWith('.html');
      response.setHeader('Cache-Control', isPage ? 'no-cache' : 'public, max-age=31536000, immutable');
    },
  });
  return (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RequestFault(405, `${request.method} is not allowed here, only GET, HEAD.`, { Allow: 'GET, HEAD' });
    }
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    // What the page asks for is beside its folder: with a slash at the end, or nothing is where it should be.
    if (path.endsWith('/ui')) {
      response.redirect(303, `ui/${request.originalUrl.slice(path.length)}`);
      return;
    }
    if (ui === 'search' && /^\/operator(?:\.html)?$/.test(request.path)) {
      throw new RequestFault(404, 'This service has no page for operators (rest.ui).');
    }
    files(request, response, next);
  };
}
