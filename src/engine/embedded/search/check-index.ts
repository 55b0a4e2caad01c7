import type { SqlValue } from '../../../base/sqlite.js';
import { fieldValues, UnfitDocument, type FieldValues } from '../fields/field-values.js';
import { occurrence } from '../query/fulltext-expression.js';
import { CorruptContent } from '../store/corrupt-content.js';
import { documentChecksum } from '../store/document-checksum.js';
import { unpackBody } from '../store/packed-body.js';
import { DERIVATION, DOC_COLUMNS, FTS_COLUMNS, tablesOf, withoutFileIndex } from '../store/schema.js';
import { SegmentChecksums } from '../store/segment-checksums.js';
import { join, raw, sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';
import type { WorkLimit } from '../store/work-limit.js';
import type { CheckCursor, CheckLimits, CheckSlice } from '../threads/protocol.js';

/**
 * Reads everything that the index holds and compares it with what was written: the words by the checksums of their segments,
 * each document by its own, and its rows, found on every way that leads to them. A deep check also makes the rows anew from each
 * document and compares them, which takes ten times as long. In slices, so that it can be done while nobody searches. The
 * first corruption throws `CorruptContent`.
 */
const DOCUMENTS_AT_ONCE = { deep: 20, shallow: 200 };

/** A word that every tokenizer cuts alike. */
const PLAIN_WORD = /(?:^|\s)([A-Za-z0-9]{2,20})(?=\s)/;

/** Paths to a row of doc_N besides its number. */
const DOC_INDICES = ['real_path', 'virtual_path', 'last_modified'] as const;

interface CheckedRow {
  readonly id: number;
  readonly uid: string;
  readonly ver: number;
  readonly enc: number | null;
  readonly src: Uint8Array | null;
  readonly sum: number | null;
  readonly ways: number;
}

type DocumentRow = CheckedRow & Readonly<Record<(typeof DOC_COLUMNS)[number], string | number | null>>;

export class IndexCheck {
  readonly #statements: Statements;
  readonly #limit: WorkLimit;

  constructor(statements: Statements, limit: WorkLimit) {
    this.#statements = statements;
    this.#limit = limit;
  }

  /** From the cursor on, the first index when there is none, until the time is over. */
  slice(cursor: CheckCursor | undefined, { timeMs, deep }: CheckLimits): CheckSlice {
    const endMs = performance.now() + timeMs;
    if (cursor === undefined) this.#lists();
    let next = cursor ?? this.#firstOf(0);
    let documents = 0;
    while (next !== undefined) {
      this.#limit.check();
      const step = next.after === 'words' ? this.#words(next.index) : this.#documents(next.index, next.after, deep);
      documents += step.documents;
      next = step.next;
      if (performance.now() > endMs) break;
    }
    return { next, documents };
  }

  /** The lists that everything else goes by are small: each is read, values and all, on each of its ways. */
  #lists(): void {
    const row = this.#statements.get<Readonly<Record<string, number>>>(
      sql`SELECT (SELECT count(*) FROM idx NOT INDEXED) AS indices,
        (SELECT count(*) FROM (SELECT name FROM idx ORDER BY name)) AS indices_by_name,
        (SELECT count(*) FROM field x NOT INDEXED WHERE (SELECT y.id FROM field y
          WHERE y.idx = x.idx AND y.name = x.name AND y.kind = x.kind) = x.id) AS fields,
        (SELECT count(*) FROM (SELECT idx, name, kind FROM field ORDER BY idx, name, kind)) AS fields_by_name,
        (SELECT count(*) FROM word_sum WHERE idx + length(segment) + sum IS NOT NULL)
          + (SELECT count(*) FROM property WHERE length(name) + length(value) IS NOT NULL) AS others`,
    );
    const { indices, indices_by_name: named, fields, fields_by_name: namedFields } = row ?? {};
    if (indices !== named || fields !== namedFields)
      throw new CorruptContent('the lists of its fields contradict each other');
  }

  #firstOf(index: number): CheckCursor | undefined {
    const row = this.#statements.get<{ id: number | null }>(sql`SELECT min(id) AS id FROM idx WHERE id >= ${index}`);
    const id = row?.id ?? undefined;
    return id === undefined ? undefined : { index: id, after: 'words' };
  }

  #words(index: number): CheckSlice {
    const checksums = new SegmentChecksums(this.#statements, index);
    for (const segment of checksums.segments()) {
      const known = this.#statements.get<{ sum: number }>(
        sql`SELECT sum FROM word_sum WHERE idx = ${index} AND segment = ${segment.name}`,
      );
      if (known === undefined) continue;
      if (checksums.checksum(segment, () => this.#limit.check()) !== known.sum) {
        throw new CorruptContent('some of its words are not as they were written');
      }
    }
    return { next: { index, after: 0 }, documents: 0 };
  }

  #documents(index: number, after: number, deep: boolean): CheckSlice {
    const limit = deep ? DOCUMENTS_AT_ONCE.deep : DOCUMENTS_AT_ONCE.shallow;
    const page = { index, after, limit };
    const rows = deep ? this.#rows<DocumentRow>(page, 'd.*') : this.#rows(page, 'd.id, d.uid, d.ver');
    let last = after;
    for (const row of rows) {
      if (row.id <= last) throw new CorruptContent('its documents are out of order');
      last = row.id;
      this.#document(index, row);
      if (deep) this.#derived(index, row as DocumentRow);
    }
    const isLast = rows.length < limit;
    this.#values(index, after, isLast ? Number.MAX_SAFE_INTEGER : last);
    if (!isLast) return { next: { index, after: last }, documents: rows.length };
    this.#counts(index);
    return { next: this.#firstOf(index + 1), documents: rows.length };
  }

  #rows<Row extends CheckedRow = CheckedRow>(
    { index, after, limit }: { readonly index: number; readonly after: number; readonly limit: number },
    columns: string,
  ): Row[] {
    const { doc, body, fts } = tablesOf(index);
    const byIndex = DOC_INDICES.map((column) => {
      const [table, name] = [raw(doc), raw(column)];
      const found = sql`SELECT 1 FROM ${table} x INDEXED BY ${raw(`${doc}_${column}`)}
        WHERE x.${name} = d.${name} AND x.id = d.id`;
      return sql`(d.${name} IS NULL OR EXISTS (${found}))`;
    });
    const ways = [
      sql`(SELECT x.id FROM ${raw(doc)} x WHERE x.uid = d.uid) IS d.id`,
      sql`EXISTS (SELECT 1 FROM ${raw(`${fts}_docsize`)} z WHERE z.id = d.id)`,
      sql`(d.root IS NOT NULL OR EXISTS (SELECT 1 FROM ${raw(doc)} x INDEXED BY ${raw(withoutFileIndex(doc))}
        WHERE x.root IS NULL AND x.id = d.id))`,
      ...byIndex,
    ];
    return this.#statements.all<Row>(
      sql`SELECT ${raw(columns)}, b.enc, b.src, b.sum, ${join(ways, ' AND ')} AS ways
        FROM ${raw(doc)} d LEFT JOIN ${raw(body)} b ON b.id = d.id
        WHERE d.id > ${after} ORDER BY d.id LIMIT ${limit}`,
    );
  }

  #document(index: number, { uid, ver: version, enc, src, sum, ways }: CheckedRow): void {
    if (src === null || enc === null) throw new CorruptContent(`the document [${uid}] is not there`);
    if (sum !== null && documentChecksum({ index, uid, version }, src) !== sum) {
      throw new CorruptContent(`the document [${uid}] is not as it was written`);
    }
    if (ways !== 1) throw new CorruptContent(`the document [${uid}] cannot be found by all of its fields`);
  }

  /** The rows of a document against those that would be made from it now. */
  #derived(index: number, row: DocumentRow): void {
    const values = valuesOf(unpackBody(row.enc ?? 0, row.src ?? new Uint8Array()));
    if (values === undefined) return;
    if (!this.#hasWord(index, row.id, values)) {
      throw new CorruptContent(`the document [${row.uid}] cannot be found by its words`);
    }
    if (!this.#isDerivedOtherwise() && !this.#hasValues(index, row, values)) {
      throw new CorruptContent(`the document [${row.uid}] cannot be found by all of its fields`);
    }
  }

  /** Of these documents, and of those that are missing between them. */
  #values(index: number, after: number, last: number): void {
    const kv = raw(tablesOf(index).kv);
    const same = sql`SELECT 1 FROM ${kv} x WHERE x.field = k.field AND x.val = k.val AND x.id = k.id`;
    const lost = sql`SELECT id FROM ${kv} k INDEXED BY ${raw(`${tablesOf(index).kv}_id`)}
      WHERE k.id > ${after} AND k.id <= ${last} AND NOT EXISTS (${same}) LIMIT 1`;
    if (this.#statements.get(lost) !== undefined)
      throw new CorruptContent('some of its documents cannot be found by all of their fields');
  }

  /** One word tells whether the full text counts the document as deleted; the rest is seen to by the checksums. */
  #hasWord(index: number, id: number, { texts }: FieldValues): boolean {
    for (const column of FTS_COLUMNS) {
      const word = PLAIN_WORD.exec(texts[column] ?? '')?.[1];
      if (word === undefined) continue;
      const fts = raw(tablesOf(index).fts);
      const target = { weights: new Map([[column, 1]]), scope: undefined };
      const { expression } = occurrence({ tokens: [word], prefix: false }, target);
      const found = sql`SELECT 1 AS found FROM ${fts} WHERE ${fts} MATCH ${expression} AND rowid = ${id}`;
      return this.#statements.get(found) !== undefined;
    }
    return true;
  }

  /** Values are asked for and not read: numbers beyond 2^53 cannot be. */
  #hasValues(index: number, row: DocumentRow, { cells, exact }: FieldValues): boolean {
    if (DOC_COLUMNS.some((column) => row[column] !== (cells[column] ?? null))) return false;
    const expected = new Map(exact.map((each) => [`${each.kind} ${each.name} ${keyOf(each.value)}`, each]));
    for (const { name, kind, value } of expected.values()) {
      const field = this.#numberOf(index, name, kind);
      if (field === undefined || !this.#hasValue(index, field, value, row.id)) return false;
    }
    return this.#countOfValues(index, row.id) === expected.size;
  }

  #numberOf(index: number, name: string, kind: string): number | undefined {
    return this.#statements.get<{ id: number }>(
      sql`SELECT id FROM field WHERE idx = ${index} AND name = ${name} AND kind = ${kind}`,
    )?.id;
  }

  #hasValue(index: number, field: number, value: SqlValue, id: number): boolean {
    const kv = raw(tablesOf(index).kv);
    const found = sql`SELECT 1 AS found FROM ${kv} WHERE field = ${field} AND val = ${value} AND id = ${id}`;
    return this.#statements.get(found) !== undefined;
  }

  #countOfValues(index: number, id: number): number | undefined {
    const { kv } = tablesOf(index);
    const rows = sql`SELECT count(*) AS n FROM ${raw(kv)} INDEXED BY ${raw(`${kv}_id`)} WHERE id = ${id}`;
    return this.#statements.get<{ n: number }>(rows)?.n;
  }

  /** What was written by another version of the crawler may rightly have other rows. */
  #isDerivedOtherwise(): boolean {
    const row = this.#statements.get<{ value: string }>(sql`SELECT value FROM property WHERE name = 'derivation'`);
    return row?.value !== DERIVATION;
  }

  /**
   * A branch of a tree that is lost as a whole is missed by nobody who only follows the tree. Neither is a row whose number has
   * become negative: rows are read from 1 on. The index of the documents without a file has nothing but their numbers.
   */
  #counts(index: number): void {
    const { doc, fts, kv } = tablesOf(index);
    const withoutFile = raw(withoutFileIndex(doc));
    const row = this.#statements.get<Readonly<Record<'told' | 'rows' | 'readable' | 'indexed' | 'texts', number>>>(
      sql`SELECT (SELECT documents FROM idx WHERE id = ${index}) AS told,
        (SELECT count(*) FROM ${raw(doc)} NOT INDEXED) AS rows,
        (SELECT count(*) FROM ${raw(doc)} NOT INDEXED WHERE id > 0) AS readable,
        (SELECT count(*) FROM (SELECT uid FROM ${raw(doc)} ORDER BY uid)) AS indexed,
        (SELECT count(*) FROM ${raw(`${fts}_docsize`)}) AS texts`,
    );
    const uploads = this.#statements.get<Readonly<Record<'rows' | 'indexed', number>>>(
      sql`SELECT (SELECT count(*) FROM ${raw(doc)} NOT INDEXED WHERE root IS NULL) AS rows,
        (SELECT count(*) FROM ${raw(doc)} INDEXED BY ${withoutFile} WHERE root IS NULL AND id IS NOT NULL) AS indexed`,
    );
    const values = this.#statements.get<Readonly<Record<'rows' | 'indexed', number>>>(
      sql`SELECT (SELECT count(*) FROM ${raw(kv)} NOT INDEXED) AS rows,
        (SELECT count(*) FROM ${raw(kv)} INDEXED BY ${raw(`${kv}_id`)} WHERE id > 0) AS indexed`,
    );
    // Opens the full text, with its settings; the words themselves were read before.
    this.#statements.get(sql`SELECT 1 AS found FROM ${raw(fts)} WHERE ${raw(fts)} MATCH 'a' LIMIT 1`);
    const counts = new Set(Object.values(row ?? {}));
    if (counts.size !== 1 || uploads?.rows !== uploads?.indexed || values?.rows !== values?.indexed)
      throw new CorruptContent('some of its documents are not there');
  }
}

/** Undefined for a document that today's rules would not take. */
function valuesOf(source: Readonly<Record<string, unknown>>): FieldValues | undefined {
  try {
    return fieldValues(source);
  } catch (error) {
    if (error instanceof UnfitDocument) return undefined;
    throw error;
  }
}

function keyOf(value: SqlValue): string {
  return `${typeof value} ${String(value)}`;
}
