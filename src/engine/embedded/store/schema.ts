/**
 * One file holds many indices. Each has four tables of its own, numbered, so that no statement needs to filter by index and
 * the statistics behind BM25 are those of the index, as in Elasticsearch:
 *
 *   doc_N   a narrow row a document: id, version and the single-valued fields that filters and sorts use most
 *   body_N  the document itself, deflated JSON. Apart from doc_N, so that filtering never reads over bodies
 *   kv_N    every other exact value: (field, value, document), many a document
 *   fts_N   the full text (FTS5, contentless: its text can only be read from body_N). Rowid = doc_N.id
 *
 * A document keeps its row id for life, also over updates: pages of a scan are ordered by it. `field` numbers the names that
 * kv_N and the scoped tokens of fts_N use (see field-registry.ts). `property` holds the identity of the file.
 *
 * SQLite keeps no checksums of its own. `body_N.sum` is one of the document (document-checksum.ts), `word_sum` has one of each
 * segment of the full text (segment-checksums.ts): what a disk changes is noticed by check-index.ts, and everything but the
 * documents is made again from them.
 */
export const SCHEMA_VERSION = 2;
export const PAGE_SIZE = 8192;

/**
 * How rows and words are made from a document (field-values.ts, known-fields.ts). Raise it with every change there: rows that
 * were made in another way are no corruption.
 */
export const DERIVATION = '1';

/** `CRWL`: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x4352574c;

export const FILE_TABLES = `
  CREATE TABLE property(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE idx(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    documents INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE field(id INTEGER PRIMARY KEY, idx INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    type TEXT NOT NULL, UNIQUE(idx, name, kind)) STRICT;
  CREATE TABLE word_sum(idx INTEGER NOT NULL, segment TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY(idx, segment)) WITHOUT ROWID, STRICT;`;

/** Uploads and other documents that have no known root: few enough to be counted at any time. */
export function withoutFileIndex(doc: string): string {
  return `${doc}_without_file`;
}

/** Columns of doc_N that hold field values, in the order in which a row is bound. */
export const DOC_COLUMNS = [
  'checksum',
  'content_type',
  'extension',
  'filename',
  'filesize',
  'indexed_chars',
  'indexing_date',
  'created',
  'last_modified',
  'last_accessed',
  'root',
  'real_path',
  'virtual_path',
  'content_chars',
] as const;
export type DocColumn = (typeof DOC_COLUMNS)[number];

const NUMERIC: ReadonlySet<DocColumn> = new Set<DocColumn>([
  'filesize',
  'indexed_chars',
  'indexing_date',
  'created',
  'last_modified',
  'last_accessed',
  'content_chars',
]);

/**
 * Columns of fts_N. `extra` holds the text of every field without a column of its own, for searches in all fields;
 * `scoped` holds the same text once more with every token marked by its field, for searches in one of them.
 */
export const FTS_COLUMNS = [
  'filename',
  'virtual_path',
  'real_path',
  'title',
  'author',
  'keywords',
  'content',
  'extra',
  'scoped',
] as const;
export type FtsColumn = (typeof FTS_COLUMNS)[number];

/** The columns that are searched when no field is named, with their weights. They hold the text of all fields, each once. */
export const DEFAULT_COLUMNS: ReadonlyMap<FtsColumn, number> = new Map<FtsColumn, number>([
  ['filename', 5],
  ['title', 3],
  ['keywords', 2],
  ['author', 1],
  ['content', 1],
  ['virtual_path', 0.5],
  ['extra', 0.5],
]);

/**
 * Marks (Mn, Mc) count as parts of words, or Hindi and Thai words would fall apart at their vowel signs. The tokenizer folds
 * case and Latin diacritics; what it cannot do is done before (text/tokens.ts).
 */
const TOKENIZER = `unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`;

export interface IndexTables {
  readonly doc: string;
  readonly body: string;
  readonly kv: string;
  readonly fts: string;
}

export function tablesOf(number: number): IndexTables {
  return { doc: `doc_${number}`, body: `body_${number}`, kv: `kv_${number}`, fts: `fts_${number}` };
}

/**
 * The larger hash (4 MB instead of 1) and the lazier merging (8 segments instead of 4 before work starts) make bulk loading
 * about a quarter faster; what is left unmerged is merged when the writer is idle. Four fifths of a segment may be deleted before
 * it is rewritten for that alone (a tenth otherwise): removing or moving many documents would rewrite the same text ten times.
 */
export function indexTables(number: number): string {
  const { doc, body, kv, fts } = tablesOf(number);
  const columns = DOC_COLUMNS.map((column) => `${column} ${NUMERIC.has(column) ? 'INTEGER' : 'TEXT'}`).join(', ');
  return `
    CREATE TABLE ${doc}(id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, ver INTEGER NOT NULL, ${columns}) STRICT;
    CREATE INDEX ${doc}_real_path ON ${doc}(real_path);
    CREATE INDEX ${doc}_virtual_path ON ${doc}(virtual_path);
    CREATE INDEX ${doc}_last_modified ON ${doc}(last_modified);
    CREATE TABLE ${body}(id INTEGER PRIMARY KEY, size INTEGER NOT NULL, enc INTEGER NOT NULL, src BLOB NOT NULL,
      sum INTEGER) STRICT;
    CREATE INDEX ${withoutFileIndex(doc)} ON ${doc}(id) WHERE root IS NULL;
    CREATE TABLE ${kv}(id INTEGER NOT NULL, field INTEGER NOT NULL, val ANY NOT NULL,
      PRIMARY KEY(field, val, id)) WITHOUT ROWID, STRICT;
    CREATE INDEX ${kv}_id ON ${kv}(id);
    CREATE VIRTUAL TABLE ${fts} USING fts5(${FTS_COLUMNS.join(', ')},
      content='', contentless_delete=1, tokenize="${TOKENIZER}");
    INSERT INTO ${fts}(${fts}, rank) VALUES('hashsize', 4194304);
    INSERT INTO ${fts}(${fts}, rank) VALUES('automerge', 8);
    INSERT INTO ${fts}(${fts}, rank) VALUES('deletemerge', 80);`;
}
