import { crc32 } from 'node:zlib';
import { ByteReader, damagedHeader } from './byte-reader.js';
import { readStreamsInfo, type Folder } from './streams-info.js';

/**
 * The list of entries of a 7z archive.
 *
 * A fixed header of 32 bytes at the start says where the list is (behind the packed data), how long, and its checksum. The list
 * may itself be packed like an entry, and encrypted: then what stands there tells how to unpack it.
 */
export interface SevenZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** Entries without contents have no part in any folder of the archive. */
  readonly isEmpty: boolean;
}

export interface ArchiveList {
  readonly entries: readonly SevenZipEntry[];
  /** Their parts are, in order, the contents of the entries that have any. */
  readonly folders: readonly Folder[];
}

const FIXED_HEADER_BYTES = 32;
const LIST = 0x01;
const PACKED_LIST = 0x17;
const END = 0x00;
const ARCHIVE_PROPERTIES = 0x02;
const MORE_STREAMS = 0x03;
const MAIN_STREAMS = 0x04;
const FILES = 0x05;
const EMPTY_STREAMS = 0x0e;
const EMPTY_FILES = 0x0f;
const NAMES = 0x11;
/** A list that is packed may be packed again. */
const MOST_WRAPS = 4;

/** @param unpack gives the contents of a folder */
export function readArchiveList(archive: Buffer, unpack: (folder: Folder) => Buffer): ArchiveList {
  if (archive.length < FIXED_HEADER_BYTES) throw damagedHeader();
  const offset = FIXED_HEADER_BYTES + Number(archive.readBigUInt64LE(12));
  const size = Number(archive.readBigUInt64LE(20));
  if (size === 0) return { entries: [], folders: [] };
  let bytes = archive.subarray(offset, offset + size);
  if (bytes.length < size || crc32(bytes) !== archive.readUInt32LE(28)) throw damagedHeader();
  for (let wraps = 0; wraps < MOST_WRAPS; wraps++) {
    const reader = new ByteReader(bytes);
    const kind = reader.byte();
    if (kind === LIST) return readList(reader);
    const [folder] = kind === PACKED_LIST ? readStreamsInfo(reader) : [];
    if (folder === undefined) break;
    bytes = unpack(folder);
  }
  throw damagedHeader();
}

function readList(reader: ByteReader): ArchiveList {
  let folders: Folder[] = [];
  let entries: SevenZipEntry[] = [];
  for (let id = reader.byte(); id !== END; id = reader.byte()) {
    if (id === ARCHIVE_PROPERTIES) skipProperties(reader);
    else if (id === MORE_STREAMS) readStreamsInfo(reader);
    else if (id === MAIN_STREAMS) folders = readStreamsInfo(reader);
    else if (id === FILES) entries = readEntries(reader);
    else throw damagedHeader();
  }
  return { entries, folders };
}

function skipProperties(reader: ByteReader): void {
  for (let id = reader.byte(); id !== END; id = reader.byte()) reader.bytes(reader.number());
}

function readEntries(reader: ByteReader): SevenZipEntry[] {
  const count = reader.count();
  let isEmpty: readonly boolean[] = [];
  let isEmptyFile: readonly boolean[] = [];
  let names: readonly string[] = [];
  for (let id = reader.byte(); id !== END; id = reader.byte()) {
    const property = new ByteReader(reader.bytes(reader.number()));
    if (id === EMPTY_STREAMS) isEmpty = property.bits(count);
    else if (id === EMPTY_FILES) isEmptyFile = property.bits(isEmpty.filter(Boolean).length);
    else if (id === NAMES) names = readNames(property);
  }
  let empties = 0;
  return Array.from({ length: count }, (_, index) => {
    const empty = isEmpty[index] ?? false;
    const isFolder = empty && isEmptyFile[empties] !== true;
    if (empty) empties++;
    return { name: names[index] ?? '', isFolder, isEmpty: empty };
  });
}

/** UTF-16, each with a zero at its end. A first byte other than 0 would mean that they stand elsewhere. */
function readNames(reader: ByteReader): string[] {
  if (reader.byte() !== 0) throw damagedHeader();
  return reader
    .bytes(reader.left & ~1)
    .toString('utf16le')
    .split('\0')
    .slice(0, -1);
}
