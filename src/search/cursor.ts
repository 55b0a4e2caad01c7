import { createHash } from 'node:crypto';
import { CrawlerError } from '../base/errors.js';
import type { SearchResponse } from '../engine/engine.js';
import { addressOf, type FindRequest } from './find-request.js';

/** Where a page of hits has ended, and what the first page has counted. */
export interface Cursor {
  readonly after: readonly unknown[];
  readonly total: SearchResponse['hits']['total'];
}

/** Text for the caller to hand back with the same request. */
export function encodeCursor({ after, total }: Cursor, request: FindRequest): string {
  const content = [digestOf(request), after, total.value, total.relation];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws `corrupt` for a cursor of another request, and for what is none. */
export function decodeCursor(text: string, request: FindRequest): Cursor {
  const content = parsed(text);
  if (Array.isArray(content)) {
    const [digest, after, value, relation] = content as unknown[];
    const isTotal = typeof value === 'number' && (relation === 'eq' || relation === 'gte');
    if (digest === digestOf(request) && Array.isArray(after) && isTotal) return { after, total: { value, relation } };
  }
  throw new CrawlerError('corrupt', 'The cursor [after] is not one of this search. Begin again without it.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function digestOf(request: FindRequest): string {
  return createHash('sha256').update(addressOf(request)).digest('base64url').slice(0, 12);
}
