import { CrawlerError } from '../../../base/errors.js';

/**
 * Reader of the compound file format (OLE2, "structured storage"): the container of doc, xls, ppt, msg and of encrypted
 * OOXML packages.
 *
 * The file is cut into sectors. A header names where the file allocation table (FAT) lies: one 32-bit number a sector,
 * the number of the sector that follows in the same stream. The FAT's own sectors are listed in the DIFAT (109 entries in
 * the header, then a chain of sectors). A directory, itself a stream, holds one 128-byte entry for each storage (folder)
 * and stream (file); the children of a storage form a binary tree. Streams below the cut-off (4096 bytes) lie in 64-byte
 * mini sectors inside the root entry's stream, with a FAT of their own.
 *
 * Damaged files are common, so nothing in them is believed: a chain ends when it leaves the file or grows longer than the
 * file has sectors, a size is only an upper bound, every directory entry is visited once. What can be read is given.
 */
export interface OleContainer {
  /** Paths of all streams, without leading slash, in the order of the directory tree: `WordDocument`, `MBD01/Package`. */
  readonly paths: readonly string[];
  /** The stream, shorter than announced when the file is cut; undefined when there is none. Names compare without case. */
  read(path: string): Uint8Array | undefined;
  /** Class of the root: a lower-case GUID with dashes and without braces; undefined when it is all zeros. */
  readonly classId: string | undefined;
  /** Size of the whole file. */
  readonly byteLength: number;
  /** Storages (folders) with their class, in the order of the directory tree. The root is not among them. */
  readonly storages: ReadonlyMap<string, string | undefined>;
}

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Numbers from here on are not sectors: end of chain, free, FAT, DIFAT. */
const FIRST_SPECIAL_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
const MAX_DEPTH = 64;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly classId: string | undefined;
  readonly start: number;
  readonly size: number;
}

/** @throws CrawlerError `corrupt` when the bytes are no compound file, or so damaged that no directory can be found. */
export function openOle(bytes: Uint8Array): OleContainer {
  return new CompoundFile(bytes);
}

class CompoundFile implements OleContainer {
  readonly paths: string[] = [];
  readonly storages = new Map<string, string | undefined>();
  readonly classId: string | undefined;
  readonly byteLength: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #sectorSize: number;
  readonly #sectorCount: number;
  readonly #miniSectorSize: number;
  readonly #miniCutoff: number;
  readonly #fatSectors: number[];
  readonly #entries: Entry[];
  readonly #streams = new Map<string, Entry>();
  #mini: { readonly stream: Uint8Array; readonly fat: DataView } | undefined;

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES || SIGNATURE.some((byte, index) => bytes[index] !== byte)) {
      throw damaged('it does not begin with the header of one');
    }
    this.#bytes = bytes;
    this.byteLength = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sectorShift = this.#view.getUint16(30, true);
    const miniShift = this.#view.getUint16(32, true);
    if (sectorShift < 7 || sectorShift > 16 || miniShift < 2 || miniShift >= sectorShift) {
      throw damaged('its sector size is impossible');
    }
    this.#sectorSize = 1 << sectorShift;
    this.#miniSectorSize = 1 << miniShift;
    this.#miniCutoff = this.#view.getUint32(56, true);
    this.#sectorCount = Math.max(0, Math.ceil(bytes.length / this.#sectorSize) - 1);
    this.#fatSectors = this.#readDifat();
    this.#entries = this.#readDirectory();
    const root = this.#entries[0];
    if (root === undefined) throw damaged('it has no directory');
    this.classId = root.classId;
    this.#walk(root);
  }

  read(path: string): Uint8Array | undefined {
    const entry = this.#streams.get(path.toUpperCase());
    if (entry === undefined) return undefined;
    if (entry.size === 0) return new Uint8Array(0);
    return entry.size < this.#miniCutoff ? this.#miniStream(entry) : this.#stream(entry.start, entry.size);
  }

  #readDifat(): number[] {
    const sectors: number[] = [];
    for (let index = 0; index < 109; index++) this.#addSector(sectors, this.#view.getUint32(76 + index * 4, true));
    const perSector = this.#sectorSize / 4 - 1;
    const seen = new Set<number>();
    let sector = this.#view.getUint32(68, true);
    while (sector < this.#sectorCount && !seen.has(sector)) {
      seen.add(sector);
      const offset = (sector + 1) * this.#sectorSize;
      for (let index = 0; index < perSector; index++) this.#addSector(sectors, this.#uint32(offset + index * 4));
      sector = this.#uint32(offset + perSector * 4);
    }
    return sectors;
  }

  #addSector(sectors: number[], sector: number): void {
    if (sector < FIRST_SPECIAL_SECTOR && sectors.length <= this.#sectorCount) sectors.push(sector);
  }

  #uint32(offset: number): number {
    return offset + 4 <= this.#view.byteLength ? this.#view.getUint32(offset, true) : FIRST_SPECIAL_SECTOR;
  }

  #nextSector(sector: number): number {
    const perSector = this.#sectorSize / 4;
    const fatSector = this.#fatSectors[Math.floor(sector / perSector)];
    if (fatSector === undefined) return FIRST_SPECIAL_SECTOR;
    return this.#uint32((fatSector + 1) * this.#sectorSize + (sector % perSector) * 4);
  }

  /** At most `limit` bytes of the chain that begins at `start`. A view into the file when the sectors follow each other. */
  #stream(start: number, limit: number): Uint8Array {
    const wanted = Math.min(Math.ceil(limit / this.#sectorSize), this.#sectorCount);
    const chain: number[] = [];
    let contiguous = true;
    for (let sector = start; sector < this.#sectorCount && chain.length < wanted; sector = this.#nextSector(sector)) {
      contiguous &&= sector === start + chain.length;
      chain.push(sector);
    }
    if (contiguous) {
      const from = (start + 1) * this.#sectorSize;
      return this.#bytes.subarray(from, from + Math.min(limit, chain.length * this.#sectorSize));
    }
    return gather(this.#bytes, chain, { size: this.#sectorSize, first: this.#sectorSize }, limit);
  }

  #miniStream(entry: Entry): Uint8Array {
    this.#mini ??= this.#openMini();
    const { stream, fat } = this.#mini;
    const count = Math.ceil(stream.length / this.#miniSectorSize);
    const chain: number[] = [];
    let sector = entry.start;
    while (sector < count && chain.length * this.#miniSectorSize < entry.size && chain.length < count) {
      chain.push(sector);
      sector = (sector + 1) * 4 <= fat.byteLength ? fat.getUint32(sector * 4, true) : FIRST_SPECIAL_SECTOR;
    }
    return gather(stream, chain, { size: this.#miniSectorSize, first: 0 }, entry.size);
  }

  #openMini(): { readonly stream: Uint8Array; readonly fat: DataView } {
    const root = this.#entries[0];
    const stream = root === undefined ? new Uint8Array(0) : this.#stream(root.start, root.size);
    const fat = this.#stream(this.#view.getUint32(60, true), this.#bytes.length);
    return { stream, fat: new DataView(fat.buffer, fat.byteOffset, fat.byteLength) };
  }

  #readDirectory(): Entry[] {
    const bytes = this.#stream(this.#view.getUint32(48, true), this.#bytes.length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const wideSizes = this.#view.getUint16(26, true) >= 4;
    const entries: Entry[] = [];
    for (let offset = 0; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES) {
      const high = wideSizes ? view.getUint32(offset + 124, true) : 0;
      entries.push({
        name: entryName(view, offset),
        type: view.getUint8(offset + 66),
        left: view.getUint32(offset + 68, true),
        right: view.getUint32(offset + 72, true),
        child: view.getUint32(offset + 76, true),
        classId: guidAt(view, offset + 80),
        start: view.getUint32(offset + 116, true),
        size: high * 2 ** 32 + view.getUint32(offset + 120, true),
      });
    }
    return entries;
  }

  /** In order (left, entry, right), without recursion: a damaged tree can be one long list. */
  #walk(root: Entry): void {
    const seen = new Set<number>([0]);
    const open: { readonly index: number; readonly prefix: string; readonly depth: number; expanded: boolean }[] = [];
    const push = (index: number, prefix: string, depth: number): void => {
      if (index === NO_ENTRY || index >= this.#entries.length || depth > MAX_DEPTH || seen.has(index)) return;
      seen.add(index);
      open.push({ index, prefix, depth, expanded: false });
    };
    push(root.child, '', 1);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const entry = this.#entries[top.index];
      if (entry === undefined) break;
      if (!top.expanded) {
        top.expanded = true;
        push(entry.left, top.prefix, top.depth);
        continue;
      }
      open.pop();
      const path = top.prefix + entry.name;
      push(entry.right, top.prefix, top.depth);
      if (entry.type === 1) {
        this.storages.set(path, entry.classId);
        push(entry.child, `${path}/`, top.depth + 1);
      } else if (entry.type === 2) this.#addStream(path, entry);
    }
  }

  #addStream(path: string, entry: Entry): void {
    const key = path.toUpperCase();
    if (this.#streams.has(key)) return;
    this.#streams.set(key, entry);
    this.paths.push(path);
  }
}

function gather(
  source: Uint8Array,
  chain: readonly number[],
  sectors: { readonly size: number; readonly first: number },
  limit: number,
): Uint8Array {
  const result = new Uint8Array(Math.min(limit, chain.length * sectors.size));
  let filled = 0;
  for (const sector of chain) {
    const from = sectors.first + sector * sectors.size;
    const piece = source.subarray(from, from + Math.min(sectors.size, result.length - filled));
    result.set(piece, filled);
    filled += piece.length;
  }
  return filled === result.length ? result : result.subarray(0, filled);
}

function entryName(view: DataView, offset: number): string {
  const bytes = Math.min(view.getUint16(offset + 64, true), 64);
  let name = '';
  for (let index = 0; index + 1 < bytes; index += 2) {
    const unit = view.getUint16(offset + index, true);
    if (unit === 0) break;
    name += String.fromCharCode(unit);
  }
  return name;
}

function guidAt(view: DataView, offset: number): string | undefined {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  let tail = '';
  for (let index = 8; index < 16; index++) tail += hex(view.getUint8(offset + index), 2);
  const head = `${hex(view.getUint32(offset, true), 8)}-${hex(view.getUint16(offset + 4, true), 4)}-${hex(view.getUint16(offset + 6, true), 4)}`;
  const guid = `${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  return /[1-9a-f]/.test(guid) ? guid : undefined;
}

function damaged(reason: string): CrawlerError {
  return new CrawlerError('corrupt', `The file is not a readable OLE container: ${reason}.`);
}
