import type { PlainEntry } from '../../containers/archive/plain-entries.js';

/**
 * Cpio archives held in memory.
 *
 * Entries follow each other: a header, the name with a zero at its end, the content. An entry called `TRAILER!!!` ends them.
 * There are three kinds of header:
 *
 *     begins with         numbers                                               bytes   padded to
 *     070701 or 070702    8 hexadecimal digits                                  110     4 bytes
 *     070707              6 octal digits, 11 for the size                       76      not
 *     the number 070707   16 bits in either byte order; the size has two of     26      2 bytes
 *                         them, the higher one first
 */

interface Header {
  readonly bytes: number;
  readonly padding: number;
  readonly mode: number;
  readonly nameLength: number;
  readonly size: number;
}

const TRAILER = 'TRAILER!!!';
const BINARY_MAGIC = 0o070707;
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;

/** Regular files in order. */
export function* cpioEntries(archive: Uint8Array): Generator<PlainEntry> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  for (let at = 0; at < bytes.length;) {
    const header = readHeader(bytes.subarray(at));
    if (header === undefined) return;
    const nameAt = at + header.bytes;
    const contentAt = padded(nameAt + header.nameLength - at, header.padding) + at;
    const name = bytes.toString('utf8', nameAt, nameAt + header.nameLength - 1);
    if (name === TRAILER) return;
    const content = bytes.subarray(contentAt, contentAt + header.size);
    at = contentAt + padded(header.size, header.padding);
    if ((header.mode & FILE_KIND) !== REGULAR) continue;
    yield { name: name.replace(/^\.\//, ''), bytes: content, complete: content.length === header.size };
  }
}

function readHeader(bytes: Buffer): Header | undefined {
  const magic = bytes.toString('latin1', 0, 6);
  const header = magic.startsWith('07070') ? readDigits(bytes, magic) : readBinary(bytes);
  const isSound = header !== undefined && header.nameLength > 0 && header.size >= 0;
  return isSound && header.bytes + header.nameLength <= bytes.length ? header : undefined;
}

function readDigits(bytes: Buffer, magic: string): Header | undefined {
  const number = (at: number, length: number, radix: number): number =>
    Number.parseInt(bytes.toString('latin1', at, at + length), radix);
  if (magic === '070707') {
    return { bytes: 76, padding: 1, mode: number(18, 6, 8), nameLength: number(59, 6, 8), size: number(65, 11, 8) };
  }
  if (magic !== '070701' && magic !== '070702') return undefined;
  return { bytes: 110, padding: 4, mode: number(14, 8, 16), nameLength: number(94, 8, 16), size: number(54, 8, 16) };
}

function readBinary(bytes: Buffer): Header | undefined {
  if (bytes.length < 26) return undefined;
  const isLittle = bytes.readUInt16LE(0) === BINARY_MAGIC;
  if (!isLittle && bytes.readUInt16BE(0) !== BINARY_MAGIC) return undefined;
  const number = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  return { bytes: 26, padding: 2, mode: number(6), nameLength: number(20), size: number(22) * 0x10000 + number(24) };
}

function padded(length: number, to: number): number {
  return Math.ceil(length / to) * to;
}
