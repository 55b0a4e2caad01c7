import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A process of its own that upgrades a file from format 1 to 3: `upgrading-program.mjs <dist> <file>`. */
const [, , dist, path] = process.argv;
const load = (file) => import(pathToFileURL(join(dist, file)).href);
const [{ Database }, { upgradeFile }] = await Promise.all([load('base/sqlite.js'), load('base/file-format.js')]);

const database = new Database(path, { synchronous: 'FULL' });
writeSync(1, 'started\n');
upgradeFile(database, {
  noun: 'list',
  current: 3,
  upgrades: [
    { to: 2, apply: (each) => each.exec("ALTER TABLE item ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'") },
    { to: 3, apply: (each) => each.exec('CREATE TABLE copy AS SELECT * FROM item; CREATE INDEX names ON copy(name)') },
  ],
  writtenBy: () => undefined,
  setWrittenBy: (each, version) => each.exec(`CREATE TABLE writer AS SELECT '${version}' AS version`),
  wayOut: 'delete it',
});
database.close();
writeSync(1, 'done\n');
