import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlerError } from '../../../base/errors.js';
import { Database } from '../../../base/sqlite.js';
import { markedDamage } from './damage-mark.js';
import { DamagedContent } from './damaged-content.js';
import { damageOf, indexFailure } from './index-failure.js';
import {
  APPLICATION_ID,
  DERIVATION,
  FILE_TABLES,
  PAGE_SIZE,
  SCHEMA_VERSION,
  UPGRADE_FILE,
  upgradeIndex,
} from './schema.js';

/**
 * Opens the file of the index, or creates it, and answers with its identity: a random name that is born with the file, so
 * that the crawler notices when it speaks to another index than before.
 *
 * The look at an existing file is short (a few milliseconds, however large it is): its header, its version, its tables, and
 * whether it is as long as its header says. A file that fails throws `DamagedContent`, and stays as it is.
 */
const CACHE_KIB = 512;
const HEADER = 'SQLite format 3\0';
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;

export function openIndexFile(path: string): { identity: string } {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const damage = markedDamage(path);
    if (damage !== undefined && sizeOf(path) > 0) throw new DamagedContent(damage);
    checkLength(path);
    return { identity: open(path) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage !== undefined) throw new DamagedContent(damage, { cause: error });
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
  if (size < wanted) throw new DamagedContent(`it has ${size} bytes where its header tells of ${wanted}`);
}

function lengthByHeader(path: string): number {
  const header = Buffer.alloc(PAGE_COUNT_AT + 4);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, header, 0, header.length, 0);
    if (read < header.length || header.toString('latin1', 0, HEADER.length) !== HEADER) {
      throw new DamagedContent('it is not a database');
    }
    // 65,536 does not fit into the two bytes: it is written as 1.
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
    return header.readUInt32BE(PAGE_COUNT_AT) * (pageSize === 1 ? 65_536 : pageSize);
  } finally {
    closeSync(file);
  }
}

/** Looks with a connection that only reads: closing one that writes waits for whoever writes at the moment. */
function open(path: string): string {
  if (!indexFileExists(path)) return create(path);
  const database = new Database(path, { readOnly: true, cacheKib: CACHE_KIB });
  let found: Found | undefined;
  try {
    found = look(database);
  } finally {
    database.close();
  }
  return found?.version === SCHEMA_VERSION ? found.identity : create(path);
}

interface Found {
  readonly version: number;
  readonly identity: string;
}

/** Undefined for an empty file. Reading the schema and the index list touches the pages that everything else hangs on. */
function look(database: Database): Found | undefined {
  const version = Number(database.values('SELECT user_version FROM pragma_user_version')[0]);
  const [tables] = database.values('SELECT count(*) FROM sqlite_schema');
  if (version === 0 && tables === 0) return undefined;
  if (version > SCHEMA_VERSION) throw tooNew(database.path);
  const [application] = database.values('SELECT application_id FROM pragma_application_id');
  if (application !== APPLICATION_ID) throw new DamagedContent('it is a database of another program');
  database.values('SELECT name FROM idx');
  const [identity] = database.values(`SELECT value FROM property WHERE name = 'identity'`);
  if (typeof identity !== 'string') throw new DamagedContent('it has lost its identity');
  return { version, identity };
}

function tooNew(path: string): CrawlerError {
  const way = 'Use that version, or move the file away to have the tree indexed anew.';
  const message = `The index [${path}] was written by a newer version of the crawler. ${way}`;
  return new CrawlerError('unsupported', message, { subject: path });
}

/** Two processes may come here at once: the second finds what the first has made. */
function create(path: string): string {
  const database = new Database(path, { pageSize: PAGE_SIZE, synchronous: 'FULL', cacheKib: CACHE_KIB });
  try {
    return database.transaction(() => {
      const found = look(database);
      if (found === undefined) return fill(database);
      if (found.version < SCHEMA_VERSION) upgrade(database);
      return found.identity;
    });
  } finally {
    database.close();
  }
}

function fill(database: Database): string {
  const identity = randomUUID();
  database.exec(FILE_TABLES);
  database.exec(`INSERT INTO property VALUES('identity', '${identity}'), ('derivation', '${DERIVATION}')`);
  database.exec(`PRAGMA application_id=${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version=${SCHEMA_VERSION}`);
  return identity;
}

function upgrade(database: Database): void {
  database.exec(UPGRADE_FILE);
  for (const id of database.values('SELECT id FROM idx')) database.exec(upgradeIndex(Number(id)));
  database.exec(`INSERT INTO property VALUES('derivation', '${DERIVATION}')`);
  database.exec(`PRAGMA user_version=${SCHEMA_VERSION}`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
