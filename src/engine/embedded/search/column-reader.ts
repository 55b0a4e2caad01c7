import type { StoredDocument } from '../../engine.js';
import { KNOWN_FIELDS } from '../fields/known-fields.js';
import type { DocColumn, IndexTables } from '../store/schema.js';
import { raw, sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';

/**
 * Pages of a scan that wants nothing but keywords which doc_N has columns for, such as `path.real`: the documents
 * themselves are not read. A million documents then cost two seconds instead of unpacking each. A page travels between the
 * threads as a few lists and becomes documents on the other side.
 */
export interface ColumnPage {
  readonly fields: readonly string[];
  readonly ids: readonly string[];
  readonly versions: readonly number[];
  /** One list a field; null where a document has no such value. */
  readonly values: readonly (readonly (string | null)[])[];
  readonly next: number | undefined;
}

const PAGE_DOCUMENTS = 2000;

/** The columns of these fields, or undefined when the documents have to be read. Dates and numbers are kept in another form. */
export function keywordColumns(fields: readonly string[] | undefined): readonly DocColumn[] | undefined {
  if (fields === undefined) return undefined;
  const columns = fields.map((field) => {
    const known = KNOWN_FIELDS.get(field);
    return known?.type === 'keyword' ? known.column : undefined;
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

export function readColumns(
  statements: Statements,
  { tables }: { readonly tables: IndexTables },
  request: { readonly after: number; readonly fields: readonly string[]; readonly columns: readonly DocColumn[] },
): ColumnPage {
  const { after, fields, columns } = request;
  const names = raw(['id', 'uid', 'ver', ...columns].join(', '));
  const rows = statements.all<Readonly<Record<string, string | number | null>>>(
    sql`SELECT ${names} FROM ${raw(tables.doc)} WHERE id > ${after} ORDER BY id LIMIT ${PAGE_DOCUMENTS}`,
  );
  return {
    fields,
    ids: rows.map((row) => String(row['uid'])),
    versions: rows.map((row) => Number(row['ver'])),
    values: columns.map((column) => rows.map((row) => row[column] as string | null)),
    next: rows.at(-1)?.['id'] as number | undefined,
  };
}

/** The documents of a page, with the fields that were asked for. */
export function documentsOf(index: string, { fields, ids, versions, values }: ColumnPage): StoredDocument[] {
  const ways = fields.map((field) => field.split('.'));
  return ids.map((id, at) => {
    const source: Record<string, unknown> = {};
    ways.forEach((way, field) => put(source, way, values[field]?.[at] ?? null));
    return { index, id, version: versions[at] ?? 1, source };
  });
}

/** Names of columns have one part or two. */
function put(source: Record<string, unknown>, [first = '', second]: readonly string[], value: string | null): void {
  if (value === null) return;
  if (second === undefined) source[first] = value;
  else source[first] = { ...(source[first] as Readonly<Record<string, unknown>> | undefined), [second]: value };
}
