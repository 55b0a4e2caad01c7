import type { SqlRow, Statement } from '../base/sqlite.js';
import type { Reason } from '../model/reason.js';
import type { FileState, FolderTotals } from './catalog.js';

/** What the numbers of `file.state` mean. */
export const STATES = ['', 'indexed', 'skipped', 'failed', 'gone', 'sent', 'gone'] as const satisfies readonly (
  FileState | ''
)[];

/**
 * Columns that count the records of each state. Grouped by state, SQLite would sort all records first, in memory: 64 MB for a
 * million of them.
 */
export const STATE_COUNTS = STATES.map((_, state) => `count(*) FILTER (WHERE state = ${state}) AS s${state}`).join(
  ', ',
);

/** The folder and all below it that are not gone. */
const BELOW = `WITH RECURSIVE below(id) AS (
  SELECT ?1 UNION ALL SELECT folder.id FROM below JOIN folder ON folder.parent = below.id WHERE folder.gone = 0)`;

/** Counts the records below a folder. */
export function totalsBelow(prepare: (sql: string) => Statement, folderId: number): FolderTotals {
  const count = (sql: string): SqlRow[] => prepare(`${BELOW} ${sql}`).all(folderId);
  const [folders] = count(
    `SELECT count(*) - 1 AS n, count(reason) AS closed FROM below JOIN folder ON folder.id = below.id`,
  );
  return {
    folders: Number(folders?.['n'] ?? 0),
    closedFolders: Number(folders?.['closed'] ?? 0),
    states: statesOf(count(`SELECT ${STATE_COUNTS} FROM below CROSS JOIN file ON file.folder = below.id`)[0]),
    reasons: reasonsOf(
      count('SELECT reason, count(*) AS n FROM below CROSS JOIN note ON note.folder = below.id GROUP BY reason'),
    ),
  };
}

/** A row of `STATE_COUNTS`. */
export function statesOf(row: SqlRow | undefined): Partial<Record<FileState, number>> {
  const states: Partial<Record<FileState, number>> = {};
  STATES.forEach((name, state) => {
    const count = Number(row?.[`s${state}`] ?? 0);
    if (name !== '' && count > 0) states[name] = (states[name] ?? 0) + count;
  });
  return states;
}

/** Rows of `reason` and `n`. */
export function reasonsOf(rows: readonly SqlRow[]): Partial<Record<Reason, number>> {
  return Object.fromEntries(rows.map(({ reason, n }) => [String(reason), Number(n)]));
}
