import { isDiskFull } from '../../../base/disk-full.js';
import { messageOf, systemCode } from '../../../base/errors.js';
import { sqliteCode } from '../../../base/sqlite-code.js';
import { CorruptContent } from './corrupt-content.js';

/**
 * Sentences for what SQLite and the file system can answer. Most faults pass without the index changing (a full disk, another
 * process that writes); corruption does not: such a file is repaired by the job that it belongs to.
 */
export interface IndexFailure {
  readonly code: 'denied' | 'unavailable' | 'disk_full' | 'internal';
  readonly message: string;
  /** What is wrong with the file, when it must not be trusted any more. */
  readonly corruption: string | undefined;
}

const DENIED: ReadonlySet<string> = new Set(['SQLITE_READONLY', 'SQLITE_PERM', 'EACCES']);
const DAMAGE: Readonly<Partial<Record<string, string>>> = {
  SQLITE_CORRUPT: 'its pages contradict each other',
  SQLITE_NOTADB: 'it is not a database',
};

const SENTENCES: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full. Free some space; the same document can be sent again.',
  ENOSPC: 'the disk is full. Free some space; the same document can be sent again.',
  SQLITE_BUSY: 'another process has been writing to it for more than 5 seconds. Try again later.',
  SQLITE_READONLY: 'it may not be written. Give the crawler write permission on the file and its folder.',
  SQLITE_PERM: 'it may not be written. Give the crawler write permission on the file and its folder.',
  EACCES: 'it may not be read and written. Give the crawler permission on the file and its folder.',
  SQLITE_CANTOPEN: 'it cannot be opened. Check that its folder exists, may be written and has free space.',
  SQLITE_IOERR: 'its disk answers with an error. Check that the disk is mounted and has free space.',
  SQLITE_NOMEM: 'there is not enough memory.',
};

export function indexFailure(path: string, error: unknown): IndexFailure {
  const code = sqliteCode(error) ?? systemCode(error) ?? '';
  const corruption = corruptionOf(error);
  if (corruption !== undefined)
    return { code: 'unavailable', message: corruptIndexMessage(path, corruption), corruption };
  const message = `The index [${path}] failed: ${SENTENCES[code] ?? messageOf(error)}`;
  if (isDiskFull(error)) return { code: 'disk_full', message, corruption };
  if (DENIED.has(code)) return { code: 'denied', message, corruption };
  return { code: code in SENTENCES ? 'unavailable' : 'internal', message, corruption };
}

/** True for faults of the file, the disk or the machine: another document would meet them too. */
export function concernsTheFile(error: unknown): boolean {
  const code = sqliteCode(error) ?? systemCode(error) ?? '';
  return corruptionOf(error) !== undefined || code in SENTENCES || isDiskFull(error);
}

/** Completes "The index is damaged: …"; undefined for what is no corruption of the file. */
export function corruptionOf(error: unknown): string | undefined {
  if (error instanceof CorruptContent) return error.message;
  return DAMAGE[sqliteCode(error) ?? ''];
}

export function corruptIndexMessage(path: string, corruption: string): string {
  return `The index [${path}] is damaged: ${corruption}. The next run of the job repairs it.`;
}
