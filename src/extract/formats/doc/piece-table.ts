import { decodeCodePage, decodeUtf16 } from '../../containers/charset/code-page.js';

/**
 * The text of a Word document. It lies in pieces in the `WordDocument` stream, each either 16-bit characters or bytes in a
 * code page; the piece table puts them in order. Positions in the joined text ("character positions") are what all other
 * structures speak of, but formatting pages speak of byte offsets in the stream.
 */
export interface Piece {
  /** Character position of the first character, and that behind the last. */
  readonly start: number;
  readonly end: number;
  /** Byte offset of the first character in the `WordDocument` stream. */
  readonly offset: number;
  readonly unitBytes: 1 | 2;
}

export class PieceTable {
  readonly text: string;
  readonly pieces: readonly Piece[];

  constructor(word: Uint8Array, pieces: readonly Piece[], codePage: number | string) {
    this.pieces = pieces;
    this.text = pieces.map((piece) => pieceText(word, piece, codePage)).join('');
  }
}

/**
 * Pieces of a CLX: blocks of formatting (type 1) and then the piece table (type 2). Pieces do not overlap, so
 * more text than the stream has bytes is damage and cut off.
 */
export function readPieces(clx: Uint8Array, options: { readonly unicode: boolean; readonly limit: number }): Piece[] {
  const view = new DataView(clx.buffer, clx.byteOffset, clx.byteLength);
  let at = 0;
  while (at + 3 <= clx.length && clx[at] === 1) at += 3 + view.getUint16(at + 1, true);
  if (at + 5 > clx.length || clx[at] !== 2) return [];
  const bytes = Math.min(view.getUint32(at + 1, true), clx.length - at - 5);
  const count = Math.max(0, Math.floor((bytes - 4) / 12));
  const positions = at + 5;
  const descriptors = positions + (count + 1) * 4;
  const pieces: Piece[] = [];
  let position = 0;
  for (let index = 0; index < count && position <= options.limit; index++) {
    const length = view.getInt32(positions + index * 4 + 4, true) - view.getInt32(positions + index * 4, true);
    const piece = pieceAt(view.getUint32(descriptors + index * 8 + 2, true), position, length, options);
    if (piece === undefined) continue;
    pieces.push(piece);
    position = piece.end;
  }
  return pieces;
}

/** Bit 30 marks bytes in a code page; their offset is stored doubled. Word 6 and 95 know bytes only. */
function pieceAt(
  raw: number,
  start: number,
  length: number,
  options: { readonly unicode: boolean; readonly limit: number },
): Piece | undefined {
  const narrow = !options.unicode || (raw & 0x40000000) !== 0;
  const offset = options.unicode && narrow ? (raw & 0x3fffffff) >>> 1 : raw & 0x3fffffff;
  const unitBytes = narrow ? 1 : 2;
  const available = Math.floor((options.limit - offset) / unitBytes);
  const end = start + Math.min(length, available);
  return end > start ? { start, end, offset, unitBytes } : undefined;
}

/** A code page may have characters of two bytes: the text is then padded, so that positions stay what they were. */
function pieceText(word: Uint8Array, piece: Piece, codePage: number | string): string {
  const length = piece.end - piece.start;
  const bytes = word.subarray(piece.offset, piece.offset + length * piece.unitBytes);
  if (piece.unitBytes === 2) return decodeUtf16(bytes);
  return decodeCodePage(bytes, codePage).padEnd(length, '\0');
}
