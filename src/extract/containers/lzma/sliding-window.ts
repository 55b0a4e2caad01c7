import { damagedLzma } from './range-decoder.js';

/**
 * The last bytes that a decoder has put out, which it may refer to again. They are kept in a buffer that grows to the size of
 * the dictionary and a piece of output; when it is full, the part that can still be referred to moves to its front.
 */
export const PIECE_BYTES = 256 * 1024;
/** No reference copies more than this. */
const LONGEST_MATCH = 273;
const FIRST_BYTES = 64 * 1024;
/** The room behind the dictionary, as a part of it: it is moved once for so many bytes of output. */
const SLACK = 0.5;

export class SlidingWindow {
  readonly #dictionaryBytes: number;
  #buffer = new Uint8Array(FIRST_BYTES);
  /** Where the next byte goes. */
  #end = 0;
  /** The first byte that may be referred to. */
  #start = 0;
  /** The first byte that was not taken. */
  #taken = 0;
  /** Bytes put since the last reset. */
  #position = 0;

  constructor(dictionaryBytes: number) {
    this.#dictionaryBytes = dictionaryBytes;
  }

  /** Bytes put since the last reset. */
  get position(): number {
    return this.#position;
  }

  /** Bytes that can be taken. */
  get untaken(): number {
    return this.#end - this.#taken;
  }

  /** From now on nothing older may be referred to. */
  reset(): void {
    this.#start = this.#end;
    this.#position = 0;
  }

  /** Makes room for a number of bytes and one match more. Only then may so much be put. */
  makeRoom(bytes: number): void {
    const needed = bytes + LONGEST_MATCH;
    if (this.#end + needed <= this.#buffer.length) return;
    const kept = Math.min(this.#end - this.#start, this.#dictionaryBytes);
    const from = Math.min(this.#end - kept, this.#taken);
    const most = Math.ceil(this.#dictionaryBytes * (1 + SLACK)) + this.untaken + 2 * needed;
    const wanted = Math.max(this.#end - from + needed, Math.min(this.#buffer.length * 2, most));
    const target = wanted > this.#buffer.length ? new Uint8Array(wanted) : this.#buffer;
    target.set(this.#buffer.subarray(from, this.#end));
    this.#buffer = target;
    this.#end -= from;
    this.#taken -= from;
    this.#start = Math.max(0, this.#start - from);
  }

  put(byte: number): void {
    this.#buffer[this.#end++] = byte;
    this.#position++;
  }

  putAll(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
    this.#position += bytes.length;
  }

  /** The byte that was put so many bytes before the next one; 0 when there is none. */
  before(distance: number): number {
    return distance > this.#end - this.#start ? 0 : (this.#buffer[this.#end - distance] ?? 0);
  }

  /** Puts bytes again that begin so many bytes before the next one. They may overlap with what is put. */
  repeat(distance: number, length: number): void {
    if (distance > this.#end - this.#start) throw damagedLzma();
    const buffer = this.#buffer;
    const end = this.#end + length;
    for (let to = this.#end, from = to - distance; to < end; to++, from++) buffer[to] = buffer[from] ?? 0;
    this.#end = end;
    this.#position += length;
  }

  /** What was put since the last time. Valid until the next call of `makeRoom`. */
  take(): Uint8Array {
    const piece = this.#buffer.subarray(this.#taken, this.#end);
    this.#taken = this.#end;
    return piece;
  }
}
