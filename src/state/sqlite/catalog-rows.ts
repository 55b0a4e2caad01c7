import type { SqlRow, SqlValue } from '../../base/sqlite.js';
import type { Reason } from '../../model/reason.js';
import type { FileRecord, FileState, FolderRecord, LocatedFile } from '../catalog.js';
import { STATES } from '../folder-totals.js';
import type { CatalogDatabase } from './catalog-database.js';

/** States of a file as they stand in the column `state`. */
export const [INDEXED, SKIPPED, GONE, RELEASED] = [1, 2, 4, 6];

export const FILE_COLUMNS = `f.folder, f.name, f.size, f.modified_ms, f.changed_ms, f.created_ms, f.inode, f.version, f.state,
  f.rules, f.at_ms, n.reason, n.message, n.tries, n.retry_ms`;
export const FILE_FROM = 'file f LEFT JOIN note n ON n.folder = f.folder AND n.name = f.name';
export const FOLDER_COLUMNS = 'id, parent, path, digest, document_ms, device, reason';

/** A page of files starts after this one. */
export type FileKey = Pick<FileRecord, 'folderId' | 'name'>;

export function toFolder(row: SqlRow): FolderRecord {
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

export function toState(value: SqlValue | undefined): FileState {
  const state = STATES[value as number];
  return state === undefined || state === '' ? 'failed' : state;
}

export function toFile(row: SqlRow): FileRecord {
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

export function toLocated(row: SqlRow): LocatedFile {
  return { folderPath: row['folder_path'] as string, record: toFile(row) };
}

/** Files below folders that are known, in the order of their keys. */
export function pageOfFiles(
  catalog: CatalogDatabase,
  condition: string,
  after: FileKey | undefined,
  limit: number,
): LocatedFile[] {
  return catalog
    .sql(
      `SELECT ${FILE_COLUMNS}, d.path AS folder_path FROM ${FILE_FROM} JOIN folder d ON d.id = f.folder
       WHERE ${condition} AND (f.folder, f.name) > (?, ?) ORDER BY f.folder, f.name LIMIT ?`,
    )
    .all(after?.folderId ?? -1, after?.name ?? '', limit)
    .map(toLocated);
}
