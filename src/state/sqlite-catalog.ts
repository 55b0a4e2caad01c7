import { CrawlerError } from '../base/errors.js';
import { formatOf, refuseNewer, type FileDescription } from '../base/file-format.js';
import { parentPath } from '../base/path.js';
import { Database, toStorableText, type SqlRow, type SqlValue, type Statement } from '../base/sqlite.js';
import type { Reason } from '../model/reason.js';
import type {
  Catalog,
  CatalogTotals,
  FileRecord,
  FileStanding,
  FileState,
  Fingerprint,
  FolderRecord,
  FolderState,
  FolderTotals,
  GoneCounts,
  LocatedFile,
  LocatedName,
  ScanRecord,
} from './catalog.js';
import { prepareCatalogFile } from './catalog-file.js';
import { catalogFormat } from './catalog-upgrades.js';
import { reasonsOf, STATES, statesOf, totalsBelow } from './folder-totals.js';

const [INDEXED, SKIPPED, GONE, RELEASED] = [1, 2, 4, 6];

const FILE_COLUMNS = `f.folder, f.name, f.size, f.modified_ms, f.changed_ms, f.created_ms, f.inode, f.version, f.state,
  f.rules, f.at_ms, n.reason, n.message, n.tries, n.retry_ms`;
const FILE_FROM = 'file f LEFT JOIN note n ON n.folder = f.folder AND n.name = f.name';
const FOLDER_COLUMNS = 'id, parent, path, digest, document_ms, device, reason';

type Key = Pick<FileRecord, 'folderId' | 'name'>;

/** The catalog in one SQLite file. One process writes it (the crawl's thread), any number may read. */
export class SqliteCatalog implements Catalog {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  #scan: number;
  #inBatch = false;

  constructor(path: string, options: { readonly readOnly?: boolean } = {}) {
    if (options.readOnly !== true) prepareCatalogFile(path);
    this.#database = new Database(path, { ...options, cacheKib: 8192 });
    this.#scan = Number(this.fact('scan.number') ?? 0);
  }

  fact(name: string): string | undefined {
    return this.#sql('SELECT value FROM fact WHERE name = ?').get(name)?.['value'] as string | undefined;
  }

  setFact(name: string, value: string | undefined): void {
    if (value === undefined) this.#sql('DELETE FROM fact WHERE name = ?').run(name);
    else this.#sql('INSERT OR REPLACE INTO fact(name, value) VALUES (?, ?)').run(name, value);
  }

  beginScan(root: string, scanId: string, startedMs: number): ScanRecord {
    this.batch(() => {
      this.#scan += 1;
      const scan: ScanRecord = { number: this.#scan, id: scanId, startedMs, files: 0, deleted: 0, failed: 0 };
      this.setFact('scan.number', String(this.#scan));
      this.setFact('scan.open', JSON.stringify(scan));
      this.#sql('UPDATE folder SET done = scan WHERE scan > done').run();
      this.#sql(
        `INSERT INTO folder(parent, path, scan) VALUES (0, ?1, ?2)
         ON CONFLICT(path) DO UPDATE SET scan = ?2, parent = 0, gone = 0`,
      ).run(toStorableText(root), this.#scan);
    });
    const scan = this.unfinishedScan();
    if (scan === undefined) throw new Error('The scan that was just begun is not in the catalog.');
    return scan;
  }

  unfinishedScan(): ScanRecord | undefined {
    const text = this.fact('scan.open');
    return text === undefined ? undefined : (JSON.parse(text) as ScanRecord);
  }

  saveScan(progress: Pick<ScanRecord, 'files' | 'deleted' | 'failed'>): void {
    const scan = this.unfinishedScan();
    if (scan !== undefined) this.setFact('scan.open', JSON.stringify({ ...scan, ...progress }));
  }

  endScan(): void {
    this.setFact('scan.open', undefined);
  }

  pendingFolders(afterId: number, limit: number): readonly FolderRecord[] {
    const sql = `SELECT ${FOLDER_COLUMNS} FROM folder WHERE scan > done AND id > ? ORDER BY id LIMIT ?`;
    return this.#sql(sql).all(afterId, limit).map(toFolder);
  }

  folderCounts(): { pending: number; completed: number } {
    const pending = this.#number('SELECT count(*) AS n FROM folder WHERE scan > done');
    const completed = this.#number('SELECT count(*) AS n FROM folder WHERE done = ?', this.#scan);
    return { pending, completed };
  }

  folderCount(): number {
    return this.#number('SELECT count(*) AS n FROM folder WHERE gone = 0');
  }

  folderByPath(path: string): FolderRecord | undefined {
    const row = this.#sql(`SELECT ${FOLDER_COLUMNS} FROM folder WHERE path = ?`).get(toStorableText(path));
    return row === undefined ? undefined : toFolder(row);
  }

  beginLook(paths: readonly string[]): void {
    this.batch(() => {
      this.#scan += 1;
      this.setFact('scan.number', String(this.#scan));
      const look = this.#sql('UPDATE folder SET scan = ? WHERE path = ? AND gone = 0');
      for (const path of paths) {
        let place: string | undefined = path;
        while (place !== undefined && look.run(this.#scan, toStorableText(place)).changes === 0)
          place = parentPath(place);
      }
    });
  }

  addSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[] {
    return this.#addFolders(parentId, paths, '');
  }

  addNewSubfolders(parentId: number, paths: readonly string[]): readonly FolderRecord[] {
    return this.#addFolders(parentId, paths, 'WHERE gone <> 0 OR parent <> ?1');
  }

  /** The document of a released folder may be removed already. */
  #addFolders(parentId: number, paths: readonly string[], unless: string): FolderRecord[] {
    const add = this.#sql(
      `INSERT INTO folder(parent, path, scan) VALUES (?1, ?2, ?3)
       ON CONFLICT(path) DO UPDATE SET scan = ?3, parent = ?1, gone = 0, document_ms = iif(gone = 2, 0, document_ms)
       ${unless} RETURNING ${FOLDER_COLUMNS}`,
    );
    const records: FolderRecord[] = [];
    this.batch(() => {
      for (const path of paths) records.push(...add.all(parentId, toStorableText(path), this.#scan).map(toFolder));
    });
    return records;
  }

  keepSubfolders(parentId: number): void {
    this.#sql('UPDATE folder SET scan = ? WHERE parent = ? AND gone = 0').run(this.#scan, parentId);
  }

  subfolders(parentId: number): readonly FolderRecord[] {
    return this.#sql(`SELECT ${FOLDER_COLUMNS} FROM folder WHERE parent = ? AND gone = 0`).all(parentId).map(toFolder);
  }

  saveFolderDocument(id: number, documentMs: number): void {
    this.#sql('UPDATE folder SET document_ms = ? WHERE id = ?').run(documentMs, id);
  }

  completeFolder(id: number, { digest, device, reason }: FolderState): void {
    const sql = 'UPDATE folder SET done = scan, digest = ?, device = ?, reason = ? WHERE id = ?';
    this.#sql(sql).run(digest, device, reason, id);
  }

  keepFolder(id: number): void {
    this.#sql('UPDATE folder SET done = scan WHERE id = ?').run(id);
  }

  markFolderGone(id: number): void {
    const below = `WITH RECURSIVE below(id) AS (
      SELECT id FROM folder WHERE id = ? UNION ALL SELECT folder.id FROM folder JOIN below ON folder.parent = below.id)`;
    const within = 'folder IN (SELECT id FROM below)';
    this.batch(() => {
      const skipped = `SELECT folder, name FROM file WHERE ${within} AND state = ${SKIPPED}`;
      this.#sql(`${below} DELETE FROM note WHERE ${within} AND (folder, name) IN (${skipped})`).run(id);
      this.#sql(`${below} DELETE FROM file WHERE ${within} AND state = ${SKIPPED}`).run(id);
      // Only what was indexed may come back as it was.
      const kept = `rules = iif(state = ${INDEXED}, rules, 0)`;
      this.#sql(
        `${below} UPDATE file SET state = ${GONE}, ${kept} WHERE ${within} AND state NOT IN (${GONE}, ${RELEASED})`,
      ).run(id);
      const sql = `${below} UPDATE folder SET gone = max(gone, 1), scan = done, digest = '' WHERE id IN (SELECT id FROM below)`;
      this.#sql(sql).run(id);
    });
  }

  files(folderId: number): readonly FileRecord[] {
    return this.#sql(`SELECT ${FILE_COLUMNS} FROM ${FILE_FROM} WHERE f.folder = ?`).all(folderId).map(toFile);
  }

  fileByPath(folderPath: string, name: string): FileRecord | undefined {
    const row = this.#sql(
      `SELECT ${FILE_COLUMNS} FROM ${FILE_FROM} WHERE f.folder = (SELECT id FROM folder WHERE path = ?) AND f.name = ?`,
    ).get(toStorableText(folderPath), toStorableText(name));
    return row === undefined ? undefined : toFile(row);
  }

  saveFiles(records: readonly FileRecord[]): void {
    const save = this.#sql('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const note = this.#sql('INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?, ?)');
    const clearNote = this.#sql('DELETE FROM note WHERE folder = ? AND name = ?');
    this.batch(() => {
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
    this.#sql('DELETE FROM file WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
    this.#sql('DELETE FROM note WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
  }

  filesByInode(fingerprint: Fingerprint): readonly LocatedFile[] {
    if (fingerprint.inode === 0) return [];
    return this.#sql(
      `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM ${FILE_FROM} JOIN folder d ON d.id = f.folder
       WHERE f.inode = ? AND f.inode <> 0 AND f.size = ? AND f.modified_ms = ? AND f.created_ms = ?
         AND f.state IN (${INDEXED}, ${GONE}, ${RELEASED})`,
    )
      .all(fingerprint.inode, fingerprint.size, fingerprint.modifiedMs, fingerprint.createdMs)
      .map(toLocated);
  }

  goneCounts(): GoneCounts {
    return {
      files: this.#number(`SELECT count(*) AS n FROM file WHERE state = ${GONE}`),
      folders: this.#number('SELECT count(*) AS n FROM folder WHERE gone = 1'),
    };
  }

  releaseGone(limit: number): number {
    const files = `SELECT folder, name FROM file WHERE state = ${GONE} LIMIT ?`;
    const released = this.#sql(`UPDATE file SET state = ${RELEASED}, rules = 0 WHERE (folder, name) IN (${files})`).run(
      limit,
    ).changes;
    if (released > 0) return released;
    const folders = 'SELECT id FROM folder WHERE gone = 1 LIMIT ?';
    return this.#sql(`UPDATE folder SET gone = 2 WHERE id IN (${folders})`).run(limit).changes;
  }

  releasedFiles(after: Key | undefined, limit: number): readonly LocatedFile[] {
    return this.#pageOfFiles(`f.state = ${RELEASED}`, after, limit);
  }

  releasedFolders(limit: number): readonly FolderRecord[] {
    return this.#sql(
      `SELECT ${FOLDER_COLUMNS} FROM folder d WHERE gone = 2
         AND NOT EXISTS (SELECT 1 FROM file WHERE folder = d.id) AND NOT EXISTS (SELECT 1 FROM folder WHERE parent = d.id)
       LIMIT ?`,
    )
      .all(limit)
      .map(toFolder);
  }

  forgetFolder(id: number): void {
    this.#sql('DELETE FROM folder WHERE id = ?').run(id);
  }

  problems(after: Key | undefined, limit: number): readonly LocatedFile[] {
    // Notes are few: the files are looked up by them, and not the other way round.
    return this.#sql(
      `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM note n
         CROSS JOIN file f ON f.folder = n.folder AND f.name = n.name CROSS JOIN folder d ON d.id = f.folder
       WHERE (n.folder, n.name) > (?, ?) ORDER BY n.folder, n.name LIMIT ?`,
    )
      .all(after?.folderId ?? -1, after?.name ?? '', limit)
      .map(toLocated);
  }

  fileStates(folderId: number): readonly FileStanding[] {
    return this.#sql('SELECT name, state FROM file WHERE folder = ?')
      .all(folderId)
      .map((row) => ({ name: row['name'] as string, state: toState(row['state']) }));
  }

  indexedFiles(after: Key | undefined, limit: number): readonly LocatedName[] {
    return this.#sql(
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

  filesOfGoneFolders(after: Key | undefined, limit: number): readonly LocatedFile[] {
    return this.#pageOfFiles(`f.state IN (${GONE}, ${RELEASED}) AND d.gone > 0`, after, limit);
  }

  folders(afterId: number, limit: number): readonly FolderRecord[] {
    const sql = `SELECT ${FOLDER_COLUMNS} FROM folder WHERE id > ? AND gone = 0 ORDER BY id LIMIT ?`;
    return this.#sql(sql).all(afterId, limit).map(toFolder);
  }

  filesDatedAfter(epochMs: number): number {
    return this.#number('SELECT count(*) AS n FROM file WHERE modified_ms > ?', epochMs);
  }

  reconsiderFile(folderId: number, name: string): void {
    this.batch(() => {
      this.#sql('UPDATE file SET rules = 0 WHERE folder = ? AND name = ?').run(folderId, toStorableText(name));
      const note = 'UPDATE note SET tries = 0, retry_ms = 0 WHERE folder = ? AND name = ?';
      this.#sql(note).run(folderId, toStorableText(name));
      this.reconsiderFolder(folderId);
    });
  }

  reconsiderFolder(id: number): void {
    this.#sql("UPDATE folder SET digest = '' WHERE id = ?").run(id);
  }

  reconsiderFolderDocument(id: number): void {
    this.batch(() => {
      this.#sql('UPDATE folder SET document_ms = 0 WHERE id = ?').run(id);
      // It is written when the folder above is looked at.
      this.#sql("UPDATE folder SET digest = '' WHERE id = (SELECT parent FROM folder WHERE id = ?)").run(id);
    });
  }

  forgetRules(): void {
    this.batch(() => {
      this.#sql('UPDATE file SET rules = 0').run();
      this.#sql("UPDATE folder SET digest = '', document_ms = 0").run();
    });
  }

  clear(): void {
    this.batch(() => {
      for (const table of ['file', 'note', 'folder']) this.#database.exec(`DELETE FROM ${table}`);
      this.#sql("DELETE FROM fact WHERE name <> 'written_by'").run();
      this.setFact('scan.number', String(this.#scan));
    });
  }

  totals(): CatalogTotals {
    const states = statesOf(this.#sql('SELECT state, count(*) AS n FROM file GROUP BY state').all());
    const reasons = reasonsOf(this.#sql('SELECT reason, count(*) AS n FROM note GROUP BY reason').all());
    const files = Object.values(states).reduce((sum, count) => sum + count, 0);
    return { files, folders: this.#number('SELECT count(*) AS n FROM folder'), states, reasons };
  }

  totalsBelow(folderId: number): FolderTotals {
    return totalsBelow((sql) => this.#sql(sql), folderId);
  }

  batch(work: () => void): void {
    if (this.#inBatch) return work();
    this.#inBatch = true;
    try {
      this.#database.transaction(work);
    } finally {
      this.#inBatch = false;
    }
  }

  /** The number of its format, and the program that gave it. */
  format(): FileDescription {
    return { format: formatOf(this.#database), writtenBy: this.fact('written_by') };
  }

  /**
   * Throws `catalog_damaged` when the file cannot be trusted, `unsupported` or `conflict` for one of another release: it is
   * sound, but not for this program or not yet. Cheap: the structure of the small tables, not of every row.
   */
  check(): void {
    const found = formatOf(this.#database);
    if (found === 0) throw damaged(`unknown version of the catalog: ${found}`);
    refuseNewer(this.#database, catalogFormat);
    if (found < catalogFormat.current) throw notUpgraded(this.#database.path, found);
    const result = this.#sql("PRAGMA quick_check('folder')").get();
    const verdict = result === undefined ? 'ok' : Object.values(result)[0];
    if (verdict !== 'ok') throw damaged(`database disk image is malformed: ${String(verdict)}`);
  }

  close(): void {
    this.#database.close();
  }

  #pageOfFiles(condition: string, after: Key | undefined, limit: number): LocatedFile[] {
    return this.#sql(
      `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM ${FILE_FROM} JOIN folder d ON d.id = f.folder
       WHERE ${condition} AND (f.folder, f.name) > (?, ?) ORDER BY f.folder, f.name LIMIT ?`,
    )
      .all(after?.folderId ?? -1, after?.name ?? '', limit)
      .map(toLocated);
  }

  /** Prepared statements by their text: each is compiled once. */
  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #number(sql: string, ...parameters: SqlValue[]): number {
    return (this.#sql(sql).get(...parameters)?.['n'] ?? 0) as number;
  }
}

function damaged(what: string): CrawlerError {
  return new CrawlerError('catalog_damaged', what);
}

function notUpgraded(path: string, format: number): CrawlerError {
  const message = `The catalog [${path}] is one of an earlier release (format ${format}). The next run of the job upgrades it.`;
  return new CrawlerError('conflict', message, { subject: path });
}

function storable(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toStorableText(text);
}

function toFolder(row: SqlRow): FolderRecord {
  return {
    id: row['id'] as number,
    parentId: row['parent'] as number,
    path: row['path'] as string,
    digest: row['digest'] as string,
    documentMs: row['document_ms'] as number,
    device: row['device'] as number,
    reason: (row['reason'] ?? undefined) as Reason | undefined,
  };
}

function toState(value: SqlValue | undefined): FileState {
  const state = STATES[value as number];
  return state === undefined || state === '' ? 'failed' : state;
}

function toFile(row: SqlRow): FileRecord {
  return {
    folderId: row['folder'] as number,
    name: row['name'] as string,
    size: row['size'] as number,
    modifiedMs: row['modified_ms'] as number,
    changedMs: row['changed_ms'] as number,
    createdMs: row['created_ms'] as number,
    inode: row['inode'] as number,
    version: row['version'] as string,
    state: toState(row['state']),
    reason: (row['reason'] ?? undefined) as Reason | undefined,
    message: (row['message'] ?? undefined) as string | undefined,
    rules: row['rules'] as number,
    tries: (row['tries'] ?? 0) as number,
    atMs: row['at_ms'] as number,
    retryMs: (row['retry_ms'] ?? 0) as number,
  };
}

function toLocated(row: SqlRow): LocatedFile {
  return { folderPath: row['folder_path'] as string, record: toFile(row) };
}
