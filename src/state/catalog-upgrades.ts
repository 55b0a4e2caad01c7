import type { FileFormat, UpgradeStep } from '../base/file-format.js';
import { CATALOG_VERSION } from './catalog-schema.js';

/**
 * How the catalog of an earlier release becomes one of this release. A change of `catalog-schema.ts` raises CATALOG_VERSION
 * and adds a step here; a released step is never changed. Steps only add (a table, an index, a column with a default), so
 * that the upgrade takes no longer than writing what is new.
 */
const upgrades: readonly UpgradeStep[] = [];

export const catalogFormat: FileFormat = {
  noun: 'catalog',
  current: CATALOG_VERSION,
  upgrades,
  writtenBy: (database) => {
    const [version] = database.values("SELECT value FROM fact WHERE name = 'written_by'");
    return typeof version === 'string' ? version : undefined;
  },
  setWrittenBy: (database, version) => database.exec(`INSERT OR REPLACE INTO fact VALUES('written_by', '${version}')`),
  wayOut: 'restore a backup, or delete the file: it is rebuilt from the index',
};
