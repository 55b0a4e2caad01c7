import { CrawlerError, messageOf, systemCode } from './errors.js';
import { sqliteCode } from './sqlite-code.js';

const SYSTEM_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/**
 * SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE, _SHMSIZE and _SHMMAP: what SQLite makes of a quota, a limit of the file size, or a
 * disk that has no space for the index of its log.
 */
const REFUSED_WRITES: ReadonlySet<unknown> = new Set([778, 1034, 1546, 4874, 5386]);

/** Whether a disk did not take what was to be written: it is full, or a quota or a limit of the file size is reached. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof CrawlerError) return error.code === 'disk_full';
  if (SYSTEM_CODES.has(systemCode(error) ?? '') || sqliteCode(error) === 'SQLITE_FULL') return true;
  return typeof error === 'object' && error !== null && 'errcode' in error && REFUSED_WRITES.has(error.errcode);
}

/** The sentence for it. `rest` says what becomes of the work. */
export function diskFull(folder: string, error: unknown, rest: string): CrawlerError {
  const message = `The disk of [${folder}] is full or rejects writes (${messageOf(error)}). Free some space. ${rest}`;
  return new CrawlerError('disk_full', message, { cause: error, subject: folder });
}
