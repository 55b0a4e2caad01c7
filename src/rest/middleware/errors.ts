import type { ErrorRequestHandler } from 'express';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { ErrorCode } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { sendMessage } from '../answer.js';
import { RequestFault } from '../request-fault.js';

/** What is answered for something that was thrown. `unexpected` faults are ours: their cause goes to the log only. */
export interface Fault {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
}

const STATUS_OF_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: 400,
  not_found: 404,
  denied: 403,
  too_large: 413,
  unsupported: 400,
  corrupt: 400,
  invalid_metadata: 400,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  timed_out: 504,
  cancelled: 503,
  disk_full: 507,
};

/** Requests that fail through no fault of theirs. */
const UNEXPECTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'disk_full']);

/** Seconds; a search engine that is away may be back by then. */
export const RETRY_SOON = { 'Retry-After': '5' } as const;

/** Faults of the body parsers of Express, by their `type`. Their own sentences quote the body. */
const BODY_FAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  'entity.too.large': [413, 'The body of the request is too large.'],
  'encoding.unsupported': [415, 'The content encoding of the request is not supported.'],
  'charset.unsupported': [415, 'The charset of the request is not supported; send UTF-8.'],
};

export function faultOf(error: unknown): Fault {
  if (error instanceof RequestFault) {
    return { status: error.status, message: error.message, headers: error.headers, unexpected: false };
  }
  if (error instanceof CrawlerError) {
    const status = STATUS_OF_CODE[error.code];
    const headers: Fault['headers'] = error.code === 'unavailable' ? RETRY_SOON : {};
    if (status !== undefined)
      return { status, message: error.message, headers, unexpected: UNEXPECTED.has(error.code) };
  }
  return (
    bodyFault(error) ?? {
      status: 500,
      message: 'The service failed on this request. Its log says why.',
      headers: {},
      unexpected: true,
    }
  );
}

function bodyFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  const type = 'type' in error && typeof error.type === 'string' ? error.type : '';
  const known = BODY_FAULTS[type];
  if (known !== undefined) return { status: known[0], message: known[1], headers: {}, unexpected: false };
  const status = 'status' in error ? error.status : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  const message =
    error instanceof URIError
      ? 'The path of the request is not properly percent-encoded.'
      : 'The request is malformed.';
  return { status, message, headers: {}, unexpected: false };
}

/** The last station of every request that failed. */
export function errors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const fault = faultOf(error);
    if (fault.unexpected)
      logger.error('A request failed', { method: request.method, path: request.path, reason: messageOf(error), error });
    if (response.headersSent) {
      next(error);
      return;
    }
    for (const [name, value] of Object.entries(fault.headers)) response.setHeader(name, value);
    sendMessage(response, fault.status, false, fault.message);
  };
}
