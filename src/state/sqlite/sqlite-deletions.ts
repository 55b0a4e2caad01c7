import { toStorableText } from '../../base/sqlite.js';
import type { Deletions, FolderRecord, GoneCounts, LocatedFile } from '../catalog.js';
import type { CatalogDatabase } from './catalog-database.js';
import {
  FOLDER_COLUMNS,
  GONE,
  INDEXED,
  pageOfFiles,
  RELEASED,
  SKIPPED,
  toFolder,
  type FileKey,
} from './catalog-rows.js';

/** What was found gone, until its documents are removed. */
export class SqliteDeletions implements Deletions {
  readonly #catalog: CatalogDatabase;

  constructor(catalog: CatalogDatabase) {
    this.#catalog = catalog;
  }

  markFolderGone(id: number): void {
    const below = `WITH RECURSIVE below(id) AS (
      SELECT id FROM folder WHERE id = ? UNION ALL SELECT folder.id FROM folder JOIN below ON folder.parent = below.id)`;
    const within = 'folder IN (SELECT id FROM below)';
    this.#catalog.batch(() => {
      const skipped = `SELECT folder, name FROM file WHERE ${within} AND state = ${SKIPPED}`;
      this.#catalog.sql(`${below} DELETE FROM note WHERE ${within} AND (folder, name) IN (${skipped})`).run(id);
      this.#catalog.sql(`${below} DELETE FROM file WHERE ${within} AND state = ${SKIPPED}`).run(id);
      // Only what was indexed may come back as it was.
      const kept = `rules = iif(state = ${INDEXED}, rules, 0)`;
      this.#catalog
        .sql(
          `${below} UPDATE file SET state = ${GONE}, ${kept} WHERE ${within} AND state NOT IN (${GONE}, ${RELEASED})`,
        )
        .run(id);
      const sql = `${below} UPDATE folder SET gone = max(gone, 1), scan = done, digest = '' WHERE id IN (SELECT id FROM below)`;
      this.#catalog.sql(sql).run(id);
    });
  }

  otherRoots(root: string): readonly FolderRecord[] {
    const sql = `SELECT ${FOLDER_COLUMNS} FROM folder WHERE parent = 0 AND gone = 0 AND path <> ?`;
    return this.#catalog.sql(sql).all(toStorableText(root)).map(toFolder);
  }

  goneRoots(): readonly string[] {
    return this.#catalog
      .sql('SELECT path FROM folder WHERE parent = 0 AND gone = 1 ORDER BY path')
      .all()
      .map((row) => row['path'] as string);
  }

  goneCounts(): GoneCounts {
    // All of it stands in the index of what is gone.
    const gone = this.#catalog
      .sql(
        `SELECT count(*) AS n, total(folder) AS folders, total(length(name)) AS lengths, total(unicode(name)) AS letters
         FROM file WHERE state = ${GONE}`,
      )
      .get();
    return {
      files: Number(gone?.['n'] ?? 0),
      digest: [gone?.['folders'], gone?.['lengths'], gone?.['letters']].join('-'),
      folders: this.#catalog.number('SELECT count(*) AS n FROM folder WHERE gone = 1'),
    };
  }

  releaseGone(limit: number): number {
    const files = `SELECT folder, name FROM file WHERE state = ${GONE} LIMIT ?`;
    const released = this.#catalog
      .sql(`UPDATE file SET state = ${RELEASED}, rules = 0 WHERE (folder, name) IN (${files})`)
      .run(limit).changes;
    if (released > 0) return released;
    const folders = 'SELECT id FROM folder WHERE gone = 1 LIMIT ?';
    return this.#catalog.sql(`UPDATE folder SET gone = 2 WHERE id IN (${folders})`).run(limit).changes;
  }

  releasedFiles(after: FileKey | undefined, limit: number): readonly LocatedFile[] {
    return pageOfFiles(this.#catalog, `f.state = ${RELEASED}`, after, limit);
  }

  releasedFolders(limit: number): readonly FolderRecord[] {
    return this.#catalog
      .sql(
        `SELECT ${FOLDER_COLUMNS} FROM folder d WHERE gone = 2
         AND NOT EXISTS (SELECT 1 FROM file WHERE folder = d.id) AND NOT EXISTS (SELECT 1 FROM folder WHERE parent = d.id)
       LIMIT ?`,
      )
      .all(limit)
      .map(toFolder);
  }

  forgetFolder(id: number): void {
    this.#catalog.sql('DELETE FROM folder WHERE id = ?').run(id);
  }

  namesakes(names: readonly string[]): readonly FileKey[] {
    return this.#catalog
      .sql(
        `SELECT folder, name FROM file
         WHERE name IN (SELECT value FROM json_each(?)) AND state NOT IN (${SKIPPED}, ${GONE}, ${RELEASED})`,
      )
      .all(JSON.stringify(names.map(toStorableText)))
      .map((row) => ({ folderId: row['folder'] as number, name: row['name'] as string }));
  }

  goneFiles(after: FileKey | undefined, limit: number): readonly LocatedFile[] {
    return pageOfFiles(this.#catalog, `f.state = ${GONE}`, after, limit);
  }

  goneByFolder(limit: number): readonly { readonly folderPath: string; readonly files: number }[] {
    return this.#catalog
      .sql(
        `SELECT d.path, count(*) AS n FROM file f JOIN folder d ON d.id = f.folder
         WHERE f.state = ${GONE} GROUP BY f.folder ORDER BY n DESC, d.path LIMIT ?`,
      )
      .all(limit)
      .map((row) => ({ folderPath: row['path'] as string, files: row['n'] as number }));
  }
}
