import { renameSync, rmSync } from 'node:fs';
import { CrawlerError, messageOf } from '../base/errors.js';
import { sqliteCode } from '../base/sqlite-code.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/**
 * Opens the catalog for writing. A damaged file is renamed, never deleted, and a new one begun; the crawler then rebuilds
 * it from the index. `onCorruption` gets a sentence for the log. Throws `unsupported` for a catalog of a newer release.
 */
export function openCatalog(path: string, onCorruption: (message: string) => void): SqliteCatalog {
  try {
    return checked(new SqliteCatalog(path));
  } catch (error) {
    if (!isCatalogCorruption(error) && !isForeign(error)) throw error;
    return replaceCatalog(path, messageOf(error), onCorruption);
  }
}

/** Puts a damaged catalog aside, and begins a new one. `corruption` says what is wrong with it. Close the old one before. */
export function replaceCatalog(
  path: string,
  corruption: string,
  onCorruption: (message: string) => void,
): SqliteCatalog {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  onCorruption(
    `The catalog [${path}] is damaged (${corruption}). It was renamed to [${aside}] and is rebuilt from the index; no document is removed for this.`,
  );
  return new SqliteCatalog(path);
}

/** Whether an error means that the file itself is broken. */
export function isCatalogCorruption(error: unknown): boolean {
  if (error instanceof CrawlerError) return error.code === 'catalog_damaged';
  const code = sqliteCode(error);
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB';
}

/** What is asked of a file as it is opened is always the same: when SQLite does not understand it, the tables are others. */
function isForeign(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_ERROR';
}

/** Looks at what a scan depends on first, so that most corruption shows now and not in the middle of a run. */
function checked(catalog: SqliteCatalog): SqliteCatalog {
  try {
    catalog.check();
    return catalog;
  } catch (error) {
    catalog.close();
    throw error;
  }
}
