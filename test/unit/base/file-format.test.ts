import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatOf, refuseNewer, stampFormat, upgradeFile, type FileFormat } from '../../../src/base/file-format.js';
import { packageVersion } from '../../../src/base/package-root.js';
import { Database } from '../../../src/base/sqlite.js';
import { indexFormat } from '../../../src/engine/embedded/store/upgrades.js';
import { catalogFormat } from '../../../src/state/catalog-upgrades.js';
import { tempDir } from '../../support/temp-dir.js';

const directory = tempDir();

const first: FileFormat = {
  noun: 'list',
  current: 1,
  upgrades: [],
  writtenBy: (database) => database.values('SELECT version FROM writer')[0] as string | undefined,
  setWrittenBy: (database, version) => database.exec(`DELETE FROM writer; INSERT INTO writer VALUES('${version}')`),
  wayOut: 'delete it',
};
const third: FileFormat = {
  ...first,
  current: 3,
  upgrades: [
    { to: 2, apply: (database) => database.exec("ALTER TABLE item ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'") },
    { to: 3, apply: (database) => database.exec('CREATE TABLE place AS SELECT name, colour FROM item') },
  ],
};

let files = 0;
let database: Database;
beforeEach(() => {
  database = new Database(join(directory, `list-${(files += 1)}.db`));
  database.transaction(() => {
    database.exec("CREATE TABLE writer(version TEXT); CREATE TABLE item(name TEXT); INSERT INTO item VALUES('pear')");
    stampFormat(database, first);
    first.setWrittenBy(database, '0.0.7');
  });
});
afterEach(() => database.close());

describe('an older file', () => {
  test('goes through every step, and says who wrote it', () => {
    upgradeFile(database, third);
    expect(formatOf(database)).toBe(3);
    expect(third.writtenBy(database)).toBe(packageVersion());
    expect(database.values("SELECT name || ' ' || colour FROM place")).toEqual(['pear grey']);
  });

  test('continuesly through the steps after its own format', () => {
    upgradeFile(database, { ...third, current: 2, upgrades: third.upgrades.slice(0, 1) });
    expect(formatOf(database)).toBe(2);
    upgradeFile(database, third);
    expect(formatOf(database)).toBe(3);
  });

  test('stays what it was when a step fails', () => {
    const failing: FileFormat = {
      ...third,
      upgrades: [...third.upgrades.slice(0, 1), { to: 3, apply: (each) => each.exec('CREATE TABLE item(name TEXT)') }],
    };
    expect(() => upgradeFile(database, failing)).toThrow('already exists');
    expect(formatOf(database)).toBe(1);
    expect(database.values("SELECT count(*) FROM pragma_table_info('item')")).toEqual([1]);
    expect(first.writtenBy(database)).toBe('0.0.7');
  });
});

describe('a newer file', () => {
  test('is refused with the version that wrote it', () => {
    upgradeFile(database, third);
    third.setWrittenBy(database, '0.9.0');
    expect(() => refuseNewer(database, first)).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: `The list [${database.path}] was written by crawler 0.9.0 (format 3); this is crawler ${packageVersion()}, which knows formats up to 1. Run 0.9.0, or delete it.`,
      }),
    );
  });

  test('is refused although it keeps its version elsewhere', () => {
    upgradeFile(database, third);
    database.exec('DROP TABLE writer');
    expect(() => refuseNewer(database, first)).toThrow('was written by a newer crawler (format 3)');
  });

  test('is no concern when it is of this format or an older one', () => {
    expect(() => refuseNewer(database, first)).not.toThrow();
    expect(() => refuseNewer(database, third)).not.toThrow();
  });
});

test.each([catalogFormat, indexFormat])('the upgrades of the $noun lead to its format without a gap', (format) => {
  const formats = Array.from({ length: format.current - 1 }, (_, at) => at + 2);
  expect(format.upgrades.map(({ to }) => to)).toEqual(formats);
});
