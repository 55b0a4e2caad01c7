import type { FileFormat, UpgradeStep } from '../../../base/file-format.js';
import { SCHEMA_VERSION } from './schema.js';

/**
 * How the index of an earlier release becomes one of this release. A change of `schema.ts` raises SCHEMA_VERSION and adds a
 * step here; a released step is never changed. A step that concerns the tables of each index reads their numbers from `idx`.
 * Steps only add, so that the upgrade takes no longer than writing what is new.
 */
const upgrades: readonly UpgradeStep[] = [];

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
