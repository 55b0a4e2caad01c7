import { parentPath } from '../../base/path.js';
import { toStorableText } from '../../base/sqlite.js';
import type { CatalogFacts, FolderRecord, FolderState, ScanFrontier, ScanRecord } from '../catalog.js';
import type { CatalogDatabase } from './catalog-database.js';
import { FOLDER_COLUMNS, GONE, toFolder } from './catalog-rows.js';

/** The scan in progress and the folders that are still pending in it. */
export class SqliteFrontier implements ScanFrontier {
  readonly #catalog: CatalogDatabase;
  readonly #facts: CatalogFacts;
  #scan: number;

  constructor(catalog: CatalogDatabase, facts: CatalogFacts) {
    this.#catalog = catalog;
    this.#facts = facts;
    this.#scan = Number(facts.fact('scan.number') ?? 0);
  }

  beginScan(root: string, scanId: string, startedMs: number): ScanRecord {
    this.#catalog.batch(() => {
      this.#scan += 1;
      const scan: ScanRecord = { number: this.#scan, id: scanId, startedMs, files: 0, deleted: 0, failed: 0 };
      this.#facts.setFact('scan.number', String(this.#scan));
      this.#facts.setFact('scan.open', JSON.stringify(scan));
      this.#catalog.sql('UPDATE folder SET done = scan WHERE scan > done').run();
      this.#catalog
        .sql(
          `INSERT INTO folder(parent, path, scan) VALUES (0, ?1, ?2)
         ON CONFLICT(path) DO UPDATE SET scan = ?2, parent = 0, gone = 0`,
        )
        .run(toStorableText(root), this.#scan);
    });
    const scan = this.unfinishedScan();
    if (scan === undefined) throw new Error('The scan that was just begun is not in the catalog.');
    return scan;
  }

  unfinishedScan(): ScanRecord | undefined {
    const text = this.#facts.fact('scan.open');
    return text === undefined ? undefined : (JSON.parse(text) as ScanRecord);
  }

  saveScan(progress: Pick<ScanRecord, 'files' | 'deleted' | 'failed'>): void {
    const scan = this.unfinishedScan();
    if (scan !== undefined) this.#facts.setFact('scan.open', JSON.stringify({ ...scan, ...progress }));
  }

  endScan(): void {
    this.#facts.setFact('scan.open', undefined);
  }

  beginPartialScan(paths: readonly string[]): void {
    this.#catalog.batch(() => {
      this.#scan += 1;
      this.#facts.setFact('scan.number', String(this.#scan));
      const markPending = this.#catalog.sql('UPDATE folder SET scan = ? WHERE path = ? AND gone = 0');
      for (const path of paths) {
        let place: string | undefined = path;
        while (place !== undefined && markPending.run(this.#scan, toStorableText(place)).changes === 0)
          place = parentPath(place);
      }
    });
  }

  pendingFolders(afterId: number, limit: number): readonly FolderRecord[] {
    const sql = `SELECT ${FOLDER_COLUMNS} FROM folder WHERE scan > done AND id > ? ORDER BY id LIMIT ?`;
    return this.#catalog.sql(sql).all(afterId, limit).map(toFolder);
  }

  folderCounts(): { pending: number; completed: number } {
    const pending = this.#catalog.number('SELECT count(*) AS n FROM folder WHERE scan > done');
    const completed = this.#catalog.number('SELECT count(*) AS n FROM folder WHERE done = ?', this.#scan);
    return { pending, completed };
  }

  addSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[] {
    return this.#addFolders(parentId, paths, '');
  }

  addNewSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[] {
    return this.#addFolders(parentId, paths, 'WHERE gone <> 0 OR parent <> ?1');
  }

  /** The document of a released folder may be removed already. */
  #addFolders(parentId: number, paths: readonly string[], unless: string): FolderRecord[] {
    const add = this.#catalog.sql(
      `INSERT INTO folder(parent, path, scan) VALUES (?1, ?2, ?3)
       ON CONFLICT(path) DO UPDATE SET scan = ?3, parent = ?1, gone = 0, document_ms = iif(gone = 2, 0, document_ms)
       ${unless} RETURNING ${FOLDER_COLUMNS}`,
    );
    const records: FolderRecord[] = [];
    this.#catalog.batch(() => {
      for (const path of paths) records.push(...add.all(parentId, toStorableText(path), this.#scan).map(toFolder));
    });
    return records;
  }

  keepSubfolders(parentId: number): void {
    this.#catalog.sql('UPDATE folder SET scan = ? WHERE parent = ? AND gone = 0').run(this.#scan, parentId);
  }

  recheckGone(): void {
    const holding = `SELECT folder FROM file WHERE state = ${GONE} UNION SELECT parent FROM folder WHERE gone = 1`;
    this.#catalog
      .sql(`UPDATE folder SET scan = ?1, done = ?1 - 1, digest = '' WHERE gone = 0 AND id IN (${holding})`)
      .run(this.#scan);
  }

  completeFolder(id: number, { digest, device, reason }: FolderState): void {
    const sql = 'UPDATE folder SET done = scan, digest = ?, device = ?, reason = ? WHERE id = ?';
    this.#catalog.sql(sql).run(digest, device, reason, id);
  }

  keepFolder(id: number): void {
    this.#catalog.sql('UPDATE folder SET done = scan WHERE id = ?').run(id);
  }
}
