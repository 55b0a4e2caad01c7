/**
 * The one error class of the program. `message` is a sentence for the person who runs it (what failed, on which [path],
 * what to do next), `code` is for programs, `cause` goes to the log.
 *
 * A failure of one document is data (an outcome with a reason code), never a thrown CrawlerError that ends a run.
 */
export type ErrorCode =
  | 'usage'
  | 'settings_invalid'
  | 'not_found'
  | 'denied'
  | 'unavailable'
  | 'rate_limited'
  | 'encrypted'
  | 'unsupported'
  | 'too_large'
  | 'corrupt'
  /** Metadata that is merged into a document cannot be read, or does not fit it. */
  | 'invalid_metadata'
  /** The file of the catalog is broken; it can be replaced, since it is rebuilt from the index. */
  | 'catalog_damaged'
  | 'timed_out'
  | 'conflict'
  /** A disk of this machine is full. */
  | 'disk_full'
  | 'cancelled'
  | 'internal';

export interface CrawlerErrorOptions {
  readonly cause?: unknown;
  /** The path, setting or URL the sentence is about. */
  readonly subject?: string;
}

/** Codes after which the same call may succeed later without anybody changing anything. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'rate_limited', 'timed_out']);

export class CrawlerError extends Error {
  override readonly name = 'CrawlerError';
  readonly code: ErrorCode;
  readonly subject: string | undefined;

  constructor(code: ErrorCode, message: string, options: CrawlerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.subject = options.subject;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

/** The message of anything that was thrown, without a stack. */
export function messageOf(error: unknown): string {
  if (isRecord(error) && typeof error['message'] === 'string' && error['message'] !== '') return error['message'];
  return String(error);
}

/** The `code` of a Node system error (`ENOENT`, `EACCES` …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}

/** By shape, not by class: errors also come from other realms (threads, sandboxes). */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Throws `cancelled` when the signal is aborted. Long loops call it between steps. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new CrawlerError('cancelled', 'The work was cancelled.', { cause: signal.reason });
}
