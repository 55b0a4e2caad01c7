import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { packageVersion } from '../../../src/base/package-root.js';
import { Database } from '../../../src/base/sqlite.js';
import { refuseNewerCatalog } from '../../../src/state/catalog-file.js';
import { CATALOG_VERSION } from '../../../src/state/catalog-schema.js';
import { openCatalog } from '../../../src/state/open-catalog.js';
import { SqliteCatalog } from '../../../src/state/sqlite-catalog.js';
import { withTempDir } from '../../support/temp-dir.js';

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

function makeNewer(path: string): void {
  new SqliteCatalog(path).close();
  const database = new Database(path);
  database.exec(
    `PRAGMA user_version=${CATALOG_VERSION + 1}; UPDATE fact SET value = '9.8.7' WHERE name = 'written_by'`,
  );
  database.exec('ALTER TABLE folder ADD COLUMN owner TEXT');
  database.close();
}

test('a new catalog says its format and who wrote it, also after it was cleared', async () => {
  await withTempDir((folder) => {
    const catalog = new SqliteCatalog(join(folder, 'catalog.db'));
    catalog.facts.clear();
    expect(catalog.format()).toEqual({ format: CATALOG_VERSION, writtenBy: packageVersion() });
    catalog.close();
  });
});

describe('a catalog of a newer release', () => {
  test.each<[string, (path: string) => unknown]>([
    ['opened for writing', (path) => new SqliteCatalog(path)],
    ['opened by a crawl', (path) => openCatalog(path, (message) => expect(message).toBe(''))],
    ['looked at before a run', refuseNewerCatalog],
    [
      'looked at by a report',
      (path) => {
        const catalog = new SqliteCatalog(path, { readOnly: true });
        try {
          catalog.check();
        } finally {
          catalog.close();
        }
      },
    ],
  ])('%s is refused, and no byte of it is touched', async (_, open) => {
    await withTempDir((folder) => {
      const path = join(folder, 'catalog.db');
      makeNewer(path);
      const before = sha256(path);
      expect(() => open(path)).toThrow(
        expect.objectContaining({
          code: 'unsupported',
          message: expect.stringMatching(
            /was written by crawler 9\.8\.7 \(format 2\); .* Run 9\.8\.7, or restore a backup, or delete the file: it is rebuilt/,
          ),
        }),
      );
      expect(sha256(path)).toBe(before);
      expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
    });
  });
});

test('the database of another program is put aside, and not filled with tables', async () => {
  await withTempDir((folder) => {
    const path = join(folder, 'catalog.db');
    const foreign = new Database(path);
    foreign.exec("CREATE TABLE song(title TEXT); INSERT INTO song VALUES('x')");
    foreign.close();
    const messages: string[] = [];
    const catalog = openCatalog(path, (message) => messages.push(message));
    catalog.close();
    expect(messages).toEqual([expect.stringContaining('It was renamed to')]);
    const kept = readdirSync(folder).find((name) => name.includes('damaged')) ?? '';
    const aside = new Database(join(folder, kept));
    expect(aside.values('SELECT name FROM sqlite_schema')).toEqual(['song']);
    aside.close();
  });
});
