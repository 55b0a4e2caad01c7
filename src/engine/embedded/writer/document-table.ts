import type { Database, Statement } from '../../../base/sqlite.js';
import { FieldRegistry } from '../fields/field-registry.js';
import { cellsInOrder, textsInOrder, type FieldValues } from '../fields/field-values.js';
import { documentChecksum } from '../store/document-checksum.js';
import type { PackedBody } from '../store/packed-body.js';
import { DOC_COLUMNS, FTS_COLUMNS, tablesOf } from '../store/schema.js';
import { indexText, scopedText } from '../text/tokens.js';

/**
 * The tables of one index from the writer's side. Every call is made inside the writer's transaction, which ends with
 * `finish` or `abandon`.
 *
 * The full text is held back until `finish` and then written in the order of row ids: FTS5 writes out what it has gathered
 * whenever a row id is smaller than the one before, so that updates in the order of arrival would cost a segment each.
 */
interface ExistingRow {
  readonly id: number;
  readonly ver: number;
  readonly size: number;
}

export class DocumentTable {
  readonly #index: number;
  readonly #fields: FieldRegistry;
  readonly #statements: DocumentStatements;
  readonly #fullText = new Map<number, readonly (string | undefined)[] | 'gone'>();
  readonly #existedBefore = new Set<number>();
  #documents = 0;
  #bytes = 0;

  constructor(database: Database, index: number) {
    this.#index = index;
    this.#fields = new FieldRegistry(database, index);
    this.#statements = prepareStatements(database, index);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  put(id: string, values: FieldValues, body: PackedBody): void {
    // Numbers for all names first: when there are too many, nothing of the document has been written. Exact values come
    // before texts, because the first number that a name gets tells its type.
    const exact = values.exact.map(({ name, kind, type, value }) => {
      return { field: this.#fields.numberOf(name, kind, type), value };
    });
    const texts = this.#texts(values);
    const row = this.#putRow(id, values, body);
    for (const { field, value } of exact) this.#statements.addValue.run(row, field, value);
    this.#fullText.set(row, texts);
  }

  /** False when there is no such document. */
  remove(id: string): boolean {
    const existing = this.#find(id);
    if (existing === undefined) return false;
    this.#statements.removeDoc.run(existing.id);
    this.#statements.removeBody.run(existing.id);
    this.#statements.removeValues.run(existing.id);
    this.#noteFullText(existing.id);
    this.#fullText.set(existing.id, 'gone');
    this.#count(-1, -existing.size);
    return true;
  }

  /** Writes what was held back. */
  finish(): void {
    const { addText, replaceText, removeText, count, forgetChecksums } = this.#statements;
    for (const [row, texts] of [...this.#fullText].sort(([left], [right]) => left - right)) {
      const existed = this.#existedBefore.has(row);
      if (texts !== 'gone') (existed ? replaceText : addText).run(row, ...texts);
      else if (existed) removeText.run(row);
    }
    if (this.#documents !== 0 || this.#bytes !== 0) count.run(this.#documents, this.#bytes);
    if (this.#documents < 0) forgetChecksums.run();
    this.#clear();
  }

  /** The transaction is rolled back: forget what belongs to it. */
  abandon(): void {
    this.#fields.forget();
    this.#clear();
  }

  #find(id: string): ExistingRow | undefined {
    return this.#statements.find.get(id);
  }

  #putRow(id: string, values: FieldValues, body: PackedBody): number {
    const existing = this.#find(id);
    const cells = cellsInOrder(values.cells);
    const { insertDoc, updateDoc, putBody, removeValues } = this.#statements;
    if (existing === undefined) {
      const row = insertDoc.run(id, 1, ...cells).lastInsertRowid;
      putBody.run(row, body.size, body.encoding, body.bytes, this.#checksum(id, 1, body));
      this.#count(1, body.size);
      return row;
    }
    const version = existing.ver + 1;
    updateDoc.run(existing.id, id, version, ...cells);
    putBody.run(existing.id, body.size, body.encoding, body.bytes, this.#checksum(id, version, body));
    removeValues.run(existing.id);
    this.#noteFullText(existing.id);
    this.#count(0, body.size - existing.size);
    return existing.id;
  }

  #checksum(uid: string, version: number, { bytes }: PackedBody): number {
    return documentChecksum({ index: this.#index, uid, version }, bytes);
  }

  /** A row that the full text knows from an earlier transaction must be replaced there, a new one only added. */
  #noteFullText(row: number): void {
    if (!this.#fullText.has(row)) this.#existedBefore.add(row);
  }

  #texts(values: FieldValues): (string | undefined)[] {
    const texts = textsInOrder(values.texts).map((text) => (text === undefined ? undefined : indexText(text)));
    const extra: string[] = [];
    const scoped: string[] = [];
    for (const [name, text] of values.scoped) {
      extra.push(text);
      scoped.push(scopedText(this.#fields.numberOf(name, 'text', 'text'), text));
    }
    if (extra.length > 0) {
      texts[FTS_COLUMNS.indexOf('extra')] = indexText(extra.join('\n'));
      texts[FTS_COLUMNS.indexOf('scoped')] = scoped.join('\n');
    }
    return texts;
  }

  #count(documents: number, bytes: number): void {
    this.#documents += documents;
    this.#bytes += bytes;
  }

  #clear(): void {
    this.#fullText.clear();
    this.#existedBefore.clear();
    this.#documents = 0;
    this.#bytes = 0;
  }
}

interface DocumentStatements {
  readonly find: Statement<ExistingRow>;
  readonly insertDoc: Statement;
  readonly updateDoc: Statement;
  readonly removeDoc: Statement;
  readonly putBody: Statement;
  readonly removeBody: Statement;
  readonly addValue: Statement;
  readonly removeValues: Statement;
  readonly addText: Statement;
  readonly replaceText: Statement;
  readonly removeText: Statement;
  readonly count: Statement;
  readonly forgetChecksums: Statement;
}

function prepareStatements(database: Database, index: number): DocumentStatements {
  const { doc, body, kv, fts } = tablesOf(index);
  const cells = DOC_COLUMNS.map(() => '?').join(', ');
  const texts = FTS_COLUMNS.map(() => '?').join(', ');
  const columns = FTS_COLUMNS.join(', ');
  return {
    find: database.prepare(`SELECT d.id, d.ver, b.size FROM ${doc} d JOIN ${body} b ON b.id = d.id WHERE d.uid = ?`),
    insertDoc: database.prepare(`INSERT INTO ${doc} VALUES(NULL, ?, ?, ${cells})`),
    updateDoc: database.prepare(`REPLACE INTO ${doc} VALUES(?, ?, ?, ${cells})`),
    removeDoc: database.prepare(`DELETE FROM ${doc} WHERE id = ?`),
    putBody: database.prepare(`REPLACE INTO ${body} VALUES(?, ?, ?, ?, ?)`),
    removeBody: database.prepare(`DELETE FROM ${body} WHERE id = ?`),
    addValue: database.prepare(`INSERT OR IGNORE INTO ${kv}(id, field, val) VALUES(?, ?, ?)`),
    removeValues: database.prepare(`DELETE FROM ${kv} WHERE id = ?`),
    addText: database.prepare(`INSERT INTO ${fts}(rowid, ${columns}) VALUES(?, ${texts})`),
    replaceText: database.prepare(`REPLACE INTO ${fts}(rowid, ${columns}) VALUES(?, ${texts})`),
    removeText: database.prepare(`DELETE FROM ${fts} WHERE rowid = ?`),
    count: database.prepare(`UPDATE idx SET documents = documents + ?, bytes = bytes + ? WHERE id = ${String(index)}`),
    // Where no document is left: see word-checksums.ts.
    forgetChecksums: database.prepare(
      `DELETE FROM word_sum WHERE idx = (SELECT id FROM idx WHERE id = ${String(index)} AND documents = 0)`,
    ),
  };
}
