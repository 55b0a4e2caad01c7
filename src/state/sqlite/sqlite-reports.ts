import type { SqlRow, SqlValue } from '../../base/sqlite.js';
import type {
  CatalogReports,
  CatalogTotals,
  NamedState,
  FolderRecord,
  FolderTotals,
  LocatedFile,
  LocatedName,
  ReasonCounts,
} from '../catalog.js';
import { reasonsOf, STATE_COUNTS, statesOf, totalsBelow } from '../folder-totals.js';
import type { CatalogDatabase } from './catalog-database.js';
import {
  FILE_COLUMNS,
  FILE_FROM,
  FOLDER_COLUMNS,
  GONE,
  INDEXED,
  pageOfFiles,
  RELEASED,
  toFolder,
  toLocated,
  toState,
  type FileKey,
} from './catalog-rows.js';

const NOTES_AT_ONCE = 20_000;

/** What reports and comparisons of whole trees read. Nothing is written. */
export class SqliteReports implements CatalogReports {
  readonly #catalog: CatalogDatabase;

  constructor(catalog: CatalogDatabase) {
    this.#catalog = catalog;
  }

  problems(after: FileKey | undefined, limit: number): readonly LocatedFile[] {
    // Notes are few: the files are looked up by them, and not the other way round.
    return this.#catalog
      .sql(
        `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM note n
         CROSS JOIN file f ON f.folder = n.folder AND f.name = n.name CROSS JOIN folder d ON d.id = f.folder
       WHERE (n.folder, n.name) > (?, ?) ORDER BY n.folder, n.name LIMIT ?`,
      )
      .all(after?.folderId ?? -1, after?.name ?? '', limit)
      .map(toLocated);
  }

  fileStates(folderId: number): readonly NamedState[] {
    return this.#catalog
      .sql('SELECT name, state FROM file WHERE folder = ?')
      .all(folderId)
      .map((row) => ({ name: row['name'] as string, state: toState(row['state']) }));
  }

  indexedFiles(after: FileKey | undefined, limit: number): readonly LocatedName[] {
    return this.#catalog
      .sql(
        `SELECT f.folder, f.name, d.path FROM file f JOIN folder d ON d.id = f.folder
       WHERE f.state = 1 AND (f.folder, f.name) > (?, ?) ORDER BY f.folder, f.name LIMIT ?`,
      )
      .all(after?.folderId ?? -1, after?.name ?? '', limit)
      .map((row) => ({
        folderId: row['folder'] as number,
        folderPath: row['path'] as string,
        name: row['name'] as string,
      }));
  }

  filesOfGoneFolders(after: FileKey | undefined, limit: number): readonly LocatedFile[] {
    return pageOfFiles(this.#catalog, `f.state IN (${GONE}, ${RELEASED}) AND d.gone > 0`, after, limit);
  }

  folders(afterId: number, limit: number): readonly FolderRecord[] {
    const sql = `SELECT ${FOLDER_COLUMNS} FROM folder WHERE id > ? AND gone = 0 ORDER BY id LIMIT ?`;
    return this.#catalog.sql(sql).all(afterId, limit).map(toFolder);
  }

  folderCount(): number {
    return this.#catalog.number('SELECT count(*) AS n FROM folder WHERE gone = 0');
  }

  filesNamed(part: string, limit: number): readonly LocatedFile[] {
    const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
    return this.#catalog
      .sql(
        `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM ${FILE_FROM} JOIN folder d ON d.id = f.folder
         WHERE f.name LIKE ? ESCAPE '\\' ORDER BY f.name <> ?, f.folder, f.name LIMIT ?`,
      )
      .all(pattern, part, limit)
      .map(toLocated);
  }

  indexedSince(epochMs: number): { readonly indexed: number; readonly later: number } {
    const row = this.#catalog
      .sql(`SELECT count(*) AS n, coalesce(sum(at_ms > ?), 0) AS later FROM file WHERE state = ${INDEXED}`)
      .get(epochMs);
    return { indexed: (row?.['n'] ?? 0) as number, later: (row?.['later'] ?? 0) as number };
  }

  filesDatedAfter(epochMs: number): number {
    return this.#catalog.number('SELECT count(*) AS n FROM file WHERE modified_ms > ?', epochMs);
  }

  totals(): CatalogTotals {
    const states = statesOf(this.#catalog.sql(`SELECT ${STATE_COUNTS} FROM file`).get());
    const files = Object.values(states).reduce((sum, count) => sum + count, 0);
    return {
      files,
      folders: this.#catalog.number('SELECT count(*) AS n FROM folder'),
      states,
      reasons: this.reasons(),
    };
  }

  /** In pages: SQLite sorts what it groups in memory, and every file that is left out has a note. */
  reasons(): ReasonCounts {
    const page = 'FROM note WHERE (folder, name) > (?, ?) ORDER BY folder, name LIMIT';
    const counts: Record<string, number> = {};
    let after: SqlRow | undefined = { folder: -1, name: '' };
    while (after !== undefined) {
      const key: readonly (SqlValue | undefined)[] = [after['folder'], after['name']];
      const grouped = `SELECT reason, count(*) AS n FROM (SELECT reason ${page} ${NOTES_AT_ONCE}) GROUP BY reason`;
      for (const [reason, count] of Object.entries(reasonsOf(this.#catalog.sql(grouped).all(...key))))
        counts[reason] = (counts[reason] ?? 0) + count;
      after = this.#catalog.sql(`SELECT folder, name ${page} 1 OFFSET ${NOTES_AT_ONCE - 1}`).get(...key);
    }
    return counts;
  }

  totalsBelow(folderId: number): FolderTotals {
    return totalsBelow((sql) => this.#catalog.sql(sql), folderId);
  }
}
