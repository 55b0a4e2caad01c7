import type { Response } from 'express';

/**
 * JSON answers: members in alphabetical order, so that two answers can be compared as text, and the plain content type
 * that scripts compare with.
 */
export function sendJson(response: Response, status: number, body: unknown): void {
  sendRaw(response, status, 'application/json', JSON.stringify(sorted(body)));
}

export function sendMessage(response: Response, status: number, ok: boolean, message: string): void {
  sendJson(response, status, { ok, message });
}

/** Express would add a charset to the content type. */
export function sendRaw(response: Response, status: number, contentType: string, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  // As a text, it leaves together with the headers.
  response.end(text);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, each]) => [key, sorted(each)]));
}
