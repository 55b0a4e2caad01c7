import type { PlainEntry } from '../../containers/archive/plain-entries.js';

/**
 * Tar archives held in memory.
 *
 * An archive is a row of 512-byte blocks: a header, then the content padded to whole blocks, then the next header; two
 * blocks of zeros end it. A header holds the name (100 bytes, continued by a prefix of 155 in POSIX archives), the size in
 * octal digits (or in binary with the top bit set, GNU) and a letter for the kind of entry. Long names stand in entries of
 * their own before the one they belong to: kind `L` holds the name itself (GNU), kind `x` holds lines of the form
 * `<length> <key>=<value>\n` (pax), of which `path` and `size` matter.
 */

const BLOCK = 512;
const NAME = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const KIND_AT = 156;
const SIGNATURE = { at: 257, length: 5 };
const PREFIX = { at: 345, length: 155 };

/** Regular files; the zero byte and `7` are old and rare spellings of `0`. */
const FILE_KINDS = new Set(['0', '\0', '7']);

export function* tarEntries(archive: Uint8Array): Generator<PlainEntry> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  let stated = new Map<string, string>();
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (isEnd(header)) return;
    const size = Number(stated.get('size') ?? sizeOf(header));
    if (!Number.isSafeInteger(size) || size < 0) return;
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const kind = String.fromCharCode(header[KIND_AT] ?? 0);
    if (kind === 'L') stated.set('path', untilZero(content));
    else if (kind === 'x') stated = paxRecords(content);
    else {
      const name = stated.get('path') ?? nameOf(header);
      stated = new Map();
      if (!FILE_KINDS.has(kind) || name.endsWith('/')) continue;
      yield { name, bytes: content, complete: content.length === size };
    }
  }
}

function isEnd(header: Buffer): boolean {
  return header[0] === 0 && header.every((byte) => byte === 0);
}

function nameOf(header: Buffer): string {
  const name = untilZero(header.subarray(NAME.at, NAME.at + NAME.length));
  const isPosix = header.toString('latin1', SIGNATURE.at, SIGNATURE.at + SIGNATURE.length + 1) === 'ustar\0';
  const prefix = isPosix ? untilZero(header.subarray(PREFIX.at, PREFIX.at + PREFIX.length)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function sizeOf(header: Buffer): number {
  const field = header.subarray(SIZE.at, SIZE.at + SIZE.length);
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(4));
  const digits = field
    .toString('latin1')
    .replace(/[^0-7]/g, ' ')
    .trim();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

function paxRecords(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number.parseInt(bytes.toString('latin1', at, space), 10);
    if (!(length > 0)) break;
    const record = bytes.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}
