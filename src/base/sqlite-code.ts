/** The primary result code of an error that SQLite raised (`SQLITE_FULL`, `SQLITE_CORRUPT` …), or undefined. */
export function sqliteCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('sqliteCodeName' in error && typeof error.sqliteCodeName === 'string') return error.sqliteCodeName;
  const isSqlite = 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return isSqlite && 'message' in error ? CODES_BY_MESSAGE[String(error.message)] : undefined;
}

/** Errors of `all` and `iterate` come without a code (binding 1.2.1): the ones that callers tell apart, by SQLite's texts. */
const CODES_BY_MESSAGE: Readonly<Record<string, string>> = {
  'database disk image is malformed': 'SQLITE_CORRUPT',
  'file is not a database': 'SQLITE_NOTADB',
  'database or disk is full': 'SQLITE_FULL',
  'disk I/O error': 'SQLITE_IOERR',
  'database is locked': 'SQLITE_BUSY',
  'attempt to write a readonly database': 'SQLITE_READONLY',
};
