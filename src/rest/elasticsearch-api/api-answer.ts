import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { sendRaw } from '../answer.js';
import { faultOf } from '../middleware/errors.js';
import { ApiError } from './api-error.js';
import { filteredBy } from './filter-path.js';

/**
 * Answers as Elasticsearch gives them: the product header that its clients insist on, their versioned content type when
 * they ask for it, and errors as `{"error": {"type", "reason", "root_cause"}, "status"}`.
 */
export function sendApi(request: Request, response: Response, status: number, body: unknown): void {
  const filterPath = textOf(request.query['filter_path']);
  const shown = filterPath === undefined || filterPath === '' ? body : filteredBy(filterPath, body);
  sendRaw(response, status, jsonTypeFor(request), jsonText(request, shown));
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
    const { status, headers, body } = loggedFault(error, request, logger);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendRaw(response, status, jsonTypeFor(request), jsonText(request, body));
  };
}

interface ApiFault {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
  /** `{"error": {…}, "status": …}` */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is answered for something that was thrown; a fault of ours goes to the log. */
export function loggedFault(error: unknown, { method, originalUrl }: Request, logger: Logger): ApiFault {
  const fault = apiFault(error);
  const [path] = originalUrl.split('?', 1);
  if (fault.unexpected) logger.error('A request failed', { method, path, reason: messageOf(error), error });
  return fault;
}

function apiFault(error: unknown): ApiFault {
  if (error instanceof ApiError) {
    const cause = { type: error.type, reason: error.message, ...error.details };
    return { status: error.status, headers: {}, unexpected: false, body: bodyOf(error.status, cause) };
  }
  const { status, message, headers, unexpected } = faultOf(error);
  const type = error instanceof CrawlerError ? typeOf(error) : 'illegal_argument_exception';
  return { status, headers, unexpected, body: bodyOf(status, { type, reason: message }) };
}

function bodyOf(status: number, cause: object): Readonly<Record<string, unknown>> {
  return { error: { root_cause: [cause], ...cause }, status };
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

function jsonText(request: Request, body: unknown): string {
  const pretty = request.query['pretty'];
  return JSON.stringify(body, null, pretty === undefined || pretty === 'false' ? undefined : 2);
}

function jsonTypeFor(request: Request): string {
  return (
    /application\/vnd\.elasticsearch\+json; ?compatible-with=\d+/.exec(request.headers.accept ?? '')?.[0] ??
    'application/json'
  );
}

function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? (value as unknown[])[0] : value;
  return typeof first === 'string' ? first : undefined;
}
