import { CrawlerError } from '../../../base/errors.js';

/**
 * Snappy without its framing: the length as a varint, then literals and copies of what was written before. The low two
 * bits of a tag byte say which:
 *
 *   00  literal; length − 1 in the upper six bits, or, from 60 on, in the next 1–4 bytes
 *   01  copy of 4–11 bytes; offset of 11 bits
 *   10  copy of 1–64 bytes; offset in 2 bytes
 *   11  the same with an offset in 4 bytes
 */
const LONG_LITERAL = 60;

/** `countBytes` gets the size before it is allocated. Throws `corrupt`. */
export function inflateSnappy(input: Buffer, countBytes: (bytes: number) => void): Buffer {
  const { value: length, end } = readLength(input);
  // Every tag yields at most 64 bytes from 2 (a literal takes its own room), so a larger claim is a lie.
  if (length > input.length * 64) throw damaged();
  countBytes(length);
  const output = Buffer.alloc(length);
  let position = end;
  let written = 0;
  while (position < input.length) {
    const tag = input[position] ?? 0;
    const piece = (tag & 3) === 0 ? literal(input, position) : copy(input, position);
    const next = piece.next + (piece.offset === 0 ? piece.length : 0);
    if (written + piece.length > length || next > input.length) throw damaged();
    if (piece.offset === 0) input.copy(output, written, piece.next, next);
    else repeat(output, written, piece.offset, piece.length);
    written += piece.length;
    position = next;
  }
  if (written !== length) throw damaged();
  return output;
}

/** `offset` is 0 for a literal, whose bytes start at `next`. */
interface Piece {
  readonly length: number;
  readonly offset: number;
  readonly next: number;
}

function literal(input: Buffer, position: number): Piece {
  const short = (input[position] ?? 0) >> 2;
  if (short < LONG_LITERAL) return { length: short + 1, offset: 0, next: position + 1 };
  const bytes = short - LONG_LITERAL + 1;
  return { length: readNumber(input, position + 1, bytes) + 1, offset: 0, next: position + 1 + bytes };
}

function copy(input: Buffer, position: number): Piece {
  const tag = input[position] ?? 0;
  if ((tag & 3) === 1) {
    const offset = ((tag >> 5) << 8) | readNumber(input, position + 1, 1);
    return { length: 4 + ((tag >> 2) & 7), offset: checked(offset), next: position + 2 };
  }
  const bytes = (tag & 3) === 2 ? 2 : 4;
  const offset = readNumber(input, position + 1, bytes);
  return { length: (tag >> 2) + 1, offset: checked(offset), next: position + 1 + bytes };
}

/** Source and target may overlap: a byte may be one that this very copy has just written. */
function repeat(output: Buffer, at: number, offset: number, length: number): void {
  if (offset > at) throw damaged();
  for (let index = at; index < at + length; index++) output[index] = output[index - offset] ?? 0;
}

function readNumber(input: Buffer, position: number, bytes: number): number {
  if (position + bytes > input.length) throw damaged();
  return input.readUIntLE(position, bytes);
}

function readLength(input: Buffer): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = input[index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: index + 1 };
  }
  throw damaged();
}

function checked(offset: number): number {
  if (offset === 0) throw damaged();
  return offset;
}

function damaged(): CrawlerError {
  return new CrawlerError('corrupt', 'A compressed part of the document is damaged.');
}
