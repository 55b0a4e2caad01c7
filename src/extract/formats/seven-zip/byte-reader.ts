import { CrawlerError } from '../../../base/errors.js';

/**
 * Reads the parts of a 7z header. Numbers begin with as many one bits as bytes follow (lowest first); the bits behind the
 * first zero are the highest of the number.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.bytes(1)[0] ?? 0;
  }

  bytes(count: number): Buffer {
    if (count > this.left) throw damagedHeader();
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  number(): number {
    const first = this.byte();
    let value = 0;
    for (let index = 0; index < 8; index++) {
      const mask = 0x80 >>> index;
      if ((first & mask) === 0) return value + (first & (mask - 1)) * 2 ** (8 * index);
      value += this.byte() * 2 ** (8 * index);
    }
    if (!Number.isSafeInteger(value)) throw damagedHeader();
    return value;
  }

  /** A number of things of which each takes a byte of the header or more. */
  count(): number {
    const count = this.number();
    if (count > this.#bytes.length) throw damagedHeader();
    return count;
  }

  /** One bit for each of some things, highest first. */
  bits(count: number): boolean[] {
    const bytes = this.bytes(Math.ceil(count / 8));
    return Array.from({ length: count }, (_, index) => (((bytes[index >>> 3] ?? 0) << (index & 7)) & 0x80) !== 0);
  }

  /** The same, with a byte before it that says whether all are set. */
  bitsUnlessAll(count: number): boolean[] {
    return this.byte() === 0 ? this.bits(count) : Array.from({ length: count }, () => true);
  }

  /** A checksum for each thing that has one. */
  checksums(count: number): (number | undefined)[] {
    return this.bitsUnlessAll(count).map((isThere) => (isThere ? this.bytes(4).readUInt32LE(0) : undefined));
  }
}

export function damagedHeader(): CrawlerError {
  return new CrawlerError('corrupt', 'The 7z archive is damaged or cut off: its list of entries is unreadable.');
}
