import { CrawlerError } from '../../../base/errors.js';

/**
 * The file information block at the start of a `WordDocument` stream: version, flags, the lengths of the stories and, from
 * Word 97 on, a table of offset and length pairs that say where in the table stream each structure lies.
 */
export interface Fib {
  /** `nFib`: 101 is Word 6, 104 is Word 95, 193 and above are Word 97 and later. */
  readonly version: number;
  /** True for Word 6 and 95, which have no table stream. */
  readonly old: boolean;
  readonly encrypted: boolean;
  readonly fastSaved: boolean;
  /** Windows language number of the system that wrote the file. */
  readonly language: number;
  readonly tableName: '0Table' | '1Table';
  /** Where the text lies in Word 6 and 95: first and last byte. */
  readonly textStart: number;
  readonly textEnd: number;
  readonly lengths: StoryLengths;
}

/** Characters of each story, in the order in which they follow each other. */
export interface StoryLengths {
  readonly main: number;
  readonly footnotes: number;
  readonly headers: number;
  readonly macros: number;
  readonly comments: number;
  readonly endnotes: number;
  readonly textBoxes: number;
  readonly headerTextBoxes: number;
}

export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** Index in the table of pairs (Word 97 and later). */
export const PAIR = {
  styleSheet: 1,
  headerStories: 11,
  characterPages: 12,
  paragraphPages: 13,
  pieceTable: 33,
  drawings: 50,
  lists: 73,
  listOverrides: 74,
} as const;

const MAGICS = new Set([0xa5dc, 0xa5ec, 0xa697, 0xa699, 0xa59b, 0xa59c]);
const FIRST_97 = 193;
const PAIRS_OFFSET = 154;

export function readFib(word: Uint8Array): Fib {
  if (word.length < 0x60) throw new CrawlerError('corrupt', 'The Word document is damaged: its header is cut.');
  const view = new DataView(word.buffer, word.byteOffset, word.byteLength);
  if (!MAGICS.has(view.getUint16(0, true))) {
    throw new CrawlerError('corrupt', 'The Word document is damaged: its header is not that of a Word document.');
  }
  const version = view.getUint16(2, true);
  const flags = view.getUint16(10, true);
  const old = version < 106;
  return {
    version,
    old,
    encrypted: (flags & 0x0100) !== 0,
    fastSaved: (flags & 0x0004) !== 0,
    language: view.getUint16(6, true),
    tableName: (flags & 0x0200) === 0 ? '0Table' : '1Table',
    textStart: view.getUint32(24, true),
    textEnd: view.getUint32(28, true),
    lengths: readLengths(view, old ? 0x34 : 0x4c),
  };
}

/** Negative lengths, which damage brings, count as none. */
function readLengths(view: DataView, at: number): StoryLengths {
  const length = (index: number): number =>
    at + index * 4 + 4 <= view.byteLength ? Math.max(0, view.getInt32(at + index * 4, true)) : 0;
  return {
    main: length(0),
    footnotes: length(1),
    headers: length(2),
    macros: length(3),
    comments: length(4),
    endnotes: length(5),
    textBoxes: length(6),
    headerTextBoxes: length(7),
  };
}

/** Offset and length of a structure in the table stream; undefined when the file does not have it. */
export function readPair(word: Uint8Array, fib: Fib, index: number): Extent | undefined {
  if (fib.version < FIRST_97) return undefined;
  const at = PAIRS_OFFSET + index * 8;
  if (at + 8 > word.length) return undefined;
  const view = new DataView(word.buffer, word.byteOffset, word.byteLength);
  const length = view.getUint32(at + 4, true);
  return length === 0 ? undefined : { offset: view.getUint32(at, true), length };
}

/** The bytes of an extent, as far as the stream goes. */
export function slice(bytes: Uint8Array, extent: Extent | undefined): Uint8Array {
  if (extent === undefined) return new Uint8Array(0);
  return bytes.subarray(Math.min(extent.offset, bytes.length), Math.min(extent.offset + extent.length, bytes.length));
}
