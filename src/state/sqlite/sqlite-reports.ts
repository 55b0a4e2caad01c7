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
import { reasonsOf, statesOf, totalsBelow } from '../folder-totals.js';
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
    const states = statesOf(this.#catalog.sql('SELECT state, count(*) AS n FROM file GROUP BY state').all());
    const files = Object.values(states).reduce((sum, count) => sum + count, 0);
    return {
      files,
      folders: this.#catalog.number('SELECT count(*) AS n FROM folder'),
      states,
      reasons: this.reasons(),
    };
  }

  reasons(): ReasonCounts {
    return reasonsOf(this.#catalog.sql('SELECT reason, count(*) AS n FROM note GROUP BY reason').all());
  }

  totalsBelow(folderId: number): FolderTotals {
    return totalsBelow((sql) => this.#catalog.sql(sql), folderId);
  }
}
