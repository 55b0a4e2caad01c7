import { LzmaDecoder, parseProperties, type LzmaProperties } from './lzma-decoder.js';
import { damagedLzma } from './range-decoder.js';
import { PIECE_BYTES, SlidingWindow } from './sliding-window.js';

/**
 * LZMA and LZMA2 data as pieces of what they unpack to. A piece is valid until the next one is asked for. Damaged data throws
 * `corrupt` after the pieces that could be read.
 */
export interface LzmaOptions extends LzmaProperties {
  readonly dictionaryBytes: number;
  /** Undefined when an end mark tells where the data end. */
  readonly size: number | undefined;
}

export function* unpackLzma(input: Uint8Array, options: LzmaOptions): Generator<Uint8Array> {
  const { size, dictionaryBytes } = options;
  const window = new SlidingWindow(Math.min(dictionaryBytes, size ?? dictionaryBytes));
  const decoder = new LzmaDecoder(window);
  decoder.configure(options);
  decoder.reset();
  decoder.start(input, 0);
  for (let left = size ?? Number.POSITIVE_INFINITY; left > 0;) {
    const wanted = Math.min(left, PIECE_BYTES);
    window.makeRoom(wanted);
    const fault = attempt(() => decoder.decode(wanted));
    const piece = window.take();
    left -= piece.length;
    if (left < 0) throw damagedLzma();
    if (piece.length > 0) yield piece;
    if (fault.error !== undefined) throw fault.error;
    if (!fault.value) {
      if (size !== undefined && left > 0) throw damagedLzma();
      return;
    }
  }
}

/** Where in an input a reader stands. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const CONTROL_END = 0;
const CONTROL_STORED_RESET = 1;
const CONTROL_STORED = 2;
const CONTROL_LZMA = 0x80;

/** LZMA2 tells the size of its dictionary in six bits: 2 or 3, shifted by 11 and more. */
export function lzma2DictionaryBytes(byte: number): number {
  if (byte > 40) throw damagedLzma();
  return byte === 40 ? 0xffffffff : (2 | (byte & 1)) * 2 ** ((byte >>> 1) + 11);
}

/**
 * LZMA2 is a row of chunks, each headed by a control byte: 0 ends the data; 1 and 2 begin a stored chunk (1: and the
 * dictionary is reset) with its size less one in two bytes; from 0x80 on it is LZMA, with the size less one in the five low
 * bits and two bytes, the packed size less one in two bytes, and what is reset in bits 5 and 6 (1: what was learned; 2: and
 * there are new properties, in one byte; 3: and the dictionary). The cursor ends behind the data.
 */
export function* unpackLzma2(cursor: Cursor, dictionaryBytes: number): Generator<Uint8Array> {
  const window = new SlidingWindow(dictionaryBytes);
  const decoder = new LzmaDecoder(window);
  for (let control = byteAt(cursor); control !== CONTROL_END; control = byteAt(cursor)) {
    if (control >= CONTROL_LZMA) yield* lzmaChunk(cursor, control, window, decoder);
    else yield storedChunk(cursor, control, window);
  }
}

function storedChunk(cursor: Cursor, control: number, window: SlidingWindow): Uint8Array {
  if (control > CONTROL_STORED) throw damagedLzma();
  if (control === CONTROL_STORED_RESET) window.reset();
  const size = numberAt(cursor) + 1;
  const stored = cursor.bytes.subarray(cursor.at, cursor.at + size);
  if (stored.length < size) throw damagedLzma();
  cursor.at += size;
  window.makeRoom(size);
  window.putAll(stored);
  return window.take();
}

function* lzmaChunk(
  cursor: Cursor,
  control: number,
  window: SlidingWindow,
  decoder: LzmaDecoder,
): Generator<Uint8Array> {
  const size = ((control & 0x1f) << 16) + numberAt(cursor) + 1;
  const packedSize = numberAt(cursor) + 1;
  const resets = (control >>> 5) & 3;
  if (resets === 3) window.reset();
  if (resets >= 2) decoder.configure(parseProperties(byteAt(cursor)));
  if (resets >= 1) decoder.reset();
  decoder.start(cursor.bytes.subarray(0, cursor.at + packedSize), cursor.at);
  window.makeRoom(size);
  const { value, error } = attempt(() => decoder.decode(size));
  const piece = window.take();
  if (piece.length > 0) yield piece;
  if (error !== undefined) throw error;
  if (value !== true || piece.length !== size) throw damagedLzma();
  cursor.at += packedSize;
}

/** What was decoded before a fault is still wanted. */
function attempt<T>(work: () => T): { value?: T; error?: Error } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error as Error };
  }
}

function byteAt(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw damagedLzma();
  cursor.at++;
  return byte;
}

function numberAt(cursor: Cursor): number {
  return byteAt(cursor) * 256 + byteAt(cursor);
}
