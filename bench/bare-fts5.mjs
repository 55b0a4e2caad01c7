// What SQLite's full-text index costs by itself: the texts of an index and nothing else, no documents, no catalog, no program.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** As slow and as fast as it is used: rows for each transaction, and what SQLite offers for filling an index. */
const WAYS = {
  '100 a transaction': { rows: 100, pragmas: [], options: '' },
  'contentless, one transaction': {
    rows: Infinity,
    pragmas: ['PRAGMA synchronous=NORMAL', 'PRAGMA cache_size=-262144'],
    options: ", content=''",
    settings: [
      "INSERT INTO texts(texts, rank) VALUES('hashsize', 67108864)",
      "INSERT INTO texts(texts, rank) VALUES('automerge', 0)",
    ],
  },
};

/** Seconds for each way. */
export function bareInsertion(texts) {
  return Object.fromEntries(Object.entries(WAYS).map(([name, way]) => [name, insert(texts, way)]));
}

function insert(texts, { rows, pragmas, options, settings = [] }) {
  const folder = mkdtempSync(join(tmpdir(), 'bare-fts5-'));
  try {
    const database = new DatabaseSync(join(folder, 'texts.db'));
    for (const pragma of ['PRAGMA journal_mode=WAL', ...pragmas]) database.exec(pragma);
    database.exec(`CREATE VIRTUAL TABLE texts USING fts5(body${options})`);
    for (const setting of settings) database.exec(setting);
    const statement = database.prepare('INSERT INTO texts(rowid, body) VALUES(?, ?)');
    const start = performance.now();
    for (let from = 0; from < texts.length; from += Math.min(rows, texts.length)) {
      database.exec('BEGIN');
      for (const [at, text] of texts.slice(from, from + rows).entries()) statement.run(from + at + 1, text);
      database.exec('COMMIT');
    }
    const seconds = (performance.now() - start) / 1000;
    database.close();
    return seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
