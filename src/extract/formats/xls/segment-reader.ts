import { decodeLatin1, decodeUtf16 } from '../../containers/charset/code-page.js';

/**
 * Reads numbers and strings from a record's data and its continuations. When the characters of a string continue in the next
 * segment, that segment begins with a byte that says again whether they take one byte or two.
 */
export class SegmentReader {
  readonly #segments: readonly Uint8Array[];
  #segment = 0;
  #at = 0;

  constructor(segments: readonly Uint8Array[], start = 0) {
    this.#segments = segments;
    this.#at = start;
  }

  get atEnd(): boolean {
    return this.#available === 0;
  }

  uint8(): number {
    if (this.#available === 0) return 0;
    return this.#segments[this.#segment]?.[this.#at++] ?? 0;
  }

  uint16(): number {
    return this.uint8() + this.uint8() * 0x100;
  }

  uint32(): number {
    return this.uint16() + this.uint16() * 0x10000;
  }

  skip(bytes: number): void {
    let left = bytes;
    while (left > 0 && this.#available > 0) {
      const step = Math.min(left, this.#available);
      this.#at += step;
      left -= step;
    }
  }

  bytes(count: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    let left = count;
    while (left > 0 && this.#available > 0) {
      const piece = this.#take(left);
      pieces.push(piece);
      left -= piece.length;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** Characters of BIFF8, each one byte (Latin-1) or two. */
  characters(count: number, wide: boolean): string {
    let text = '';
    let left = count;
    let unitBytes = wide ? 2 : 1;
    while (left > 0 && this.#segment < this.#segments.length) {
      // Also when no character fits any more: then the flags stand in front of the first one.
      const inSegment = Math.floor(((this.#segments[this.#segment]?.length ?? 0) - this.#at) / unitBytes);
      const take = Math.min(left, inSegment);
      const raw = this.#take(Math.max(take, 0) * unitBytes);
      text += unitBytes === 2 ? decodeUtf16(raw) : decodeLatin1(raw);
      left -= take;
      if (left === 0) break;
      // A unit that does not fit is damage; the next segment begins with its flags.
      this.#segment++;
      this.#at = 0;
      if (this.#segment >= this.#segments.length) break;
      unitBytes = (this.uint8() & 1) === 0 ? 1 : 2;
    }
    return text;
  }

  #take(count: number): Uint8Array {
    const segment = this.#segments[this.#segment] ?? NOTHING;
    const piece = segment.subarray(this.#at, this.#at + count);
    this.#at += piece.length;
    return piece;
  }

  /** Bytes left in the current segment; moves on to the next segment that has any. */
  get #available(): number {
    while (this.#segment < this.#segments.length) {
      const left = (this.#segments[this.#segment]?.length ?? 0) - this.#at;
      if (left > 0) return left;
      this.#segment++;
      this.#at = 0;
    }
    return 0;
  }
}

const NOTHING = new Uint8Array(0);
