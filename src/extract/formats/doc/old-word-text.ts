import { codePageOf } from '../../containers/charset/font-charset.js';
import { codePageOfLanguage } from '../../containers/charset/language-code-page.js';
import type { Fib } from './fib.js';
import { PieceTable, readPieces } from './piece-table.js';

/**
 * The text of a Word 6 or Word 95 document, all stories one after the other. A document that was saved in full is one
 * stretch of bytes, one that was "saved fast" has a piece table. The code page follows from the first font that is not for
 * Western text, else from the language of the system that wrote the file.
 */
const FONT_TABLE_OFFSET = 0xd0;
const PIECE_TABLE_OFFSET = 0x160;
/** ANSI, default and symbol say nothing about the language. */
const FIRST_TELLING_CHARSET = 3;

export function oldWordText(word: Uint8Array, fib: Fib): string {
  const charset = [...fontCharsets(word)].find((each) => each >= FIRST_TELLING_CHARSET);
  const codePage = charset === undefined ? codePageOfLanguage(fib.language) : codePageOf(charset);
  const pieces = fib.fastSaved ? oldPieces(word) : [];
  if (pieces.length > 0) return new PieceTable(word, pieces, codePage).text;
  const length = Math.max(0, Math.min(fib.textEnd, word.length) - fib.textStart);
  return new PieceTable(word, [{ start: 0, end: length, offset: fib.textStart, unitBytes: 1 }], codePage).text;
}

function oldPieces(word: Uint8Array): ReturnType<typeof readPieces> {
  return readPieces(structureAt(word, PIECE_TABLE_OFFSET), { unicode: false, limit: word.length });
}

/** The size of the table, then each font behind its length, its charset three bytes further on. */
function* fontCharsets(word: Uint8Array): Generator<number> {
  const table = structureAt(word, FONT_TABLE_OFFSET);
  for (let at = 2; at + 5 <= table.length; at += (table[at] ?? 0) + 1) yield table[at + 4] ?? 0;
}

/** A structure by the offset and length that the header holds at `pair`. */
function structureAt(word: Uint8Array, pair: number): Uint8Array {
  if (word.length < pair + 8) return new Uint8Array(0);
  const view = new DataView(word.buffer, word.byteOffset, word.byteLength);
  const offset = view.getUint32(pair, true);
  return word.subarray(offset, offset + view.getUint32(pair + 4, true));
}
