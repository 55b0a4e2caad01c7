import { CrawlerError } from '../../../base/errors.js';
import type { Database } from '../../../base/sqlite.js';
import type { IndexOverview } from '../../engine.js';
import { MOST_EXTENSIONS } from '../../search-overview.js';
import { raw, sql } from '../store/sql.js';
import { Statements } from '../store/statements.js';
import { tablesOf } from '../store/schema.js';

/** What an index holds, from its narrow rows: the thread that writes needs nothing of what a search does. */
export function overviewOf(database: Database, name: string): IndexOverview {
  const statements = new Statements(database);
  const row = statements.get<{ id: number; documents: number }>(
    sql`SELECT id, documents FROM idx WHERE name = ${name}`,
  );
  if (row === undefined) throw new CrawlerError('not_found', `There is no index [${name}].`, { subject: name });
  const extensions = statements.all<{ extension: string; documents: number }>(
    sql`SELECT extension, count(*) AS documents FROM ${raw(tablesOf(row.id).doc)} WHERE extension IS NOT NULL
      GROUP BY extension ORDER BY documents DESC, extension LIMIT ${MOST_EXTENSIONS}`,
  );
  return { documents: row.documents, extensions };
}
