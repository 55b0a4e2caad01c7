import { PAGE_SIZE } from '../store/schema.js';
import { readVarint } from '../store/varint.js';
import type { PageFile } from './page-file.js';

/**
 * The rows on a leaf page of a table, whichever table it is. A row whose bytes make no sense is passed over; so is a page that
 * is no such leaf. The format: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export interface TableRow {
  readonly rowid: number;
  /** The column that is the row id is null. */
  readonly values: readonly StoredValue[];
}

/** A text is a string, a blob a Buffer. */
export type StoredValue = string | number | Buffer | null;

const LEAF_OF_TABLE = 0x0d;
const PAGE_HEADER = 8;
const FILE_HEADER = 100;
/** A document has 100 MB at most; what claims more is damaged. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_COLUMNS = 100;

const MOST_ON_PAGE = PAGE_SIZE - 35;
const LEAST_ON_PAGE = Math.floor(((PAGE_SIZE - 12) * 32) / 255) - 23;
const ON_OVERFLOW_PAGE = PAGE_SIZE - 4;

export function* tableRows(file: PageFile, number: number): Generator<TableRow> {
  const page = file.page(number);
  const start = number === 1 ? FILE_HEADER : 0;
  if (page[start] !== LEAF_OF_TABLE) return;
  const cells = Math.min(page.readUInt16BE(start + 3), PAGE_SIZE / 4);
  for (let cell = 0; cell < cells; cell += 1) {
    const pointer = start + PAGE_HEADER + 2 * cell;
    if (pointer + 2 > PAGE_SIZE) return;
    const row = rowAt(file, page, page.readUInt16BE(pointer));
    if (row !== undefined) yield row;
  }
}

function rowAt(file: PageFile, page: Buffer, at: number): TableRow | undefined {
  const { value: size, next } = readVarint(page, at);
  const { value: rowid, next: begin } = readVarint(page, next);
  if (size > MOST_BYTES || !Number.isSafeInteger(rowid) || begin >= PAGE_SIZE) return undefined;
  const payload = size <= MOST_ON_PAGE ? page.subarray(begin, begin + size) : withOverflow(file, page, begin, size);
  if (payload?.length !== size) return undefined;
  const values = valuesOf(payload);
  return values === undefined ? undefined : { rowid, values };
}

function withOverflow(file: PageFile, page: Buffer, begin: number, size: number): Buffer | undefined {
  const rest = LEAST_ON_PAGE + ((size - LEAST_ON_PAGE) % ON_OVERFLOW_PAGE);
  const here = rest <= MOST_ON_PAGE ? rest : LEAST_ON_PAGE;
  if (begin + here + 4 > PAGE_SIZE) return undefined;
  const parts = [page.subarray(begin, begin + here)];
  let next = page.readUInt32BE(begin + here);
  for (let left = size - here; left > 0; left -= ON_OVERFLOW_PAGE) {
    if (next === 0 || next > file.pages) return undefined;
    const overflow = file.page(next);
    parts.push(overflow.subarray(4, 4 + Math.min(left, ON_OVERFLOW_PAGE)));
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function valuesOf(payload: Buffer): StoredValue[] | undefined {
  const { value: headerSize, next } = readVarint(payload, 0);
  if (headerSize > payload.length) return undefined;
  const values: StoredValue[] = [];
  let content = headerSize;
  for (let at = next; at < headerSize;) {
    const type = readVarint(payload, at);
    at = type.next;
    const size = sizeOf(type.value);
    if (size === undefined || content + size > payload.length || values.length === MOST_COLUMNS) return undefined;
    values.push(valueOf(type.value, payload.subarray(content, content + size)));
    content += size;
  }
  return content === payload.length ? values : undefined;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number | undefined {
  return type >= 12 ? Math.floor((type - 12) / 2) : SIZES[type];
}

function valueOf(type: number, bytes: Buffer): StoredValue {
  if (type >= 12) return type % 2 === 0 ? bytes : bytes.toString('utf8');
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type >= 8) return type - 8;
  return type === 6 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}
