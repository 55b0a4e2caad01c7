import { wideNumbers } from './zip-extra.js';
import { decodeZipName } from './zip-names.js';
import { CENTRAL_HEADER, isHeader, localDataOffset, type ZipRecord } from './zip-record.js';

/**
 * The central directory of a zip archive.
 *
 *   end record     PK\5\6  at the end of the file, before a comment of at most 65,535 bytes: count, size and offset
 *   zip64 locator  PK\6\7  20 bytes before it, when the archive needs 64-bit numbers; points at
 *   zip64 record   PK\6\6  the same three numbers, wider
 *   directory      PK\1\2  one header an entry, each with the offset of the entry's local header PK\3\4
 *
 * Bytes in front of the archive (self-extracting programs, mail headers) shift all offsets; the shift is the distance
 * between where the directory is and where the end record says it is.
 */
const CENTRAL_HEADER_SIZE = 46;
const END_RECORD = 0x06054b50;
const END_RECORD_SIZE = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_SIZE = 20;
const ZIP64_RECORD = 0x06064b50;
const ZIP64_RECORD_SIZE = 56;
const MAX_COMMENT = 0xffff;
const FLAG_ENCRYPTED = 0x0001;

interface Directory {
  readonly start: number;
  readonly count: number;
  /** Added to every offset in the directory. */
  readonly shift: number;
}

/** The entries in the directory's order, or undefined when the directory is missing, cut off or contradicts the file. */
export function entriesOfDirectory(bytes: Buffer): ZipRecord[] | undefined {
  const directory = findDirectory(bytes);
  if (directory === undefined) return undefined;
  const records: ZipRecord[] = [];
  // Read on while there are headers: a 16-bit count wraps around in archives of more than 65,535 entries.
  for (let position = directory.start; isHeader(bytes, position, CENTRAL_HEADER, CENTRAL_HEADER_SIZE);) {
    const next = position + CENTRAL_HEADER_SIZE + variableLength(bytes, position);
    if (next > bytes.length) break;
    records.push(readRecord(bytes, position, directory.shift));
    position = next;
  }
  if (records.length < directory.count) return undefined;
  return records.length === 0 || records.some((each) => localDataOffset(bytes, each) !== undefined)
    ? records
    : undefined;
}

function variableLength(bytes: Buffer, header: number): number {
  return bytes.readUInt16LE(header + 28) + bytes.readUInt16LE(header + 30) + bytes.readUInt16LE(header + 32);
}

function findDirectory(bytes: Buffer): Directory | undefined {
  const floor = Math.max(0, bytes.length - END_RECORD_SIZE - MAX_COMMENT);
  for (let end = bytes.length - END_RECORD_SIZE; end >= floor; end--) {
    if (bytes[end] !== 0x50 || bytes.readUInt32LE(end) !== END_RECORD) continue;
    const directory = readZip64End(bytes, end) ?? readEnd(bytes, end);
    if (directory !== undefined) return directory;
  }
  return undefined;
}

function readEnd(bytes: Buffer, end: number): Directory | undefined {
  return locate(bytes, end, {
    count: bytes.readUInt16LE(end + 10),
    size: bytes.readUInt32LE(end + 12),
    offset: bytes.readUInt32LE(end + 16),
  });
}

function readZip64End(bytes: Buffer, end: number): Directory | undefined {
  const locator = end - ZIP64_LOCATOR_SIZE;
  if (locator < 0 || bytes.readUInt32LE(locator) !== ZIP64_LOCATOR) return undefined;
  const stated = Number(bytes.readBigUInt64LE(locator + 8));
  const candidates = [stated, locator - ZIP64_RECORD_SIZE];
  const record = candidates.find((at) => isHeader(bytes, at, ZIP64_RECORD, ZIP64_RECORD_SIZE));
  if (record === undefined) return undefined;
  return locate(bytes, record, {
    count: Number(bytes.readBigUInt64LE(record + 32)),
    size: Number(bytes.readBigUInt64LE(record + 40)),
    offset: Number(bytes.readBigUInt64LE(record + 48)),
  });
}

/** The directory ends where the end record starts; when it does not, the stated offset is tried as it is. */
function locate(
  bytes: Buffer,
  end: number,
  stated: { count: number; size: number; offset: number },
): Directory | undefined {
  if (stated.count === 0) return { start: end, count: 0, shift: 0 };
  for (const start of [end - stated.size, stated.offset]) {
    if (start < 0 || start + CENTRAL_HEADER_SIZE > bytes.length) continue;
    if (bytes.readUInt32LE(start) === CENTRAL_HEADER)
      return { start, count: stated.count, shift: start - stated.offset };
  }
  return undefined;
}

function readRecord(bytes: Buffer, at: number, shift: number): ZipRecord {
  const nameEnd = at + CENTRAL_HEADER_SIZE + bytes.readUInt16LE(at + 28);
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30));
  const flags = bytes.readUInt16LE(at + 8);
  const fromDos = bytes[at + 5] === 0;
  const name = decodeZipName(bytes.subarray(at + CENTRAL_HEADER_SIZE, nameEnd), flags, extra, fromDos);
  const numbers = wideNumbers(extra, {
    size: bytes.readUInt32LE(at + 24),
    compressedSize: bytes.readUInt32LE(at + 20),
    offset: bytes.readUInt32LE(at + 42),
  });
  return {
    name,
    compressedSize: numbers.compressedSize,
    size: numbers.size,
    encrypted: (flags & FLAG_ENCRYPTED) !== 0,
    directory: name.endsWith('/'),
    method: bytes.readUInt16LE(at + 10),
    flags,
    crc: bytes.readUInt32LE(at + 16),
    time: bytes.readUInt16LE(at + 12),
    offset: numbers.offset + shift,
    extra,
  };
}
