import { inflateRawSync, inflateSync, constants } from 'node:zlib';
import type { PdfValue } from './pdf-value.js';

/**
 * The filters that a PDF stream's bytes went through: Flate (with the row predictors of PNG), LZW, ASCIIHex, ASCII85 and
 * RunLength. Image filters are left alone: nobody here looks at pixels.
 */
/** For the filters of the nineties, whose output is gathered byte by byte. */
const MAX_LEGACY_BYTES = 16 * 1024 * 1024;

export interface FilterStep {
  readonly name: string;
  /** DecodeParms of this step. */
  readonly parameter: (key: string) => PdfValue;
}

/** @returns undefined when a filter is an image's or unknown. Throws RangeError beyond `limit` bytes. */
export function applyFilters(raw: Uint8Array, steps: readonly FilterStep[], limit: number): Uint8Array | undefined {
  let bytes = raw;
  for (const step of steps) {
    const filter = FILTERS.get(ABBREVIATIONS.get(step.name) ?? step.name);
    if (filter === undefined) return undefined;
    bytes = filter(bytes, step, limit);
  }
  return bytes;
}

type Filter = (bytes: Uint8Array, step: FilterStep, limit: number) => Uint8Array;

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['FlateDecode', (bytes, step, limit) => unpredict(inflate(bytes, limit), step)],
  ['LZWDecode', (bytes, step) => unpredict(lzw(bytes, step.parameter('EarlyChange') === 0 ? 0 : 1), step)],
  ['ASCIIHexDecode', asciiHex],
  ['ASCII85Decode', ascii85],
  ['RunLengthDecode', runLength],
  ['Crypt', (bytes) => bytes],
]);

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['Fl', 'FlateDecode'],
  ['LZW', 'LZWDecode'],
  ['AHx', 'ASCIIHexDecode'],
  ['A85', 'ASCII85Decode'],
  ['RL', 'RunLengthDecode'],
]);

/** Damaged and cut data give what was readable; a wrong zlib header is tried as raw deflate. */
function inflate(bytes: Uint8Array, limit: number): Uint8Array {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: limit };
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    try {
      return inflateRawSync(bytes.subarray(2), options);
    } catch (second) {
      if (second instanceof RangeError) throw second;
      return new Uint8Array(0);
    }
  }
}

function unpredict(bytes: Uint8Array, step: FilterStep): Uint8Array {
  const predictor = step.parameter('Predictor');
  if (typeof predictor !== 'number' || predictor < 10) return bytes;
  const number = (key: string, fallback: number): number => {
    const value = step.parameter(key);
    return typeof value === 'number' && value > 0 ? value : fallback;
  };
  const pixelBytes = Math.max(1, Math.ceil((number('Colors', 1) * number('BitsPerComponent', 8)) / 8));
  const rowBytes = Math.ceil((number('Columns', 1) * number('Colors', 1) * number('BitsPerComponent', 8)) / 8);
  const rows = Math.floor(bytes.length / (rowBytes + 1));
  const out = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row++) unpredictRow(bytes, out, { row, rowBytes, pixelBytes });
  return out;
}

interface Row {
  readonly row: number;
  readonly rowBytes: number;
  readonly pixelBytes: number;
}

function unpredictRow(bytes: Uint8Array, out: Uint8Array, { row, rowBytes, pixelBytes }: Row): void {
  const from = row * (rowBytes + 1);
  const to = row * rowBytes;
  const type = bytes[from] ?? 0;
  for (let index = 0; index < rowBytes; index++) {
    const left = index < pixelBytes ? 0 : (out[to + index - pixelBytes] ?? 0);
    const up = row === 0 ? 0 : (out[to + index - rowBytes] ?? 0);
    const corner = row === 0 || index < pixelBytes ? 0 : (out[to + index - rowBytes - pixelBytes] ?? 0);
    out[to + index] = (bytes[from + 1 + index] ?? 0) + prediction(type, left, up, corner);
  }
}

function prediction(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Variable-width codes of 9 to 12 bits; 256 clears the table, 257 ends the data. */
function lzw(bytes: Uint8Array, earlyChange: number): Uint8Array {
  const out: number[] = [];
  let table: number[][] = [];
  let previous: number[] | undefined;
  const bits = new BitReader(bytes);
  for (;;) {
    const code = bits.read(codeWidth(table.length + 258 + earlyChange));
    if (code === undefined || code === 257) break;
    if (code === 256) {
      table = [];
      previous = undefined;
      continue;
    }
    const entry = lzwEntry(code, table, previous);
    if (entry === undefined) break;
    for (const value of entry) out.push(value);
    if (out.length > MAX_LEGACY_BYTES) throw new RangeError('LZW data beyond the limit');
    if (previous !== undefined && table.length < 4096) table.push([...previous, entry[0] ?? 0]);
    previous = entry;
  }
  return Uint8Array.from(out);
}

function codeWidth(next: number): number {
  if (next >= 2048) return 12;
  if (next >= 1024) return 11;
  return next >= 512 ? 10 : 9;
}

class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;
  #bits = 0;
  #held = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(width: number): number | undefined {
    while (this.#held < width) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) return undefined;
      this.#bits = (this.#bits << 8) | byte;
      this.#held += 8;
    }
    this.#held -= width;
    const value = this.#bits >> this.#held;
    this.#bits &= (1 << this.#held) - 1;
    return value;
  }
}

function lzwEntry(code: number, table: readonly number[][], previous: number[] | undefined): number[] | undefined {
  if (code < 256) return [code];
  const known = table[code - 258];
  if (known !== undefined) return known;
  return previous !== undefined && code - 258 === table.length ? [...previous, previous[0] ?? 0] : undefined;
}

function asciiHex(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1').split('>')[0] ?? '';
  const hex = text.replace(/[^\da-f]/gi, '');
  return Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex');
}

function ascii85(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let group: number[] = [];
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    if (group.length === 5) {
      pushGroup(out, group, 4);
      group = [];
    }
  }
  if (group.length > 1) pushGroup(out, [...group, 84, 84, 84, 84].slice(0, 5), group.length - 1);
  return Uint8Array.from(out);
}

function pushGroup(out: number[], group: readonly number[], count: number): void {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
  for (let index = 0; index < count; index++) out.push(Math.floor(value / 256 ** (3 - index)) % 256);
}

function runLength(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at++] ?? 128;
    if (length === 128) break;
    if (length < 128) {
      for (let end = Math.min(at + length + 1, bytes.length); at < end; at++) out.push(bytes[at] ?? 0);
    } else {
      const value = bytes[at++] ?? 0;
      for (let count = 257 - length; count > 0; count--) out.push(value);
    }
    if (out.length > MAX_LEGACY_BYTES) throw new RangeError('Run-length data beyond the limit');
  }
  return Uint8Array.from(out);
}
