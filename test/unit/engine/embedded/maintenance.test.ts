import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Database } from '../../../../src/base/sqlite.js';
import { openIndexFile } from '../../../../src/engine/embedded/store/index-file.js';
import { IndexWriter } from '../../../../src/engine/embedded/writer/index-writer.js';
import { Maintenance } from '../../../../src/engine/embedded/writer/maintenance.js';
import { withTempDir } from '../../../support/temp-dir.js';

test('idle steps merge what many small writes left, and come to an end', async () => {
  await withTempDir((directory) => {
    const path = join(directory, 'index.db');
    openIndexFile(path);
    const database = new Database(path);
    const writer = new IndexWriter(database);
    const maintenance = new Maintenance(database);
    for (let at = 0; at < 120; at += 1) {
      const json = JSON.stringify({ content: `common number${at}` });
      writer.apply([{ kind: 'index', index: 'docs', id: `d${at % 100}`, json, create: false }]);
    }
    const segments = (): number => database.values('SELECT count(DISTINCT segid) FROM fts_1_idx').map(Number)[0] ?? 0;
    const before = segments();
    maintenance.begin();
    let steps = 1;
    while (maintenance.step()) steps += 1;
    expect(steps).toBeLessThan(50);
    expect(segments()).toBeLessThan(before);
    expect(maintenance.step()).toBe(false);
    database.exec(`INSERT INTO fts_1(fts_1) VALUES('integrity-check')`);
    expect(database.values(`SELECT count(*) FROM fts_1 WHERE fts_1 MATCH 'common'`)).toEqual([100]);
    expect(database.values(`SELECT count(*) FROM fts_1 WHERE fts_1 MATCH 'number5'`)).toEqual([0]);
    database.close();
  });
});
