import { CrawlerError } from '../../base/errors.js';

/**
 * The format of everything that the pool and an extraction process send each other: a 32-bit kind and a 32-bit length (both
 * unsigned, little endian), then as many bytes. The sender may be a parser that a document controls, so the length is
 * compared with the limit of its kind before any memory is reserved.
 */
export interface Frame {
  readonly kind: number;
  /** May share memory with other frames: to be decoded before the next chunk is added. */
  readonly bytes: Buffer;
}

export const HEADER_BYTES = 8;
const LENGTH_OFFSET = 4;

/** A frame of UTF-8. A lone surrogate becomes U+FFFD, so the number of UTF-16 units stays the same. */
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

/** The frame as header and body, so that the bytes are not copied. */
export function bytesFrame(kind: number, bytes: Uint8Array): readonly [header: Buffer, bytes: Uint8Array] {
  return [frameHeader(kind, bytes.length), bytes];
}

/** What precedes the bytes of a frame. */
export function frameHeader(kind: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, kind, length);
  return header;
}

/** What precedes the bytes of a frame, into the beginning of the target. */
export function writeHeader(target: Buffer, kind: number, length: number): void {
  target.writeUInt32LE(kind, 0);
  target.writeUInt32LE(length, LENGTH_OFFSET);
}

/** The maximum body length of a kind in bytes; undefined when there is no such kind. */
export type FrameLimits = (kind: number) => number | undefined;

/** The first buffer for a frame that has not arrived completely. */
const LEAST_CAPACITY = 64 * 1024;

/**
 * Assembles frames from chunks of any size. The memory for an incomplete frame grows with what has arrived of it, whatever
 * length it announces and however small the chunks are.
 */
export class FrameReader {
  readonly #limits: FrameLimits;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #header: { readonly kind: number; readonly length: number } | undefined;
  /** The beginning of a header or body that arrives in several chunks. */
  #partial: Buffer = Buffer.alloc(0);
  #filled = 0;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** To be called at the beginning, and whenever `next` has returned undefined. */
  add(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /**
   * The next complete frame, or undefined when another chunk is needed.
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
    if (this.#filled === 0 && this.#chunk.length - this.#at >= HEADER_BYTES) {
      const at = this.#at;
      this.#at += HEADER_BYTES;
      return this.#headerAt(this.#chunk, at);
    }
    const header = this.#take(HEADER_BYTES);
    return header === undefined ? undefined : this.#headerAt(header, 0);
  }

  #headerAt(bytes: Buffer, at: number): { readonly kind: number; readonly length: number } {
    const kind = bytes.readUInt32LE(at);
    const length = bytes.readUInt32LE(at + LENGTH_OFFSET);
    const limit = this.#limits(kind);
    if (limit === undefined) throw new CrawlerError('corrupt', `a frame of unknown kind ${kind}`);
    if (length > limit) {
      throw new CrawlerError('corrupt', `a frame of kind ${kind} with ${length} bytes; at most ${limit} are allowed`);
    }
    return { kind, length };
  }

  /** Copies only what arrived in several chunks. */
  #take(count: number): Buffer | undefined {
    const available = this.#chunk.length - this.#at;
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
    return this.#chunk.subarray(from, this.#at);
  }

  #reserve(needed: number, atMost: number): void {
    if (needed <= this.#partial.length) return;
    const larger = Buffer.allocUnsafe(Math.min(atMost, Math.max(LEAST_CAPACITY, 2 * needed)));
    this.#partial.copy(larger, 0, 0, this.#filled);
    this.#partial = larger;
  }
}
