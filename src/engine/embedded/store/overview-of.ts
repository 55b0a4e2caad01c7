import { CrawlerError } from '../../../base/errors.js';
import { Database } from '../../../base/sqlite.js';
import type { IndexOverview } from '../../engine.js';
import { MOST_EXTENSIONS } from '../../search-overview.js';
import { raw, sql } from './sql.js';
import { Statements } from './statements.js';
import { tablesOf } from './schema.js';

const CACHE_KIB = 512;
const PREFIX = 'overview:';

interface IndexRow {
  readonly id: number;
  readonly documents: number;
}

/**
 * What an index holds, as it was counted last, or from its narrow rows: half a second for a million documents. The thread that
 * writes keeps what it has counted (`keepOverview`), until it writes again.
 */
export function overviewOf(database: Database, name: string): IndexOverview {
  const statements = new Statements(database);
  const index = indexRow(statements, name);
  const kept = keptOverview(statements, index);
  if (kept !== undefined) return kept;
  const extensions = statements.all<{ extension: string; documents: number }>(
    sql`SELECT extension, count(*) AS documents FROM ${raw(tablesOf(index.id).doc)} WHERE extension IS NOT NULL
      GROUP BY extension ORDER BY documents DESC, extension LIMIT ${MOST_EXTENSIONS}`,
  );
  return { documents: index.documents, extensions };
}

/** What was kept in the file at `path`; undefined as well where the file cannot be read. A few milliseconds. */
export function readKeptOverview(path: string, name: string): IndexOverview | undefined {
  try {
    const database = new Database(path, { readOnly: true, cacheKib: CACHE_KIB });
    try {
      // A prepared statement would keep the file open.
      const index = `SELECT id FROM idx WHERE name = '${name.replaceAll("'", "''")}'`;
      const [documents] = database.values(`SELECT documents FROM idx WHERE id = (${index})`);
      const [kept] = database.values(`SELECT value FROM property WHERE name = '${PREFIX}' || (${index})`);
      return typeof kept === 'string' ? validOverview(kept, Number(documents)) : undefined;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

/** For the runs that change nothing. The thread that writes calls it, between two commits. */
export function keepOverview(database: Database, name: string, overview: IndexOverview): void {
  const statements = new Statements(database);
  const index = indexRow(statements, name);
  if (keptOverview(statements, index) !== undefined) return;
  database
    .prepare('INSERT OR REPLACE INTO property(name, value) VALUES(?, ?)')
    .run(propertyOf(index), JSON.stringify(overview));
}

/** Part of every commit. */
export const FORGET_OVERVIEWS = `DELETE FROM property WHERE name GLOB '${PREFIX}*'`;

function indexRow(statements: Statements, name: string): IndexRow {
  const row = statements.get<IndexRow>(sql`SELECT id, documents FROM idx WHERE name = ${name}`);
  if (row === undefined) throw new CrawlerError('not_found', `There is no index [${name}].`, { subject: name });
  return row;
}

function keptOverview(statements: Statements, index: IndexRow): IndexOverview | undefined {
  const row = statements.get<{ value: string }>(sql`SELECT value FROM property WHERE name = ${propertyOf(index)}`);
  return row === undefined ? undefined : validOverview(row.value, index.documents);
}

function validOverview(kept: string, documents: number): IndexOverview | undefined {
  const overview = JSON.parse(kept) as IndexOverview;
  return overview.documents === documents ? overview : undefined;
}

function propertyOf({ id }: IndexRow): string {
  return `${PREFIX}${id}`;
}
