import { existsSync, statSync } from 'node:fs';
import { CrawlerError } from '../base/errors.js';
import { formatOf, refuseNewer, stampFormat, upgradeFile } from '../base/file-format.js';
import { Database } from '../base/sqlite.js';
import { createCatalogTables } from './catalog-schema.js';
import { catalogFormat } from './catalog-upgrades.js';

/**
 * Makes the file ready to be opened for writing: creates it, or upgrades one of an earlier release. Throws `unsupported`
 * for a file of a newer release. An existing file is looked at with a connection that only reads, since one that writes
 * changes the file by being opened and closed.
 */
export function prepareCatalogFile(path: string): void {
  const isNew = !existsSync(path) || isEmpty(path);
  if (!isNew && isCurrent(path)) return;
  const database = new Database(path, { synchronous: 'FULL' });
  try {
    database.transaction(() => {
      // A file of format 0 that has tables is another program's: they stay, and the check of the catalog finds it out.
      if (formatOf(database) > 0 || hasTables(database)) return;
      createCatalogTables(database);
      stampFormat(database, catalogFormat);
    });
    if (formatOf(database) > 0) upgradeFile(database, catalogFormat);
  } finally {
    database.close();
  }
}

/** Throws `unsupported` when a newer program has written the catalog. Whatever else may be wrong with it is not its matter. */
export function refuseNewerCatalog(path: string): void {
  if (!existsSync(path) || isEmpty(path)) return;
  try {
    isCurrent(path);
  } catch (error) {
    if (error instanceof CrawlerError) throw error;
  }
}

/** Throws `unsupported` when a newer program has written the catalog; whatever else is wrong shows when it is opened. */
function isCurrent(path: string): boolean {
  const database = new Database(path, { readOnly: true });
  try {
    refuseNewer(database, catalogFormat);
    return formatOf(database) === catalogFormat.current;
  } finally {
    database.close();
  }
}

function isEmpty(path: string): boolean {
  const sizes = [path, `${path}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.every((size) => size === 0);
}

function hasTables(database: Database): boolean {
  return database.values('SELECT count(*) FROM sqlite_schema')[0] !== 0;
}
