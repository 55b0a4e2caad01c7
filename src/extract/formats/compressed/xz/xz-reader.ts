import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CrawlerError } from '../../../../base/errors.js';
import { Crc64 } from './crc64.js';
import { filterPieces } from '../../../containers/lzma/filters.js';
import { lzma2DictionaryBytes, unpackLzma2, type Cursor } from '../../../containers/lzma/lzma-streams.js';

/**
 * The xz container.
 *
 * A file is a row of streams, with zeros in groups of four between them. A stream begins with a signature and two bytes of
 * flags, of which the second says how contents are checked. Blocks follow: a header (its size in words, which filters the
 * data went through, and sometimes both sizes), the data, zeros up to a whole word, and the check. A zero in place of a
 * header's size begins the index, which repeats the sizes of all blocks; behind it stands a footer of twelve bytes. Numbers
 * have seven bits a byte, lowest first, and the top bit set but in the last byte.
 */
const SIGNATURE = Buffer.from('\xfd7zXZ\0', 'latin1');
const STREAM_HEADER_BYTES = 12;
const FOOTER_BYTES = 12;
const MOST_NUMBER_BYTES = 9;

const HAS_PACKED_SIZE = 0x40;
const HAS_SIZE = 0x80;
const FILTER_LZMA2 = 0x21;

interface Filter {
  readonly id: number;
  readonly properties: Uint8Array;
}

/** The contents of all streams, in pieces that are valid until the next one. Throws `corrupt` or `unsupported`. */
export function* unpackXz(bytes: Uint8Array): Generator<Uint8Array> {
  const cursor: Cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    yield* stream(cursor);
    while (bytes[cursor.at] === 0) cursor.at++;
  }
}

function* stream(cursor: Cursor): Generator<Uint8Array> {
  const start = take(cursor, STREAM_HEADER_BYTES);
  if (SIGNATURE.compare(start, 0, SIGNATURE.length) !== 0) throw damaged();
  const check = checkOf((start[7] ?? 0) & 0x0f);
  for (let size = byteOf(cursor); size !== 0; size = byteOf(cursor)) yield* block(cursor, (size + 1) * 4, check);
  skipIndex(cursor);
  take(cursor, FOOTER_BYTES);
}

function* block(cursor: Cursor, headerBytes: number, check: Check): Generator<Uint8Array> {
  cursor.at--;
  const header = Buffer.from(take(cursor, headerBytes));
  if (crc32(header.subarray(0, -4)) !== header.readUInt32LE(headerBytes - 4)) throw damaged();
  const filters = filtersOf({ bytes: header.subarray(0, -4), at: 1 });
  const last = filters.pop();
  if (last?.id !== FILTER_LZMA2) throw new CrawlerError('unsupported', 'The xz data is packed in an unknown way.');
  const dataStart = cursor.at;
  let pieces: Iterable<Uint8Array> = unpackLzma2(cursor, lzma2DictionaryBytes(last.properties[0] ?? 0));
  for (const { id, properties } of filters.reverse()) pieces = filterPieces(id, properties, pieces);
  const digest = check.begin();
  for (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
  take(cursor, (4 - ((cursor.at - dataStart) % 4)) % 4);
  const expected = take(cursor, check.bytes);
  if (digest.end().compare(expected) !== 0) throw damaged();
}

function filtersOf(header: Cursor): Filter[] {
  const flags = byteOf(header);
  if ((flags & HAS_PACKED_SIZE) !== 0) numberOf(header);
  if ((flags & HAS_SIZE) !== 0) numberOf(header);
  return Array.from({ length: (flags & 3) + 1 }, () => ({
    id: numberOf(header),
    properties: take(header, numberOf(header)),
  }));
}

/** The index says nothing that the blocks have not said: a number of records of two numbers, padding and a checksum. */
function skipIndex(cursor: Cursor): void {
  const start = cursor.at - 1;
  for (let left = numberOf(cursor); left > 0; left--) {
    numberOf(cursor);
    numberOf(cursor);
  }
  take(cursor, (4 - ((cursor.at - start) % 4)) % 4);
  take(cursor, 4);
}

interface Check {
  readonly bytes: number;
  begin(): RunningDigest;
}

interface RunningDigest {
  update(piece: Uint8Array): void;
  end(): Buffer;
}

/** What the low four bits of the flags mean. Other kinds have a known length only. */
function checkOf(kind: number): Check {
  if (kind === 1) return { bytes: 4, begin: () => new Crc32() };
  if (kind === 4) return { bytes: 8, begin: () => new Crc64() };
  if (kind === 10) return { bytes: 32, begin: () => sha256() };
  if (kind === 0) return { bytes: 0, begin: () => ({ update: () => undefined, end: () => Buffer.alloc(0) }) };
  throw new CrawlerError('unsupported', 'The xz data is checked in an unknown way.');
}

class Crc32 implements RunningDigest {
  #value = 0;

  update(piece: Uint8Array): void {
    this.#value = crc32(piece, this.#value);
  }

  end(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(this.#value);
    return bytes;
  }
}

function sha256(): RunningDigest {
  const hash: Hash = createHash('sha256');
  return { update: (piece) => void hash.update(piece), end: () => hash.digest() };
}

function take(cursor: Cursor, count: number): Uint8Array {
  const taken = cursor.bytes.subarray(cursor.at, cursor.at + count);
  if (taken.length < count) throw damaged();
  cursor.at += count;
  return taken;
}

function byteOf(cursor: Cursor): number {
  return take(cursor, 1)[0] ?? 0;
}

function numberOf(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < MOST_NUMBER_BYTES; index++) {
    const byte = byteOf(cursor);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw damaged();
}

function damaged(): CrawlerError {
  return new CrawlerError('corrupt', 'The xz data is damaged or cut off.');
}
