import { isDiskFull } from '../../../base/disk-full.js';
import { messageOf, systemCode } from '../../../base/errors.js';
import { sqliteCode } from '../../../base/sqlite.js';
import { DamagedBody } from './packed-body.js';

/**
 * Sentences for what SQLite and the file system can answer. Most faults pass without the index changing (a full disk, another
 * process that writes); a damaged file does not: it is set aside when the job is started next.
 */
export interface IndexFailure {
  readonly code: 'denied' | 'unavailable' | 'disk_full' | 'internal';
  readonly message: string;
  /** The file must not be trusted any more. */
  readonly damaged: boolean;
}

const DENIED: ReadonlySet<string> = new Set(['SQLITE_READONLY', 'SQLITE_PERM', 'EACCES']);
const DAMAGE: ReadonlySet<string> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

const SENTENCES: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full. Make room; the same document can be sent again.',
  ENOSPC: 'the disk is full. Make room; the same document can be sent again.',
  SQLITE_BUSY: 'another process has been writing to it for more than 5 seconds. Try again later.',
  SQLITE_READONLY: 'it may not be written. Give the crawler write permission on the file and its folder.',
  SQLITE_PERM: 'it may not be written. Give the crawler write permission on the file and its folder.',
  EACCES: 'it may not be read and written. Give the crawler permission on the file and its folder.',
  SQLITE_CANTOPEN: 'it cannot be opened. Check that its folder exists, may be written and has room.',
  SQLITE_IOERR: 'its disk answers with an error. Check that the disk is mounted and has room.',
  SQLITE_NOMEM: 'there is not enough memory.',
};

export function indexFailure(path: string, error: unknown): IndexFailure {
  const code = sqliteCode(error) ?? systemCode(error) ?? '';
  if (isDamage(code, error)) {
    const advice = 'Start the job again: the file is then set aside and the tree is indexed anew.';
    const message = `The index [${path}] is damaged (${messageOf(error)}). ${advice}`;
    return { code: 'internal', message, damaged: true };
  }
  const message = `The index [${path}] failed: ${SENTENCES[code] ?? messageOf(error)}`;
  if (isDiskFull(error)) return { code: 'disk_full', message, damaged: false };
  if (DENIED.has(code)) return { code: 'denied', message, damaged: false };
  return { code: code in SENTENCES ? 'unavailable' : 'internal', message, damaged: false };
}

/** True for faults of the file, the disk or the machine: another document would meet them too. */
export function concernsTheFile(error: unknown): boolean {
  const code = sqliteCode(error) ?? systemCode(error) ?? '';
  return isDamage(code, error) || code in SENTENCES || isDiskFull(error);
}

function isDamage(code: string, error: unknown): boolean {
  return DAMAGE.has(code) || error instanceof DamagedBody;
}
