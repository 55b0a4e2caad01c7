import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { RequestFault, badRequest } from './request-fault.js';

/** Characters of all text fields of a form together. Tags may replace the text of a document, which can be long. */
export const TEXT_LIMIT = 32 * 1024 * 1024;
/** Bytes of a JSON body that says what to fetch. */
export const FETCH_LIMIT = 1024 * 1024;

const readers = new Map<number, RequestHandler>();

function readerOf(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? express.text({ type: () => true, limit, defaultCharset: 'utf-8' });
  readers.set(limit, reader);
  return reader;
}

/**
 * Tells a sender that waits for permission to continue (`Expect: 100-continue`). Nobody else does: what is refused for its key, its
 * address or its length is refused before the body crosses the line.
 */
export function acceptBody(request: Request, response: Response): void {
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
}

/** The whole body as text; empty when there is none. Throws 413 when it has more than `limit` bytes. */
export async function readTextBody(request: Request, response: Response, limit: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
  acceptBody(request, response);
  await new Promise<void>((resolve, reject) => {
    readerOf(limit)(request, response, (error?: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(bodyFault(error, limit));
    });
  });
  const body: unknown = request.body;
  return typeof body === 'string' ? body : '';
}

function bodyFault(error: unknown, limit: number): Error {
  if (!(error instanceof Error)) return badRequest('The body of the request cannot be read.');
  return 'type' in error && error.type === 'entity.too.large' ? bodyTooLarge(limit) : error;
}

function bodyTooLarge(limit: number): RequestFault {
  return new RequestFault(413, `The body of the request is larger than ${limit} bytes.`);
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
