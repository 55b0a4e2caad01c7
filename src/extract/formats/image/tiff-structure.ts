import { isUtf8 } from 'node:buffer';

/**
 * The structure of TIFF, in which cameras also keep their EXIF tags: byte order ("II" little-endian, "MM" big-endian), 42,
 * offset of the first directory. A directory is
 *
 *     u16 count · entries of 12 bytes: u16 tag · u16 type · u32 count of values · value, or its offset · u32 next directory
 *
 * Offsets and counts come from strangers: a value that leads out of the file does not exist, and of long lists only the
 * first values are read.
 */
const ENTRY_BYTES = 12;
const MAX_ENTRIES = 4096;
const MAX_VALUES = 16;
const TYPE = { ascii: 2, rational: 5, signedRational: 10, float: 11, double: 12 } as const;
const SIGNED: ReadonlySet<number> = new Set([6, 8, 9]);
const VALUE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
};

export class TiffStructure {
  readonly bytes: Buffer;
  readonly #littleEndian: boolean;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#littleEndian = bytes[0] === 0x49;
  }

  /** Throws RangeError when the structure is cut off there. */
  get first(): number {
    return this.u32(4);
  }

  u16(at: number): number {
    return this.#littleEndian ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  u32(at: number): number {
    return this.#littleEndian ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  /** Where the directory after this one starts, 0 at the end. */
  next(directory: number): number {
    return this.u32(directory + 2 + this.u16(directory) * ENTRY_BYTES);
  }

  /** Without entries when there is none at this offset, which may be any number that the file contains. */
  directory(at = 0): TiffDirectory {
    const entries = new Map<number, number>();
    if (Number.isInteger(at) && at > 0 && at + 2 <= this.bytes.length) {
      const end = Math.min(at + 2 + Math.min(this.u16(at), MAX_ENTRIES) * ENTRY_BYTES, this.bytes.length);
      for (let entry = at + 2; entry + ENTRY_BYTES <= end; entry += ENTRY_BYTES) entries.set(this.u16(entry), entry);
    }
    return new TiffDirectory(this, entries);
  }

  /** A value of a type of numbers. */
  value(type: number, at: number): number {
    const { bytes } = this;
    const size = VALUE_BYTES[type] ?? 1;
    const little = this.#littleEndian;
    switch (type) {
      case TYPE.rational:
        return this.u32(at) / this.u32(at + 4);
      case TYPE.signedRational:
        return (this.u32(at) | 0) / (this.u32(at + 4) | 0);
      case TYPE.float:
        return little ? bytes.readFloatLE(at) : bytes.readFloatBE(at);
      case TYPE.double:
        return little ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at);
    }
    if (SIGNED.has(type)) return little ? bytes.readIntLE(at, size) : bytes.readIntBE(at, size);
    return little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  }
}

/** The tags of a directory, read when asked for. A tag of another kind than asked for does not exist. */
export class TiffDirectory {
  readonly #structure: TiffStructure;
  readonly #entries: ReadonlyMap<number, number>;

  constructor(structure: TiffStructure, entries: ReadonlyMap<number, number>) {
    this.#structure = structure;
    this.#entries = entries;
  }

  text(tag: number): string | undefined {
    const entry = this.#entries.get(tag);
    if (entry === undefined || this.#structure.u16(entry + 2) !== TYPE.ascii) return undefined;
    const bytes = this.bytes(tag) ?? Buffer.alloc(0);
    const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
    return text.replace(/\0.*$/s, '').trim() || undefined;
  }

  /** What Windows writes: UTF-16 in a list of bytes. */
  wideText(tag: number): string | undefined {
    return this.bytes(tag)?.toString('utf16le').replace(/\0.*$/s, '').trim() || undefined;
  }

  number(tag: number): number | undefined {
    return this.numbers(tag)[0];
  }

  numbers(tag: number): number[] {
    const entry = this.#entries.get(tag);
    const data = this.bytes(tag);
    if (entry === undefined || data === undefined) return [];
    const type = this.#structure.u16(entry + 2);
    const size = VALUE_BYTES[type] ?? 1;
    const start = data.byteOffset - this.#structure.bytes.byteOffset;
    const count = type === TYPE.ascii ? 0 : Math.min(data.length / size, MAX_VALUES);
    const values = Array.from({ length: count }, (_, i) => this.#structure.value(type, start + i * size));
    return values.every((value) => Number.isFinite(value)) ? values : [];
  }

  bytes(tag: number): Buffer | undefined {
    const entry = this.#entries.get(tag);
    const size = entry === undefined ? undefined : VALUE_BYTES[this.#structure.u16(entry + 2)];
    if (entry === undefined || size === undefined) return undefined;
    const length = size * this.#structure.u32(entry + 4);
    const start = length <= 4 ? entry + 8 : this.#structure.u32(entry + 8);
    const { bytes } = this.#structure;
    return start + length <= bytes.length ? bytes.subarray(start, start + length) : undefined;
  }
}
