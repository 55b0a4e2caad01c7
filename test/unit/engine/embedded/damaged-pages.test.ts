import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../../../src/base/sqlite.js';
import { indexPath } from '../../../../src/engine/embedded/index-path.js';
import { IndexCheck } from '../../../../src/engine/embedded/search/check-index.js';
import { openIndexFile } from '../../../../src/engine/embedded/store/index-file.js';
import { PAGE_SIZE } from '../../../../src/engine/embedded/store/schema.js';
import { Statements } from '../../../../src/engine/embedded/store/statements.js';
import { WorkLimit } from '../../../../src/engine/embedded/store/work-limit.js';
import { tempDir } from '../../../support/temp-dir.js';
import { openEmbedded, SIGNAL } from './library.js';

/**
 * Somebody writes over a part of the file. Whatever is not noticed must not have held anything: every table reads as before, and
 * SQLite finds no fault.
 */
const directory = tempDir();
const path = indexPath(directory);
const damaged = join(tempDir(), 'index.db');
let original: Buffer;
let content: string;

beforeAll(async () => {
  const engine = openEmbedded(directory);
  const document = {
    content: 'The lighthouse keeper wrote a report. '.repeat(20),
    file: { filename: 'a.txt', extension: 'txt', filesize: 5, last_modified: '2024-01-01T00:00:00Z' },
    path: { root: 'r', real: '/d/a.txt', virtual: '/a.txt' },
    external: { tag: 'x', number: 5 },
  };
  await engine.write([{ kind: 'index', index: 'docs', id: '1', document }], SIGNAL);
  await engine.close();
  original = readFileSync(path);
  content = contentOf(path);
});

/** Everything that the tables hold, and what SQLite says of their pages. */
function contentOf(file: string): string {
  const database = new Database(file, { readOnly: true });
  try {
    const tables = database
      .prepare<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
      )
      .all();
    const rows = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}" NOT INDEXED`).all()]);
    return JSON.stringify([rows, database.prepare('PRAGMA integrity_check').all()]);
  } catch (error) {
    return String(error);
  } finally {
    database.close();
  }
}

function isNoticed(file: string, deep = true): boolean {
  let database: Database | undefined;
  try {
    openIndexFile(file);
    database = new Database(file, { readOnly: true });
    const limit = new WorkLimit(new Int32Array(1));
    limit.begin(1);
    limit.register(database);
    new IndexCheck(new Statements(database), limit).slice(undefined, { timeMs: Infinity, deep });
    return false;
  } catch {
    return true;
  } finally {
    database?.close();
  }
}

/** The same bytes in every run. */
function noise(size: number, seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}

function writeOver(at: number, bytes: Buffer): void {
  const changed = Buffer.from(original);
  bytes.copy(changed, at);
  writeFileSync(damaged, changed);
}

test.each([true, false])('an index that nobody wrote over is whole (deep: %p)', (deep) => {
  copyFileSync(path, damaged);
  expect(isNoticed(damaged, deep)).toBe(false);
  expect(contentOf(damaged)).toBe(content);
});

describe.each([
  [3000, true],
  [3000, false],
  [50, true],
  [50, false],
])('%i bytes (deep: %p)', (size, deep) => {
  test.each([0, 100, 2500, PAGE_SIZE - 3000, PAGE_SIZE - 50])(
    'from %i of a page on are noticed, or held nothing',
    (offset) => {
      const pages = Array.from({ length: original.length / PAGE_SIZE }, (_, page) => page);
      const lost = pages.filter((page) => {
        writeOver(page * PAGE_SIZE + offset, noise(Math.min(size, PAGE_SIZE - offset), page + 1));
        return !isNoticed(damaged, deep) && contentOf(damaged) !== content;
      });
      expect(lost).toEqual([]);
    },
  );
});

test('the index of documents without a file, and a document whose number is negative', () => {
  const database = new Database(path, { readOnly: true });
  const rootOf = (name: string): number =>
    database.prepare<{ page: number }>('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(name)?.page ??
    0;
  const [uploads, documents] = [rootOf('doc_1_without_file'), rootOf('doc_1')];
  database.close();
  writeOver((uploads - 1) * PAGE_SIZE, noise(200, 7));
  expect(isNoticed(damaged)).toBe(true);
  // The only cell of the page begins where its header says: its length and then, from 1 on, the number of the row.
  const page = (documents - 1) * PAGE_SIZE;
  const cell = page + original.readUInt16BE(page + 8);
  writeOver(cell, Buffer.concat([original.subarray(cell, cell + 1), Buffer.from([0x81])]));
  expect(isNoticed(damaged)).toBe(true);
});
