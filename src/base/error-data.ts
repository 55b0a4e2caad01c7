import { CrawlerError, messageOf, type ErrorCode } from './errors.js';

/** A CrawlerError as plain data, to cross a thread border. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly subject: string | undefined;
  /** The message of what caused it: the cause itself may not be cloneable. */
  readonly cause: string | undefined;
}

/** Anything that is not a CrawlerError becomes `internal`. */
export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof CrawlerError))
    return { code: 'internal', message: messageOf(error), subject: undefined, cause: undefined };
  const { code, message, subject, cause } = error;
  return { code, message, subject, cause: cause === undefined ? undefined : messageOf(cause) };
}

export function fromErrorData({ code, message, subject, cause }: ErrorData): CrawlerError {
  return new CrawlerError(code, message, {
    ...(cause === undefined ? {} : { cause }),
    ...(subject === undefined ? {} : { subject }),
  });
}
