import type { Database } from '../base/sqlite.js';

/**
 * `catalog.db`.
 *
 * folder  one row a folder, path in full (10,000 folders cost 1 MB; it spares a join per level).
 *         scan > done means pending in the current scan; the partial index on just those rows is the frontier.
 * file    one row a file below its folder: WITHOUT ROWID keeps a folder's rows together, so that one range read fetches
 *         them. Times and inode are REAL: the doubles that the file system call returned, stored bit by bit, so equality
 *         is exact and no BigInt is needed. Only problems have a row in `note`.
 *
 * States are small integers in the file; the names are in folder-totals.ts. What is gone has two of them: found gone
 * (file.state 4, folder.gone 1), its document still in the index, and released (6 and 2), its document about to be removed.
 */
export const CATALOG_VERSION = 1;

/** The tables of a new file. How older files get them: catalog-upgrades.ts. */
export function createCatalogTables(database: Database): void {
  database.exec(`
    CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY,
      parent INTEGER NOT NULL,
      path TEXT NOT NULL UNIQUE,
      scan INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      digest TEXT NOT NULL DEFAULT '',
      document_ms REAL NOT NULL DEFAULT 0,
      device REAL NOT NULL DEFAULT 0,
      gone INTEGER NOT NULL DEFAULT 0,
      reason TEXT
    ) STRICT;
    CREATE INDEX folder_parent ON folder(parent);
    CREATE INDEX folder_pending ON folder(id) WHERE scan > done;
    CREATE INDEX folder_gone ON folder(id) WHERE gone = 1;
    CREATE INDEX folder_released ON folder(id) WHERE gone = 2;
    CREATE TABLE file(
      folder INTEGER NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      modified_ms REAL NOT NULL,
      changed_ms REAL NOT NULL,
      created_ms REAL NOT NULL,
      inode REAL NOT NULL,
      version TEXT NOT NULL,
      state INTEGER NOT NULL,
      rules INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      PRIMARY KEY(folder, name)
    ) WITHOUT ROWID, STRICT;
    CREATE INDEX file_inode ON file(inode) WHERE inode <> 0;
    CREATE INDEX file_gone ON file(folder, name) WHERE state = 4;
    CREATE INDEX file_released ON file(folder, name) WHERE state = 6;
    CREATE TABLE note(
      folder INTEGER NOT NULL,
      name TEXT NOT NULL,
      reason TEXT NOT NULL,
      message TEXT,
      tries INTEGER NOT NULL,
      retry_ms INTEGER NOT NULL,
      PRIMARY KEY(folder, name)
    ) WITHOUT ROWID, STRICT;
  `);
}
