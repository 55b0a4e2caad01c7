import { isDeepStrictEqual } from 'node:util';
import { Database, type Statement } from '../../../base/sqlite.js';
import type { LostDocument } from '../../index-incidents.js';
import { fieldValues } from '../fields/field-values.js';
import { documentChecksum } from '../store/document-checksum.js';
import { unpackBody } from '../store/packed-body.js';
import { DOC_COLUMNS } from '../store/schema.js';
import type { PageFile } from './page-file.js';
import { tableRows, type StoredValue, type TableRow } from './table-rows.js';

/**
 * Finds the documents in the pages of a damaged file, whatever has become of the trees that led to them. Bodies and the rows
 * with their ids lie apart; the checksum of a body tells which row is its own, and of which index.
 *
 * A document with a file behind it is only recovered when it is whole, since the tree has it. Any other is recovered when it can
 * be read at all: then it may differ from what it was (`doubtful`), or have lost its id and get a new one.
 */
export interface RecoveredDocument {
  readonly index: string;
  /** Undefined: a new one. */
  readonly id: string | undefined;
  readonly version: number;
  readonly json: string;
  readonly withoutFile: boolean;
  readonly doubtful: boolean;
}

export interface KnownIndices {
  readonly names: ReadonlyMap<number, string>;
  /** Where documents go whose index is not known. */
  readonly fallback: string;
}

interface DocRow {
  readonly uid: string;
  readonly ver: number;
  /** The cells of doc_N as JSON. */
  readonly cells: string;
}

interface Body {
  readonly enc: number;
  readonly src: Buffer;
  readonly sum: number | null;
}

const FIRST_CELL = 3;
const LOST_SHOWN = 100;
const ROOT = DOC_COLUMNS.indexOf('root');
const FILENAME = DOC_COLUMNS.indexOf('filename');

export class DocumentRecovery {
  readonly #file: PageFile;
  readonly #scratch: Database;
  readonly #indices: Map<number, string>;
  readonly #fallback: string;
  readonly #statements: ScratchStatements;

  /** `scratch` is a path for a file that does not exist yet; the numbers and names of indices may be known from elsewhere. */
  constructor(file: PageFile, scratch: string, known: KnownIndices) {
    this.#file = file;
    this.#indices = new Map(known.names);
    this.#fallback = known.fallback;
    this.#scratch = new Database(scratch, { journal: 'DELETE' });
    this.#scratch.exec(SCRATCH_TABLES);
    this.#statements = prepareStatements(this.#scratch);
  }

  /** Goes through all pages and notes where what is. Yields after each page. */
  *survey(): Generator<undefined> {
    const free = this.#file.freePages();
    this.#scratch.exec('BEGIN');
    for (let page = 1; page <= this.#file.pages; page += 1) {
      if (!free.has(page)) for (const row of tableRows(this.#file, page)) this.#note(row, page);
      yield undefined;
    }
    this.#scratch.exec('COMMIT');
  }

  /** After the survey. In the order in which documents were first indexed, each in its newest version. */
  *documents(): Generator<RecoveredDocument | undefined> {
    for (let after = -1; ;) {
      const rows = this.#statements.rowsAfter.all(after);
      const last = rows.at(-1)?.row;
      if (last === undefined) return;
      for (const { row } of rows) {
        yield* this.#newestOf(row);
        yield undefined;
      }
      after = last;
    }
  }

  /** Documents whose row was found, but no body that can be read, and that no file is behind. */
  lost(): { readonly count: number; readonly some: readonly LostDocument[] } {
    let count = 0;
    const some: LostDocument[] = [];
    for (const { uid, cells } of this.#statements.unrecovered.iterate()) {
      const values = JSON.parse(cells) as readonly StoredValue[];
      if (values[ROOT] !== null) continue;
      count += 1;
      const filename = values[FILENAME];
      if (some.length < LOST_SHOWN) some.push({ id: uid, filename: typeof filename === 'string' ? filename : null });
    }
    return { count, some };
  }

  close(): void {
    this.#scratch.close();
  }

  #note({ rowid, values }: TableRow, page: number): void {
    const { addDoc, addBody } = this.#statements;
    if (isDoc(values)) addDoc.run(rowid, values[1], values[2], JSON.stringify(values.slice(FIRST_CELL)));
    else if (isBody(values)) addBody.run(rowid, page);
    else if (isIndex(values)) this.#indices.set(rowid, values[1]);
  }

  /**
   * A document keeps its row for life, and each index has a row of that number. Pages that are no longer in use may hold older
   * versions.
   */
  #newestOf(row: number): RecoveredDocument[] {
    const pages = this.#statements.pagesOf.all(row);
    const found = pages.flatMap(({ page }) => this.#document(row, page) ?? []);
    const whole = found.filter(({ doubtful }) => !doubtful);
    const used = whole.length > 0 ? whole : found.slice(0, 1);
    const isNewest = ({ index, id, version }: RecoveredDocument): boolean =>
      !used.some((other) => other.index === index && other.id === id && other.version > version);
    return used.filter(isNewest).filter(({ index, id }) => {
      return id === undefined || this.#statements.addRecovered.run(index, id).changes > 0;
    });
  }

  #document(row: number, page: number): RecoveredDocument | undefined {
    const body = this.#bodyAt(row, page);
    const source = body === undefined ? undefined : readable(body);
    if (body === undefined || source === undefined) return undefined;
    const json = JSON.stringify(source);
    const docs = this.#statements.docsOf.all(row);
    const own = this.#ownerOf(body, docs, source);
    const withoutFile = !hasFile(source);
    if (own?.index !== undefined) return { ...own, index: own.index, json, withoutFile, doubtful: false };
    if (!withoutFile) return undefined;
    // Its row says who it is when there is only one; otherwise nothing does.
    const id = own?.id ?? (docs.length === 1 ? docs[0]?.uid : undefined);
    return { index: this.#fallback, id, version: 1, json, withoutFile, doubtful: own === undefined };
  }

  #bodyAt(row: number, page: number): Body | undefined {
    for (const { rowid, values } of tableRows(this.#file, page)) {
      if (rowid === row && isBody(values)) return { enc: values[2], src: values[3], sum: values[4] ?? null };
    }
    return undefined;
  }

  /** The index is undefined where its name is lost. */
  #ownerOf({ src, sum }: Body, docs: readonly DocRow[], source: Source): Owner | undefined {
    for (const { uid, ver: version, cells } of docs) {
      if (sum === null) {
        if (!isDeepStrictEqual(JSON.parse(cells), cellsOf(source))) continue;
        return { index: this.#indices.size === 1 ? this.#fallback : undefined, id: uid, version };
      }
      const numbers = new Set([...this.#indices.keys(), ...Array.from({ length: MOST_INDICES }, (_, at) => at + 1)]);
      for (const index of numbers) {
        if (documentChecksum({ index, uid, version }, src) !== sum) continue;
        return { index: this.#indices.get(index), id: uid, version };
      }
    }
    return undefined;
  }
}

/** Indices of a file whose numbers are tried when nothing tells them. */
const MOST_INDICES = 16;

type Source = Readonly<Record<string, unknown>>;

interface Owner {
  readonly index: string | undefined;
  readonly id: string;
  readonly version: number;
}

const SCRATCH_TABLES = `
  CREATE TABLE doc(row INTEGER NOT NULL, uid TEXT NOT NULL, ver INTEGER NOT NULL, cells TEXT NOT NULL);
  CREATE INDEX doc_row ON doc(row);
  CREATE TABLE body(row INTEGER NOT NULL, page INTEGER NOT NULL, PRIMARY KEY(row, page)) WITHOUT ROWID;
  CREATE TABLE recovered(uid TEXT NOT NULL, idx TEXT NOT NULL, PRIMARY KEY(uid, idx)) WITHOUT ROWID;`;

interface ScratchStatements {
  readonly addDoc: Statement;
  readonly addBody: Statement;
  readonly docsOf: Statement<DocRow>;
  readonly rowsAfter: Statement<{ row: number }>;
  readonly pagesOf: Statement<{ page: number }>;
  readonly addRecovered: Statement;
  readonly unrecovered: Statement<DocRow>;
}

function prepareStatements(scratch: Database): ScratchStatements {
  return {
    addDoc: scratch.prepare('INSERT INTO doc VALUES(?, ?, ?, ?)'),
    addBody: scratch.prepare('INSERT OR IGNORE INTO body VALUES(?, ?)'),
    docsOf: scratch.prepare('SELECT uid, ver, cells FROM doc WHERE row = ? ORDER BY ver DESC'),
    rowsAfter: scratch.prepare('SELECT DISTINCT row FROM body WHERE row > ? ORDER BY row LIMIT 500'),
    pagesOf: scratch.prepare('SELECT page FROM body WHERE row = ?'),
    addRecovered: scratch.prepare('INSERT OR IGNORE INTO recovered(idx, uid) VALUES(?, ?)'),
    unrecovered: scratch.prepare('SELECT uid, ver, cells FROM doc WHERE uid NOT IN (SELECT uid FROM recovered)'),
  };
}

function isDoc(values: readonly StoredValue[]): values is [null, string, number, ...StoredValue[]] {
  const [id, uid, ver, ...cells] = values;
  const fits = cells.every((cell) => cell === null || typeof cell === 'string' || typeof cell === 'number');
  return (
    id === null && typeof uid === 'string' && typeof ver === 'number' && cells.length === DOC_COLUMNS.length && fits
  );
}

/** The checksum came later: rows of an older file end before it. */
function isBody(values: readonly StoredValue[]): values is [null, number, number, Buffer, ...(number | null)[]] {
  const [id, size, enc, src, sum] = values;
  const isSum = sum === undefined || sum === null || typeof sum === 'number';
  return (
    (values.length === 4 || values.length === 5) &&
    id === null &&
    typeof size === 'number' &&
    typeof enc === 'number' &&
    Buffer.isBuffer(src) &&
    isSum
  );
}

function isIndex(values: readonly StoredValue[]): values is [null, string, number, number] {
  const [id, name, documents, bytes] = values;
  const fits = typeof name === 'string' && typeof documents === 'number' && typeof bytes === 'number';
  return values.length === 4 && id === null && fits;
}

function readable({ enc, src }: Body): Source | undefined {
  try {
    const source: unknown = unpackBody(enc, src);
    return typeof source === 'object' && source !== null && !Array.isArray(source) ? { ...source } : undefined;
  } catch {
    return undefined;
  }
}

function cellsOf(source: Source): unknown {
  try {
    const { cells } = fieldValues(source);
    return DOC_COLUMNS.map((column) => cells[column] ?? null);
  } catch {
    return undefined;
  }
}

/** Crawled documents tell their root; uploads do not. */
function hasFile(source: Source): boolean {
  const path = source['path'];
  return typeof path === 'object' && path !== null && 'root' in path && typeof path.root === 'string';
}
