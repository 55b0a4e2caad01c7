import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { Database } from '../../../src/base/sqlite.js';
import { runCrawler } from '../../support/crawler-process.js';
import { tempDir } from '../../support/temp-dir.js';

const directory = tempDir();
let docs: string;
let config: string;

beforeEach(async () => {
  const folder = mkdtempSync(join(directory, 'job-'));
  docs = join(folder, 'docs');
  config = join(folder, 'config');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.txt'), 'lighthouse');
  const { code, stderr } = await runCrawler([docs, '--loop', '1', '--config_dir', config]);
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  ['catalog.db', 'fact', ['', 'plan', 'verify', 'approve']],
  ['index.db', 'property', ['', 'search --all']],
])(
  '%s of a newer crawler is refused by every command that reads it, and not changed',
  async (name, table, commands) => {
    const path = join(config, 'docs', name);
    const database = new Database(path, { journal: 'DELETE' });
    database.exec(`PRAGMA user_version=99; UPDATE ${table} SET value = '9.8.7' WHERE name = 'written_by'`);
    database.close();
    const before = digest(path);
    for (const command of commands) {
      const args = command === '' ? [docs, '--loop', '1'] : [...command.split(' '), docs];
      const { code, stderr } = await runCrawler([...args, '--config_dir', config]);
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringContaining(`[${path}] was written by crawler 9.8.7 (format 99); this is crawler`),
      ]);
      expect(stderr).not.toContain('    at ');
      expect([command, digest(path)]).toEqual([command, before]);
    }
  },
);

function digest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
