import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { sendRaw } from '../answer.js';
import { faultOf } from '../middleware/errors.js';

/**
 * Answers as Elasticsearch gives them: the product header that its clients insist on, their versioned content type when
 * they ask for it, and errors as `{"error": {"type", "reason", "root_cause"}, "status"}`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.status = status;
    this.type = type;
  }
}

export function unsupported(what: string): ApiError {
  return new ApiError(400, 'illegal_argument_exception', `${what} is not supported by the embedded index`);
}

export function noSuchIndex(index: string): ApiError {
  return new ApiError(404, 'index_not_found_exception', `no such index [${index}]`);
}

export function sendApi(request: Request, response: Response, status: number, body: unknown): void {
  const pretty = request.query['pretty'];
  const text = JSON.stringify(body, null, pretty === undefined || pretty === 'false' ? undefined : 2);
  sendRaw(response, status, jsonTypeFor(request), text);
}

export function productHeader(): RequestHandler {
  return (_request, response, next) => {
    response.setHeader('X-elastic-product', 'Elasticsearch');
    next();
  };
}

export function apiErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { status, type, message, unexpected } = apiFault(error);
    if (unexpected)
      logger.error('A request failed', {
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        reason: messageOf(error),
        error,
      });
    const cause = { type, reason: message };
    sendApi(request, response, status, { error: { root_cause: [cause], ...cause }, status });
  };
}

function apiFault(error: unknown): { status: number; type: string; message: string; unexpected: boolean } {
  if (error instanceof ApiError)
    return { status: error.status, type: error.type, message: error.message, unexpected: false };
  const fault = faultOf(error);
  return { ...fault, type: error instanceof CrawlerError ? typeOf(error) : 'illegal_argument_exception' };
}

function typeOf(error: CrawlerError): string {
  switch (error.code) {
    case 'not_found':
      return 'index_not_found_exception';
    case 'usage':
    case 'corrupt':
      return 'parsing_exception';
    case 'unsupported':
      return 'illegal_argument_exception';
    default:
      return `${error.code}_exception`;
  }
}

function jsonTypeFor(request: Request): string {
  return (
    /application\/vnd\.elasticsearch\+json; ?compatible-with=\d+/.exec(request.headers.accept ?? '')?.[0] ??
    'application/json'
  );
}
