import { CrawlerError } from '../../../base/errors.js';

/**
 * The form of everything that the pool and an extraction process send each other: four bytes that say the kind of the frame,
 * four bytes that say its length (both unsigned, little endian), then as many bytes. The other side may be a parser that a
 * document has taken over, so a length is compared with the most that its kind may have before anything is kept.
 */
export interface Frame {
  readonly kind: number;
  /** May share its memory with frames that came with it: to be read before the next piece is added. */
  readonly bytes: Buffer;
}

const HEADER_BYTES = 8;
const LENGTH_OFFSET = 4;

/** A frame of text, as UTF-8. A surrogate without its partner becomes U+FFFD, which takes one UTF-16 unit as well. */
export function textFrame(kind: number, text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  writeHeader(frame, kind, length);
  frame.write(text, HEADER_BYTES);
  return frame;
}

export function jsonFrame(kind: number, value: unknown): Buffer {
  return textFrame(kind, JSON.stringify(value));
}

/** The frame in two pieces, so that the bytes are not copied. */
export function bytesFrame(kind: number, bytes: Uint8Array): readonly [header: Buffer, bytes: Uint8Array] {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, kind, bytes.length);
  return [header, bytes];
}

function writeHeader(target: Buffer, kind: number, length: number): void {
  target.writeUInt32LE(kind, 0);
  target.writeUInt32LE(length, LENGTH_OFFSET);
}

/** Most bytes of a frame of a kind; undefined when there is no such kind. */
export type FrameLimits = (kind: number) => number | undefined;

/** The least memory that is set aside for a frame which has not come as a whole. */
const LEAST_CAPACITY = 64 * 1024;

/**
 * Puts frames together from pieces of any size. What is kept of an unfinished frame grows with what has really come of it,
 * whatever length it announces and however small the pieces are.
 */
export class FrameReader {
  readonly #limits: FrameLimits;
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #header: { readonly kind: number; readonly length: number } | undefined;
  /** The beginning of a header or of a body that did not come in one piece. */
  #partial: Buffer = Buffer.alloc(0);
  #filled = 0;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** To be called only when `next` has returned undefined, or for the first time. */
  add(piece: Buffer): void {
    this.#piece = piece;
    this.#at = 0;
  }

  /**
   * The next whole frame, or undefined when another piece is needed.
   * @throws CrawlerError `corrupt` when the kind is unknown or the frame is longer than its kind may be
   */
  next(): Frame | undefined {
    this.#header ??= this.#readHeader();
    if (this.#header === undefined) return undefined;
    const bytes = this.#take(this.#header.length);
    if (bytes === undefined) return undefined;
    const { kind } = this.#header;
    this.#header = undefined;
    return { kind, bytes };
  }

  #readHeader(): { readonly kind: number; readonly length: number } | undefined {
    if (this.#filled === 0 && this.#piece.length - this.#at >= HEADER_BYTES) {
      const at = this.#at;
      this.#at += HEADER_BYTES;
      return this.#headerAt(this.#piece, at);
    }
    const header = this.#take(HEADER_BYTES);
    return header === undefined ? undefined : this.#headerAt(header, 0);
  }

  #headerAt(bytes: Buffer, at: number): { readonly kind: number; readonly length: number } {
    const kind = bytes.readUInt32LE(at);
    const length = bytes.readUInt32LE(at + LENGTH_OFFSET);
    const limit = this.#limits(kind);
    if (limit === undefined) throw new CrawlerError('corrupt', `a frame of the unknown kind ${kind}`);
    if (length > limit) {
      throw new CrawlerError('corrupt', `a frame of kind ${kind} with ${length} bytes, of which ${limit} are allowed`);
    }
    return { kind, length };
  }

  /** Bytes that came in one piece are not copied. */
  #take(count: number): Buffer | undefined {
    const available = this.#piece.length - this.#at;
    if (this.#filled === 0 && available >= count) return this.#cut(count);
    const more = this.#cut(Math.min(count - this.#filled, available));
    this.#reserve(this.#filled + more.length, count);
    this.#filled += more.copy(this.#partial, this.#filled);
    if (this.#filled < count) return undefined;
    const bytes = this.#partial.subarray(0, count);
    this.#partial = Buffer.alloc(0);
    this.#filled = 0;
    return bytes;
  }

  #cut(count: number): Buffer {
    const from = this.#at;
    this.#at += count;
    return this.#piece.subarray(from, this.#at);
  }

  #reserve(needed: number, atMost: number): void {
    if (needed <= this.#partial.length) return;
    const larger = Buffer.allocUnsafe(Math.min(atMost, Math.max(LEAST_CAPACITY, 2 * needed)));
    this.#partial.copy(larger, 0, 0, this.#filled);
    this.#partial = larger;
  }
}
