import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlerError } from '../../../base/errors.js';
import { formatOf, refuseNewer, stampFormat, upgradeFile } from '../../../base/file-format.js';
import { Database } from '../../../base/sqlite.js';
import { markedCorruption } from './corruption-marker.js';
import { CorruptContent } from './corrupt-content.js';
import { corruptionOf, indexFailure } from './index-failure.js';
import { APPLICATION_ID, DERIVATION, FILE_TABLES, PAGE_SIZE } from './schema.js';
import { indexFormat } from './upgrades.js';

/** What the file says of itself. */
interface FileContent {
  /** A random name that is born with the file, so that the crawler notices when it speaks to another index than before. */
  readonly identity: string;
  /** In all of its indices. */
  readonly documents: number;
}

export interface OpenedFile extends FileContent {
  /** Made by this opening. */
  readonly isNew: boolean;
}

/**
 * Opens the file of the index, or creates it.
 *
 * The look at an existing file is short (a few milliseconds, however large it is): its header, its version, its tables, and
 * whether it is as long as its header says. A file that fails throws `CorruptContent`, and stays as it is.
 */
const CACHE_KIB = 512;
const HEADER = 'SQLite format 3\0';
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;

export function openIndexFile(path: string): OpenedFile {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const corruption = markedCorruption(path);
    if (corruption !== undefined && sizeOf(path) > 0) throw new CorruptContent(corruption);
    checkLength(path);
    const isNew = !indexFileExists(path);
    return { ...open(path), isNew };
  } catch (error) {
    const corruption = corruptionOf(error);
    if (corruption !== undefined) throw new CorruptContent(corruption, { cause: error });
    if (error instanceof CrawlerError) throw error;
    const { code, message } = indexFailure(path, error);
    throw new CrawlerError(code, message, { subject: path, cause: error });
  }
}

/** Whether there is anything at the path, its log included. */
export function indexFileExists(path: string): boolean {
  return sizeOf(path) + sizeOf(`${path}-wal`) > 0;
}

/**
 * SQLite notices a file that has lost its end only when it needs what is missing. While a log exists the file may rightly be
 * shorter than its header says: what is missing is in the log.
 */
function checkLength(path: string): void {
  const size = sizeOf(path);
  if (size === 0 || sizeOf(`${path}-wal`) > 0) return;
  const wanted = lengthByHeader(path);
  if (size < wanted) throw new CorruptContent(`it has ${size} bytes where its header says ${wanted}`);
}

function lengthByHeader(path: string): number {
  const header = Buffer.alloc(PAGE_COUNT_AT + 4);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, header, 0, header.length, 0);
    if (read < header.length || header.toString('latin1', 0, HEADER.length) !== HEADER) {
      throw new CorruptContent('it is not a database');
    }
    // 65,536 does not fit into the two bytes: it is written as 1.
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
    return header.readUInt32BE(PAGE_COUNT_AT) * (pageSize === 1 ? 65_536 : pageSize);
  } finally {
    closeSync(file);
  }
}

/** Looks with a connection that only reads: closing one that writes waits for whoever writes at the moment. */
function open(path: string): FileContent {
  if (!indexFileExists(path)) return create(path);
  const database = new Database(path, { readOnly: true, cacheKib: CACHE_KIB });
  let opened: FileContent | undefined;
  let isOlder: boolean;
  try {
    opened = contentOf(database);
    isOlder = formatOf(database) < indexFormat.current;
  } finally {
    database.close();
  }
  if (opened === undefined) return create(path);
  if (isOlder) upgrade(path);
  return opened;
}

/** Undefined for an empty file. Reading the schema and the index list touches the pages that everything else hangs on. */
function contentOf(database: Database): FileContent | undefined {
  const [tables] = database.values('SELECT count(*) FROM sqlite_schema');
  if (formatOf(database) === 0 && tables === 0) return undefined;
  refuseNewer(database, indexFormat);
  const [application] = database.values('SELECT application_id FROM pragma_application_id');
  if (application !== APPLICATION_ID) throw new CorruptContent('it is a database of another program');
  const [documents] = database.values('SELECT sum(documents) FROM idx');
  const [identity] = database.values(`SELECT value FROM property WHERE name = 'identity'`);
  if (typeof identity !== 'string') throw new CorruptContent('it has lost its identity');
  return { identity, documents: Number(documents ?? 0) };
}

/** Two processes may come here at once: the second finds what the first has made. */
function create(path: string): FileContent {
  const database = new Database(path, { pageSize: PAGE_SIZE, synchronous: 'FULL', cacheKib: CACHE_KIB });
  try {
    return database.transaction(() => contentOf(database) ?? fill(database));
  } finally {
    database.close();
  }
}

function upgrade(path: string): void {
  const database = new Database(path, { synchronous: 'FULL', cacheKib: CACHE_KIB });
  try {
    upgradeFile(database, indexFormat);
  } finally {
    database.close();
  }
}

function fill(database: Database): FileContent {
  const identity = randomUUID();
  database.exec(FILE_TABLES);
  database.exec(`INSERT INTO property VALUES('identity', '${identity}'), ('derivation', '${DERIVATION}')`);
  database.exec(`PRAGMA application_id=${APPLICATION_ID}`);
  stampFormat(database, indexFormat);
  return { identity, documents: 0 };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
