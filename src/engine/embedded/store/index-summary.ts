import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Database } from '../../../base/sqlite.js';
import { tablesOf } from './schema.js';

/**
 * What the index holds, in a small file beside it: when the index itself is lost, this says how much is lost with it. Written
 * when the writer is idle and when it closes, so it may be some seconds behind.
 */
export interface IndexSummaryFile {
  readonly identity: string;
  readonly indices: Readonly<Record<string, SummarisedIndex>>;
}

export interface SummarisedIndex {
  readonly id: number;
  readonly documents: number;
  /** Documents that no file of a tree is behind: uploads. */
  readonly without_file: number;
}

export function writeIndexSummary(database: Database): void {
  const [identity] = database.values(`SELECT value FROM property WHERE name = 'identity'`);
  const ids = database.values('SELECT id FROM idx ORDER BY id').map(Number);
  const indices = ids.map((id) => [nameOf(database, id), summaryOf(database, id)]);
  const path = summaryPath(database.path);
  const summary = { identity: String(identity), indices: Object.fromEntries(indices) as object };
  writeFileSync(`${path}.tmp`, `${JSON.stringify(summary, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** `index.db` → `index-summary.json`; `index.db.repairing` → `index.db.repairing-summary.json`. */
export function summaryPath(indexPath: string): string {
  return `${indexPath.replace(/\.db$/, '')}-summary.json`;
}

export function totalsOf({ indices }: IndexSummaryFile): { readonly documents: number; readonly withoutFile: number } {
  const all = Object.values(indices);
  return {
    documents: all.reduce((sum, { documents }) => sum + documents, 0),
    withoutFile: all.reduce((sum, { without_file: count }) => sum + count, 0),
  };
}

/** Of a file that nobody has open yet. */
export function summariseIndex(path: string): void {
  const database = new Database(path, { readOnly: true });
  try {
    writeIndexSummary(database);
  } finally {
    database.close();
  }
}

/** Undefined when there is none that can be read. */
export function readIndexSummary(indexPath: string): IndexSummaryFile | undefined {
  try {
    const summary = JSON.parse(readFileSync(summaryPath(indexPath), 'utf8')) as Partial<IndexSummaryFile>;
    const { identity, indices } = summary;
    return typeof identity === 'string' && typeof indices === 'object' ? { identity, indices } : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(database: Database, id: number): string {
  return String(database.values(`SELECT name FROM idx WHERE id = ${id}`)[0]);
}

function summaryOf(database: Database, id: number): SummarisedIndex {
  const one = (sql: string): number => Number(database.values(sql)[0]);
  return {
    id,
    documents: one(`SELECT documents FROM idx WHERE id = ${id}`),
    without_file: one(`SELECT count(*) FROM ${tablesOf(id).doc} WHERE root IS NULL`),
  };
}
