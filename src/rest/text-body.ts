import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { RequestFault, badRequest } from './request-fault.js';

/** Characters of text that one request may carry: a JSON body, or all text fields of a form together. */
export const TEXT_LIMIT = 32 * 1024 * 1024;

const readText: RequestHandler = express.text({ type: () => true, limit: TEXT_LIMIT, defaultCharset: 'utf-8' });

/**
 * Tells a sender that waits for it to go on (`Expect: 100-continue`). Nobody else does: what is refused for its key, its
 * address or its length is refused before the body crosses the line.
 */
export function acceptBody(request: Request, response: Response): void {
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
}

/** The whole body as text; empty when there is none. */
export async function readTextBody(request: Request, response: Response): Promise<string> {
  acceptBody(request, response);
  await new Promise<void>((resolve, reject) => {
    readText(request, response, (error?: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(error instanceof Error ? error : badRequest('The body of the request can not be read.'));
    });
  });
  const body: unknown = request.body;
  return typeof body === 'string' ? body : '';
}

export function textTooLarge(): RequestFault {
  return new RequestFault(413, `The text of the request is larger than ${TEXT_LIMIT} bytes.`);
}

/** `application/json` of `Application/JSON; charset=utf-8`; empty without a content type. */
export function mediaTypeOf(request: Request): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** A request that announces neither a length nor chunks has no body. */
export function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
