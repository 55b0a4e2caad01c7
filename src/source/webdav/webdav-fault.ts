import { CrawlerError, messageOf, systemCode, type ErrorCode } from '../../base/errors.js';
import { networkFault } from '../network-fault.js';
import { addressOf, type WebdavServer } from './webdav-server.js';

/** What a server may answer better a moment later. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 507]);

export function isPassing(status: number): boolean {
  return PASSING.has(status);
}

/** A failed connection or a broken answer, as a sentence about a path. */
export function connectionFault(server: WebdavServer, path: string, error: unknown): CrawlerError {
  const what = `[${path}] on ${addressOf(server)} cannot be read`;
  switch (systemCode(error)) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return silence(server, path);
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return networkFault(what, path, new Error('the connection broke off'));
    default:
      return networkFault(what, path, error);
  }
}

export function silence(server: WebdavServer, path: string): CrawlerError {
  const seconds = server.timeouts.silenceMs / 1000;
  return new CrawlerError(
    'unavailable',
    `[${path}] on ${addressOf(server)} cannot be read: the server has been silent for ${seconds} seconds.`,
    { subject: path },
  );
}

/** An answer of the server that is no success. */
export function statusFault(server: WebdavServer, path: string, status: number): CrawlerError {
  const place = `[${path}] on ${addressOf(server)}`;
  if (status === 404 || status === 410) {
    return new CrawlerError('not_found', `${place} does not exist (any more).`, { subject: path });
  }
  const sentence = `${place} cannot be read: the server answers [${status}].`;
  return new CrawlerError(codeOf(status), `${sentence}${remedyOf(server, status)}`, { subject: path });
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'rate_limited';
  return isPassing(status) ? 'unavailable' : 'denied';
}

function remedyOf({ login }: WebdavServer, status: number): string {
  switch (status) {
    case 401:
      return login === undefined
        ? ' It wants a login: set fs.webdav.username and fs.webdav.password.'
        : ` It refuses the login of [${login.username}]: check fs.webdav.username and fs.webdav.password.`;
    case 405:
    case 501:
      return ' There is no WebDAV share at this address: check fs.webdav.endpoint.';
    default:
      return '';
  }
}

/** An answer that cannot be a whole listing. What is in the index stays as it is. */
export function listingFault(server: WebdavServer, path: string, error: unknown): CrawlerError {
  return new CrawlerError(
    'denied',
    `[${path}] on ${addressOf(server)} cannot be listed: ${messageOf(error).replace(/[.\s]+$/, '')}.`,
    { cause: error, subject: path },
  );
}
