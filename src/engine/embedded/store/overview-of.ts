import { CrawlerError } from '../../../base/errors.js';
import { Database } from '../../../base/sqlite.js';
import type { IndexOverview } from '../../engine.js';
import { MOST_EXTENSIONS } from '../../search-overview.js';
import { raw, sql } from './sql.js';
import { Statements } from './statements.js';
import { tablesOf } from './schema.js';

const PREFIX = 'overview:';

interface IndexRow {
  readonly id: number;
  readonly documents: number;
}

/**
 * What an index holds, counted from its narrow rows: half a second for a million documents. The thread that writes keeps what it
 * has counted (`keepOverview`), until it writes again.
 */
export function countOverview(database: Database, name: string): IndexOverview {
  const statements = new Statements(database);
  const { id, documents } = indexRow(statements, name);
  const extensions = statements.all<{ extension: string; documents: number }>(
    sql`SELECT extension, count(*) AS documents FROM ${raw(tablesOf(id).doc)} WHERE extension IS NOT NULL
      GROUP BY extension ORDER BY documents DESC, extension LIMIT ${MOST_EXTENSIONS}`,
  );
  return { documents, extensions };
}

/** What was kept in the file at `path`; undefined as well where the file cannot be read. A few milliseconds. */
export function readKeptOverview(path: string, name: string): IndexOverview | undefined {
  try {
    const database = new Database(path, { readOnly: true });
    try {
      return keptOverview(database, name);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

/** For the runs that change nothing. The thread that writes calls it, between two commits. */
export function keepOverview(database: Database, name: string, overview: IndexOverview): void {
  const { id } = indexRow(new Statements(database), name);
  database
    .prepare('INSERT OR REPLACE INTO property(name, value) VALUES(?, ?)')
    .run(`${PREFIX}${id}`, JSON.stringify(overview));
}

/** Part of every commit. */
export const FORGET_OVERVIEWS = `DELETE FROM property WHERE name GLOB '${PREFIX}*'`;

/** As it was counted last, if nothing was written since. Read without a prepared statement, which would keep the file open. */
export function keptOverview(database: Database, name: string): IndexOverview | undefined {
  const [kept] = database.values(
    `SELECT property.value FROM idx JOIN property ON property.name = '${PREFIX}' || idx.id
      WHERE idx.name = '${name.replaceAll("'", "''")}' AND property.value ->> 'documents' = idx.documents`,
  );
  return typeof kept === 'string' ? (JSON.parse(kept) as IndexOverview) : undefined;
}

function indexRow(statements: Statements, name: string): IndexRow {
  const row = statements.get<IndexRow>(sql`SELECT id, documents FROM idx WHERE name = ${name}`);
  if (row === undefined) throw new CrawlerError('not_found', `There is no index [${name}].`, { subject: name });
  return row;
}
