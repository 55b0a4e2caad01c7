import { CENTRAL_HEADER, LOCAL_HEADER, LOCAL_HEADER_SIZE, type ZipRecord } from './zip-record.js';
import { wideNumbers } from './zip-extra.js';
import { decodeZipName } from './zip-names.js';

/**
 * Finds entries without a central directory, by their local headers.
 *
 * A local header states its data's length, unless the archive was written as a stream (flag bit 3): then the length
 * comes after the data, and the data is taken to end at the next signature. The inflater ignores what follows the end of
 * its stream, so a few bytes too many do no harm. Data that runs over the end of the file is kept as far as it goes.
 */
const FLAG_ENCRYPTED = 0x0001;
const FLAG_LENGTH_FOLLOWS = 0x0008;
const DATA_DESCRIPTOR = 0x08074b50;
const signature = Buffer.from('PK');
const localSignature = Buffer.from([0x50, 0x4b, 3, 4]);
const boundaries: ReadonlySet<number> = new Set([
  LOCAL_HEADER,
  CENTRAL_HEADER,
  DATA_DESCRIPTOR,
  0x06054b50,
  0x06064b50,
]);

export function entriesByScanning(bytes: Buffer): ZipRecord[] {
  const records: ZipRecord[] = [];
  let position = bytes.indexOf(localSignature);
  while (position >= 0 && position + LOCAL_HEADER_SIZE <= bytes.length) {
    const found = readLocal(bytes, position);
    if (found !== undefined) records.push(found.record);
    position = bytes.indexOf(localSignature, found?.end ?? position + 4);
  }
  return records;
}

function readLocal(bytes: Buffer, at: number): { record: ZipRecord; end: number } | undefined {
  const nameEnd = at + LOCAL_HEADER_SIZE + bytes.readUInt16LE(at + 26);
  const dataStart = nameEnd + bytes.readUInt16LE(at + 28);
  if (dataStart > bytes.length) return undefined;
  const flags = bytes.readUInt16LE(at + 6);
  const extra = bytes.subarray(nameEnd, dataStart);
  const name = decodeZipName(bytes.subarray(at + LOCAL_HEADER_SIZE, nameEnd), flags, extra, false);
  if (name === '' || name.includes('\0')) return undefined;
  const stated = wideNumbers(extra, {
    size: bytes.readUInt32LE(at + 22),
    compressedSize: bytes.readUInt32LE(at + 18),
    offset: 0,
  });
  const end = dataEnd(bytes, dataStart, stated.compressedSize, (flags & FLAG_LENGTH_FOLLOWS) !== 0);
  const record: ZipRecord = {
    name,
    compressedSize: end - dataStart,
    size: stated.size,
    encrypted: (flags & FLAG_ENCRYPTED) !== 0,
    directory: name.endsWith('/'),
    method: bytes.readUInt16LE(at + 8),
    flags,
    crc: bytes.readUInt32LE(at + 14),
    time: bytes.readUInt16LE(at + 10),
    offset: at,
    extra,
  };
  return { record, end };
}

function dataEnd(bytes: Buffer, start: number, stated: number, lengthFollows: boolean): number {
  const statedEnd = start + stated;
  if (!lengthFollows || stated > 0) {
    if (statedEnd === bytes.length || isBoundary(bytes, statedEnd)) return statedEnd;
  }
  for (let next = bytes.indexOf(signature, start); next >= 0; next = bytes.indexOf(signature, next + 2)) {
    if (isBoundary(bytes, next)) return next;
  }
  return bytes.length;
}

function isBoundary(bytes: Buffer, at: number): boolean {
  return at + 4 <= bytes.length && boundaries.has(bytes.readUInt32LE(at));
}
