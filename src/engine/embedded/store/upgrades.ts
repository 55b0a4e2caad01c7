import type { FileFormat, UpgradeStep } from '../../../base/file-format.js';
import type { Database } from '../../../base/sqlite.js';
import { SCHEMA_VERSION } from './schema.js';

/**
 * How the index of an earlier release becomes one of this release. A change of `schema.ts` raises SCHEMA_VERSION and adds a
 * step here; a released step is never changed. A step that concerns the tables of each index reads their numbers from `idx`.
 * Steps only add, so that the upgrade takes no longer than writing what is new.
 */
const upgrades: readonly UpgradeStep[] = [{ to: 2, apply: addChecksums }];

/** What was there before has no checksums until it is written again. */
function addChecksums(database: Database): void {
  database.exec(`CREATE TABLE word_sum(idx INTEGER NOT NULL, segment TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY(idx, segment)) WITHOUT ROWID, STRICT`);
  for (const id of database.values('SELECT id FROM idx').map(Number)) {
    database.exec(`ALTER TABLE body_${id} ADD COLUMN sum INTEGER`);
    database.exec(`CREATE INDEX doc_${id}_without_file ON doc_${id}(id) WHERE root IS NULL`);
  }
  database.exec("INSERT INTO property VALUES('derivation', '1')");
}

export const indexFormat: FileFormat = {
  noun: 'index',
  current: SCHEMA_VERSION,
  upgrades,
  writtenBy: (database) => {
    const [version] = database.values("SELECT value FROM property WHERE name = 'written_by'");
    return typeof version === 'string' ? version : undefined;
  },
  setWrittenBy: (database, version) =>
    database.exec(`INSERT OR REPLACE INTO property VALUES('written_by', '${version}')`),
  wayOut: 'restore a backup, or move the file away to have the tree indexed again',
};
