import { renameSync, rmSync } from 'node:fs';
import { CrawlerError, messageOf } from '../base/errors.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/**
 * Opens the catalog for writing. A damaged file is renamed, never deleted, and a new one begun; the crawler then rebuilds
 * it from the index. `onDamage` gets a sentence for the log. Throws `unsupported` for a catalog of a newer release.
 */
export function openCatalog(path: string, onDamage: (message: string) => void): SqliteCatalog {
  try {
    return checked(new SqliteCatalog(path));
  } catch (error) {
    if (error instanceof CrawlerError || !isDamage(error)) throw error;
    return replaceCatalog(path, error, onDamage);
  }
}

/** Puts a catalog aside that turned out to be damaged, and begins a new one. Close the old one before. */
export function replaceCatalog(path: string, error: unknown, onDamage: (message: string) => void): SqliteCatalog {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  onDamage(
    `The catalog [${path}] is damaged (${messageOf(error)}). It was renamed to [${aside}] and is rebuilt from the index; no document is removed for this.`,
  );
  return new SqliteCatalog(path);
}

/** Whether an error of SQLite means that the file itself is broken. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|corrupt|disk image|no such (table|column)|version of the catalog/i.test(
    messageOf(error),
  );
}

/** Looks at what a scan depends on first, so that most damage shows now and not in the middle of a run. */
function checked(catalog: SqliteCatalog): SqliteCatalog {
  try {
    catalog.check();
    return catalog;
  } catch (error) {
    catalog.close();
    throw error;
  }
}
