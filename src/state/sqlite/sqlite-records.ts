import { toStorableText } from '../../base/sqlite.js';
import type { FileRecord, FileRecords, Fingerprint, FolderRecord, LocatedFile } from '../catalog.js';
import { STATES } from '../folder-totals.js';
import type { CatalogDatabase } from './catalog-database.js';
import {
  FILE_COLUMNS,
  FILE_FROM,
  FOLDER_COLUMNS,
  GONE,
  INDEXED,
  RELEASED,
  toFile,
  toFolder,
  toLocated,
} from './catalog-rows.js';

/** What is known of each file and folder. */
export class SqliteRecords implements FileRecords {
  readonly #catalog: CatalogDatabase;

  constructor(catalog: CatalogDatabase) {
    this.#catalog = catalog;
  }

  files(folderId: number): readonly FileRecord[] {
    return this.#catalog.sql(`SELECT ${FILE_COLUMNS} FROM ${FILE_FROM} WHERE f.folder = ?`).all(folderId).map(toFile);
  }

  fileByPath(folderPath: string, name: string): FileRecord | undefined {
    const row = this.#catalog
      .sql(
        `SELECT ${FILE_COLUMNS} FROM ${FILE_FROM} WHERE f.folder = (SELECT id FROM folder WHERE path = ?) AND f.name = ?`,
      )
      .get(toStorableText(folderPath), toStorableText(name));
    return row === undefined ? undefined : toFile(row);
  }

  saveFiles(records: readonly FileRecord[]): void {
    const save = this.#catalog.sql('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const note = this.#catalog.sql('INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?, ?)');
    const clearNote = this.#catalog.sql('DELETE FROM note WHERE folder = ? AND name = ?');
    this.#catalog.batch(() => {
      for (const each of records) {
        const name = toStorableText(each.name);
        const state = STATES.indexOf(each.state);
        const times = [each.modifiedMs, each.changedMs, each.createdMs, each.inode];
        save.run(each.folderId, name, each.size, ...times, each.version, state, each.rules, each.atMs);
        if (each.reason === undefined) clearNote.run(each.folderId, name);
        else note.run(each.folderId, name, each.reason, storable(each.message), each.tries, each.retryMs);
      }
    });
  }

  forgetFile(folderId: number, name: string): void {
    this.#catalog.sql('DELETE FROM file WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
    this.#catalog.sql('DELETE FROM note WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
  }

  filesByInode(fingerprint: Fingerprint): readonly LocatedFile[] {
    if (fingerprint.inode === 0) return [];
    return this.#catalog
      .sql(
        `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM ${FILE_FROM} JOIN folder d ON d.id = f.folder
       WHERE f.inode = ? AND f.inode <> 0 AND f.size = ? AND f.modified_ms = ? AND f.created_ms = ?
         AND f.state IN (${INDEXED}, ${GONE}, ${RELEASED})`,
      )
      .all(fingerprint.inode, fingerprint.size, fingerprint.modifiedMs, fingerprint.createdMs)
      .map(toLocated);
  }

  folderByPath(path: string): FolderRecord | undefined {
    const row = this.#catalog.sql(`SELECT ${FOLDER_COLUMNS} FROM folder WHERE path = ?`).get(toStorableText(path));
    return row === undefined ? undefined : toFolder(row);
  }

  subfolders(parentId: number): readonly FolderRecord[] {
    return this.#catalog
      .sql(`SELECT ${FOLDER_COLUMNS} FROM folder WHERE parent = ? AND gone = 0`)
      .all(parentId)
      .map(toFolder);
  }

  saveFolderDocument(id: number, documentMs: number): void {
    this.#catalog.sql('UPDATE folder SET document_ms = ? WHERE id = ?').run(documentMs, id);
  }

  reconsiderFile(folderId: number, name: string): void {
    this.#catalog.batch(() => {
      this.#catalog.sql('UPDATE file SET rules = 0 WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
      const note = 'UPDATE note SET tries = 0, retry_ms = 0 WHERE folder = ? AND name = ?';
      this.#catalog.sql(note).run(folderId, toStorableText(name));
      this.reconsiderFolder(folderId);
    });
  }

  reconsiderFolder(id: number): void {
    this.#catalog.sql("UPDATE folder SET digest = '' WHERE id = ?").run(id);
  }

  reconsiderFolderDocument(id: number): void {
    this.#catalog.batch(() => {
      this.#catalog.sql('UPDATE folder SET document_ms = 0 WHERE id = ?').run(id);
      // It is written when the folder above is looked at.
      this.#catalog.sql("UPDATE folder SET digest = '' WHERE id = (SELECT parent FROM folder WHERE id = ?)").run(id);
    });
  }
}

function storable(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toStorableText(text);
}
