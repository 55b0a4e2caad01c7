import { crc32 } from 'node:zlib';
import { CorruptContent } from './corrupt-content.js';
import { tablesOf } from './schema.js';
import { raw, sql } from './sql.js';
import type { Statements } from './statements.js';
import { readVarint } from './varint.js';

/**
 * Checksums of the full text, for each of FTS5's segments. A segment is written once and then only read, so its checksum holds
 * as long as it exists: what differs was changed by the disk. FTS5's own check finds contradictions, not changed letters.
 *
 * The segments of a table are listed in its structure record (row 10 of fts_N_data; fts5_index.c describes it). Pages of a
 * segment are the rows from `segid << 37` on, and fts_N_idx has the first word of each page. A segment's name has all of its
 * numbers, and they change when anything of it does, but for two cases. A merge that is under way may cut the first page of those
 * that it reads: their checksums begin behind it. And what it has written so far may have the numbers of what another merge had
 * written so far, which is gone: its name has the segments that it is made of as well. The lists of deleted rows do change, and
 * have no checksum. When a merge has left nothing, which takes an index without documents, the numbers begin anew.
 */
export interface Segment {
  readonly name: string;
  readonly id: number;
  /** The first page that its checksum covers. */
  readonly from: number;
}

const STRUCTURE_ROW = 10;
const VERSION_2 = [0xff, 0x00, 0x00, 0x01];
const NUMBERS_OF_SEGMENT = 8;
const MAX_SEGMENTS = 2000;

export class SegmentChecksums {
  readonly #statements: Statements;
  readonly #fts: string;

  constructor(statements: Statements, index: number) {
    this.#statements = statements;
    this.#fts = tablesOf(index).fts;
  }

  /** Throws `CorruptContent`. */
  segments(): Segment[] {
    const row = this.#statements.get<{ block: Uint8Array }>(
      sql`SELECT block FROM ${this.#table('data')} WHERE id = ${STRUCTURE_ROW}`,
    );
    if (row === undefined) throw malformed();
    return listedSegments(row.block);
  }

  /** `onPage` may throw to end it. */
  checksum({ id, from }: Segment, onPage: () => void = () => undefined): number {
    let sum = 0;
    const pages = this.#statements.iterate<{ page: number; block: Uint8Array }>(
      sql`SELECT id & 0x1fffffffff AS page, block FROM ${this.#table('data')}
        WHERE id >= (${id} << 37) + ${from} AND id < ((${id} + 1) << 37) ORDER BY id`,
    );
    for (const { page, block } of pages) {
      sum = crc32(block, crc32(String(page), sum));
      onPage();
    }
    const firstWords = this.#statements.iterate<{ term: Uint8Array | string; pgno: number }>(
      sql`SELECT term, pgno FROM ${this.#table('idx')} WHERE segid = ${id} ORDER BY term`,
    );
    for (const { term, pgno } of firstWords) {
      sum = crc32(String(pgno), sum);
      // Of nothing, crc32 is 0, whatever it was before.
      if (term.length > 0) sum = crc32(term, sum);
    }
    return sum;
  }

  #table(shadow: 'data' | 'idx'): ReturnType<typeof raw> {
    return raw(`${this.#fts}_${shadow}`);
  }
}

function listedSegments(structure: Uint8Array): Segment[] {
  if (VERSION_2.some((byte, at) => structure[at + 4] !== byte)) throw malformed();
  const numbers = numbersFrom(structure, 8);
  const next = (): number => numbers.next().value ?? fail();
  const levels = atMost(next());
  const total = atMost(next());
  next(); // How many pages were ever written.
  const segments: Segment[] = [];
  // What the level above merges, and writes into the last segment of this one.
  let merged: readonly string[] = [];
  for (let level = 0; level < levels; level += 1) {
    const merging = next();
    const count = atMost(next());
    const read: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const numbers = Array.from({ length: NUMBERS_OF_SEGMENT }, next);
      const [id = 0, firstPage = 0] = numbers;
      const isRead = at < merging;
      const madeOf = at === count - 1 && merged.length > 0 ? `<${merged.join('+')}` : '';
      if (isRead) read.push(lastingName(numbers));
      const name = `${numbers.join(':')}${isRead ? ':merging' : ''}${madeOf}`;
      segments.push({ name, id, from: isRead ? firstPage + 1 : 0 });
    }
    merged = read;
  }
  return segments.length === total ? segments : fail();
}

/** What neither a merge nor a removal changes of a segment: its id, the numbers of the writes that it holds, and their entries. */
function lastingName([id, , , firstWrite, lastWrite, , , entries]: readonly number[]): string {
  return [id, firstWrite, lastWrite, entries].join(':');
}

function* numbersFrom(bytes: Uint8Array, start: number): Generator<number, undefined> {
  for (let at = start; at < bytes.length;) {
    const { value, next } = readVarint(bytes, at);
    yield value;
    at = next;
  }
  return undefined;
}

function atMost(count: number): number {
  return count <= MAX_SEGMENTS ? count : fail();
}

function fail(): never {
  throw malformed();
}

function malformed(): CorruptContent {
  return new CorruptContent('the list of its words cannot be read');
}
