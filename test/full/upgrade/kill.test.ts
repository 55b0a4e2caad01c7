import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { formatOf } from '../../../src/base/file-format.js';
import { Database } from '../../../src/base/sqlite.js';
import { tempDir } from '../../support/temp-dir.js';

const PROGRAM = resolve('test/full/upgrade/upgrading-program.mjs');
const DIST = resolve(process.env['PROGRAM_DIST'] ?? 'dist');
const MOMENTS = 20;
const ROWS = 30_000;

const directory = tempDir();

test(`killed at ${MOMENTS} moments of an upgrade, a file is the old one or the new one`, async () => {
  const [original, path] = [join(directory, 'original.db'), join(directory, 'list.db')];
  makeOriginal(original);
  copyFileSync(original, path);
  const duration = await upgrade(path, undefined);
  expect(stateOf(path)).toEqual({ format: 3, columns: 2, rows: ROWS, copied: ROWS, integrity: 'ok' });

  const formats = new Set<number>();
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    copyFileSync(original, path);
    await upgrade(path, (duration * moment) / MOMENTS);
    const found = stateOf(path);
    formats.add(found.format);
    const isUpgraded = found.format === 3;
    expect(found).toEqual({
      format: isUpgraded ? 3 : 1,
      columns: isUpgraded ? 2 : 1,
      rows: ROWS,
      copied: isUpgraded ? ROWS : undefined,
      integrity: 'ok',
    });
  }
  expect(formats).toContain(1);
}, 120_000);

function makeOriginal(path: string): void {
  const database = new Database(path);
  database.exec('CREATE TABLE item(name TEXT)');
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO item SELECT 'item ' || i || hex(randomblob(20)) FROM n`);
  database.exec('PRAGMA user_version=1');
  database.close();
}

/** Milliseconds from the moment the file was open to the end. */
async function upgrade(path: string, killAfterMs: number | undefined): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, DIST, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  const started = performance.now();
  if (killAfterMs !== undefined) {
    await sleep(killAfterMs);
    child.kill('SIGKILL');
  }
  await ended;
  return performance.now() - started;
}

function stateOf(path: string): {
  format: number;
  columns: unknown;
  rows: unknown;
  copied: unknown;
  integrity: unknown;
} {
  const database = new Database(path);
  try {
    const one = (sql: string): unknown => database.values(sql)[0];
    const hasCopy = one("SELECT count(*) FROM sqlite_schema WHERE name = 'copy'") === 1;
    return {
      format: formatOf(database),
      columns: one("SELECT count(*) FROM pragma_table_info('item')"),
      rows: one('SELECT count(*) FROM item'),
      copied: hasCopy ? one('SELECT count(*) FROM copy') : undefined,
      integrity: one('SELECT integrity_check FROM pragma_integrity_check'),
    };
  } finally {
    database.close();
  }
}
