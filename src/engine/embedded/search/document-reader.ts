import { toStorableText } from '../../../base/sqlite.js';
import type { StoredDocument } from '../../engine.js';
import { unpackBody } from '../store/packed-body.js';
import { raw, sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';
import type { ScanPage } from '../threads/protocol.js';
import type { OpenIndex } from './index-catalog.js';

/** Reads documents as they were sent: one by id, some by row, all in pages. */
interface DocumentRow {
  readonly id: number;
  readonly uid: string;
  readonly ver: number;
  readonly enc: number;
  readonly src: Uint8Array;
}

type Source = Readonly<Record<string, unknown>>;

/** A page ends at whichever comes first; one document alone may be larger. */
const PAGE_DOCUMENTS = 500;
const PAGE_BYTES = 2_000_000;

export class DocumentReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  byId({ name, tables }: OpenIndex, id: string): StoredDocument | undefined {
    const { doc, body } = tables;
    const row = this.#statements.get<DocumentRow>(
      sql`SELECT d.uid, d.ver, b.enc, b.src FROM ${raw(doc)} d JOIN ${raw(body)} b ON b.id = d.id
        WHERE d.uid = ${toStorableText(id)}`,
    );
    return row === undefined ? undefined : toDocument(name, row);
  }

  /** Bytes of the JSON of a row, without reading it. */
  sizeOf({ tables }: OpenIndex, row: number): number {
    return (
      this.#statements.get<{ size: number }>(sql`SELECT size FROM ${raw(tables.body)} WHERE id = ${row}`)?.size ?? 0
    );
  }

  source({ tables }: OpenIndex, row: number): Source {
    const body = this.#statements.get<Pick<DocumentRow, 'enc' | 'src'>>(
      sql`SELECT enc, src FROM ${raw(tables.body)} WHERE id = ${row}`,
    );
    return body === undefined ? {} : unpackBody(body.enc, body.src);
  }

  idOf({ tables }: OpenIndex, row: number): string {
    return this.#statements.get<{ uid: string }>(sql`SELECT uid FROM ${raw(tables.doc)} WHERE id = ${row}`)?.uid ?? '';
  }

  /** The documents behind the row `after`. Rows are never renumbered, so a page begins where the one before ended. */
  page({ name, tables }: OpenIndex, after: number): ScanPage {
    const { doc, body } = tables;
    const sizes = this.#statements.all<{ id: number; size: number }>(
      sql`SELECT id, size FROM ${raw(body)} WHERE id > ${after} ORDER BY id LIMIT ${PAGE_DOCUMENTS}`,
    );
    const last = lastOfPage(sizes);
    if (last === undefined) return { documents: [], next: undefined };
    const rows = this.#statements.all<DocumentRow>(
      sql`SELECT d.id, d.uid, d.ver, b.enc, b.src FROM ${raw(body)} b JOIN ${raw(doc)} d ON d.id = b.id
        WHERE b.id > ${after} AND b.id <= ${last} ORDER BY b.id`,
    );
    return { documents: rows.map((row) => toDocument(name, row)), next: last };
  }
}

function lastOfPage(sizes: readonly { readonly id: number; readonly size: number }[]): number | undefined {
  let bytes = 0;
  let last: number | undefined;
  for (const { id, size } of sizes) {
    bytes += size;
    if (last !== undefined && bytes > PAGE_BYTES) break;
    last = id;
  }
  return last;
}

function toDocument(index: string, row: DocumentRow): StoredDocument {
  return { index, id: row.uid, version: row.ver, source: unpackBody(row.enc, row.src) };
}
