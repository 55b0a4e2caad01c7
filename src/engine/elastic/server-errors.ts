import { CrawlerError, type ErrorCode } from '../../base/errors.js';
import { at, isRecord, textAt } from './json.js';
import { accessRemedy } from './remedies.js';

/** What a server says about a failure: `{"error": {"type": …, "reason": …, "root_cause": […], "caused_by": …}}`. */
export interface ServerReason {
  readonly type: string;
  readonly reason: string;
}

const LONGEST_REASON = 500;

/** How a server says, by type or reason, that it could not even read the request. */
const UNREADABLE = /parse|parsing|json|named_object_not_found|unknown query/i;

export function reasonOf(error: unknown): ServerReason {
  if (typeof error === 'string') return { type: '', reason: shorten(error) };
  const reason = textAt(error, 'reason') ?? '';
  const cause = deepestCause(error);
  const text = cause === undefined || reason.includes(cause) ? reason : `${reason}: ${cause}`;
  return { type: textAt(error, 'type') ?? '', reason: shorten(text) };
}

/** The reason in the body of an answer with an error status, from its most telling place: the first shard, or the root. */
export function reasonOfBody(body: unknown): ServerReason {
  const error = at(body, 'error');
  if (error === undefined) return { type: '', reason: shorten(typeof body === 'string' ? body : '') };
  const shard = at(first(at(error, 'failed_shards')), 'reason');
  return reasonOf(shard ?? first(at(error, 'root_cause')) ?? error);
}

/** An answer with an error status as an error. `what` is the sentence's beginning: "The search in [docs] failed". */
export function serverError(status: number, body: unknown, what: string, subject?: string): CrawlerError {
  const { type, reason } = reasonOfBody(body);
  const remedy = accessRemedy(status);
  const because = reason === '' ? `HTTP status ${status}` : reason;
  const message = `${what} (${because})${remedy === undefined ? '.' : `: ${remedy}.`}`;
  return new CrawlerError(codeOf(status, type, reason), message, subject === undefined ? {} : { subject });
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'denied',
  403: 'denied',
  407: 'denied',
  408: 'timed_out',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
};

function codeOf(status: number, type: string, reason: string): ErrorCode {
  if (status === 400) return UNREADABLE.test(`${type} ${reason}`) ? 'corrupt' : 'unsupported';
  // A page of a proxy, and no word from an engine, does not say that something is missing.
  if (status === 404) return type === '' ? 'unavailable' : 'not_found';
  return CODES[status] ?? (status >= 502 ? 'unavailable' : 'internal');
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** Only its first line: parsers append everything that they would have accepted. */
function deepestCause(error: unknown): string | undefined {
  let cause = at(error, 'caused_by');
  let reason: string | undefined;
  while (isRecord(cause)) {
    reason = textAt(cause, 'reason')?.split('\n')[0] ?? reason;
    cause = cause['caused_by'];
  }
  return reason;
}

/** Proxies answer with pages: tags and line breaks say nothing. Of a long reason the end tells most: an id may fill the middle. */
function shorten(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= LONGEST_REASON) return plain;
  return `${plain.slice(0, LONGEST_REASON / 2)} … ${plain.slice(-LONGEST_REASON / 2)}`;
}
