import { CrawlerError, type ErrorCode } from '../../../base/errors.js';

export function errorCodeOf(error: unknown): ErrorCode {
  return error instanceof CrawlerError ? error.code : 'internal';
}
