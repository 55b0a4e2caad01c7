import { writeOle, type OleStream } from '../../src/extract/containers/ole/ole-writer.js';

/**
 * Writes binary Word documents: text in pieces, paragraph and character formatting, a style sheet, a list. Positions count
 * characters over all stories, which follow each other: main text, footnotes, headers, comments, endnotes, text boxes.
 */
export interface WordParagraph {
  /** Ends with `\r`, `\u0007` or `\f`. */
  readonly text: string;
  /** Formatting as bytes (sprms). */
  readonly sprms?: Buffer;
}

export interface WordStories {
  readonly main: readonly WordParagraph[];
  readonly footnotes?: readonly WordParagraph[];
  /** Six stories of separators, then even header, odd header, even footer, odd footer, first header, first footer. */
  readonly headers?: readonly string[];
  readonly comments?: readonly WordParagraph[];
  readonly endnotes?: readonly WordParagraph[];
  readonly textBoxes?: readonly WordParagraph[];
}

export interface WordOptions {
  /** Ranges of characters that are marked as deleted. */
  readonly deleted?: readonly (readonly [start: number, end: number])[];
  /** Pieces of this many characters, every other one in 8-bit characters. Default: one piece of 16-bit characters. */
  readonly pieceLength?: number;
  /** A list with number 1 whose levels count `1.`, `1.a)`, with styles of which the second belongs to it. */
  readonly lists?: boolean;
  readonly encrypted?: boolean;
  readonly streams?: readonly OleStream[];
}

const TEXT_OFFSET = 0x600;
const PAGE = 512;
const HEADER_BYTES = 0x400;

/** Formatting that puts a paragraph into the list, at a level. */
export function inList(level: number): Buffer {
  return Buffer.from([0x0b, 0x46, 1, 0, 0x0a, 0x26, level]);
}

export const endsRow: Buffer = Buffer.from([0x17, 0x24, 1]);

export function wordDocument(stories: WordStories, options: WordOptions = {}): Uint8Array {
  const headers = (stories.headers ?? []).map((text) => ({ text }));
  const parts = [
    stories.main,
    stories.footnotes ?? [],
    headers,
    [],
    stories.comments ?? [],
    stories.endnotes ?? [],
    stories.textBoxes ?? [],
  ];
  const paragraphs = parts.flat();
  const text = paragraphs.map((paragraph) => paragraph.text).join('');
  const pieces = splitPieces(text, options.pieceLength);
  const table = new TableStream();
  const word = new Pages(pieces);
  const header = fib(parts, options);
  table.pair(header, 33, pieceTable(pieces));
  table.pair(header, 13, word.pageTable(paragraphRuns(paragraphs, pieces), 13));
  table.pair(header, 12, word.pageTable(characterRuns(text.length, options.deleted ?? [], pieces), 1));
  if (headers.length > 0) table.pair(header, 11, headerTable(headers));
  if (options.lists === true) addLists(table, header);
  return writeOle({
    streams: [
      { path: 'WordDocument', bytes: word.finish(header) },
      { path: '1Table', bytes: table.finish() },
      ...(options.streams ?? []),
    ],
    classId: '00020906-0000-0000-c000-000000000046',
  });
}

interface Piece {
  readonly start: number;
  readonly bytes: Buffer;
  readonly narrow: boolean;
  readonly offset: number;
}

function splitPieces(text: string, pieceLength = text.length): Piece[] {
  const pieces: Piece[] = [];
  let offset = TEXT_OFFSET;
  for (let start = 0; start < text.length; start += pieceLength) {
    const part = text.slice(start, start + pieceLength);
    const narrow = pieces.length % 2 === 1;
    const bytes = Buffer.from(part, narrow ? 'latin1' : 'utf16le');
    pieces.push({ start, bytes, narrow, offset });
    offset += bytes.length + (bytes.length % 2);
  }
  return pieces;
}

function offsetOf(position: number, pieces: readonly Piece[]): number {
  const piece = pieces.findLast((each) => each.start <= position) ?? pieces[0]!;
  return piece.offset + (position - piece.start) * (piece.narrow ? 1 : 2);
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly properties: Buffer;
}

/** Byte ranges, split where pieces meet; the properties are the style (0) and the sprms. */
function paragraphRuns(paragraphs: readonly WordParagraph[], pieces: readonly Piece[]): Run[] {
  let position = 0;
  return paragraphs.flatMap(({ text, sprms }) => {
    const start = position;
    position += text.length;
    return byPiece(start, position, pieces, Buffer.concat([Buffer.alloc(2), sprms ?? Buffer.alloc(0)]));
  });
}

function characterRuns(length: number, deleted: WordOptions['deleted'] & {}, pieces: readonly Piece[]): Run[] {
  const bounds = [...new Set([0, length, ...deleted.flat()])].sort((left, right) => left - right);
  return bounds.slice(0, -1).flatMap((start, index) => {
    const isDeleted = deleted.some(([from, to]) => start >= from && start < to);
    return byPiece(start, bounds[index + 1]!, pieces, isDeleted ? Buffer.from([0x00, 0x08, 1]) : Buffer.alloc(0));
  });
}

function byPiece(start: number, end: number, pieces: readonly Piece[], properties: Buffer): Run[] {
  return pieces.flatMap((piece) => {
    const pieceEnd = piece.start + piece.bytes.length / (piece.narrow ? 1 : 2);
    const from = Math.max(start, piece.start);
    const to = Math.min(end, pieceEnd);
    if (from >= to) return [];
    return [{ from: offsetOf(from, [piece]), to: offsetOf(to, [piece]), properties }];
  });
}

/** The `WordDocument` stream: header, text, then pages of formatting. */
class Pages {
  readonly #pieces: readonly Piece[];
  readonly #pages: Buffer[] = [];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Writes the runs into one page each (enough for a test) and returns the table of pages. */
  pageTable(runs: readonly Run[], entryBytes: number): Buffer {
    const bounds: number[] = [];
    const numbers: number[] = [];
    for (const run of runs) {
      bounds.push(run.from);
      numbers.push(this.#firstPage() + this.#pages.length);
      this.#pages.push(page(run, entryBytes));
    }
    return Buffer.concat([...[...bounds, runs.at(-1)!.to].map(uint32), ...numbers.map(uint32)]);
  }

  finish(header: Buffer): Buffer {
    const text = this.#pieces.flatMap(({ bytes }) => [bytes, Buffer.alloc(bytes.length % 2)]);
    const body = Buffer.concat([header, Buffer.alloc(TEXT_OFFSET - header.length), ...text]);
    return Buffer.concat([body, Buffer.alloc(this.#firstPage() * PAGE - body.length), ...this.#pages]);
  }

  #firstPage(): number {
    const last = this.#pieces.at(-1)!;
    return Math.ceil((last.offset + last.bytes.length + 2) / PAGE);
  }
}

function page(run: Run, entryBytes: number): Buffer {
  const bytes = Buffer.alloc(PAGE);
  bytes.writeUInt32LE(run.from, 0);
  bytes.writeUInt32LE(run.to, 4);
  bytes.writeUInt8(1, PAGE - 1);
  if (run.properties.length === 0) return bytes;
  const at = 0x100;
  bytes.writeUInt8(at / 2, 8);
  if (entryBytes === 1) bytes.writeUInt8(run.properties.length, at);
  else bytes.writeUInt8(Math.ceil((run.properties.length + 1) / 2), at);
  run.properties.copy(bytes, at + 1);
  return bytes;
}

class TableStream {
  readonly #parts: Buffer[] = [];
  #length = 0;

  pair(header: Buffer, index: number, bytes: Buffer, following: Buffer = Buffer.alloc(0)): void {
    header.writeUInt32LE(this.#length, 154 + index * 8);
    header.writeUInt32LE(bytes.length, 158 + index * 8);
    this.#parts.push(bytes, following);
    this.#length += bytes.length + following.length;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function fib(parts: readonly (readonly WordParagraph[])[], options: WordOptions): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt16LE(193, 2);
  header.writeUInt16LE(0x0200 | (options.encrypted === true ? 0x0100 : 0), 10);
  parts.forEach((paragraphs, index) => {
    header.writeUInt32LE(
      paragraphs.reduce((sum, paragraph) => sum + paragraph.text.length, 0),
      0x4c + index * 4,
    );
  });
  return header;
}

function pieceTable(pieces: readonly Piece[]): Buffer {
  const last = pieces.at(-1)!;
  const positions = [...pieces.map((each) => each.start), last.start + last.bytes.length / (last.narrow ? 1 : 2)];
  const descriptors = pieces.map((each) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(each.narrow ? (each.offset * 2) | 0x40000000 : each.offset, 2);
    return bytes;
  });
  const plc = Buffer.concat([...positions.map(uint32), ...descriptors]);
  return Buffer.concat([Buffer.from([2]), uint32(plc.length), plc]);
}

function headerTable(headers: readonly WordParagraph[]): Buffer {
  let position = 0;
  const positions = headers.map(({ text }) => (position += text.length));
  return Buffer.concat([0, ...positions].map(uint32));
}

function addLists(table: TableStream, header: Buffer): void {
  const definition = Buffer.alloc(30);
  definition.writeUInt16LE(1, 0);
  definition.writeInt32LE(77, 2);
  const levels = [level(0, '\u0000.'), level(4, '\u0000.\u0001)')];
  for (let index = 2; index < 9; index++) levels.push(level(23, '\uf0b7'));
  table.pair(header, 73, definition, Buffer.concat(levels));
  const override = Buffer.alloc(16);
  override.writeInt32LE(77, 0);
  table.pair(header, 74, Buffer.concat([uint32(1), override, uint32(0)]));
  table.pair(header, 1, styleSheet());
}

function level(format: number, text: string): Buffer {
  const fixed = Buffer.alloc(28);
  fixed.writeInt32LE(1, 0);
  fixed.writeUInt8(format, 4);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length, 0);
  return Buffer.concat([fixed, length, Buffer.from(text, 'utf16le')]);
}

/** One style, `Normal`. */
function styleSheet(): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt16LE(18, 0);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(10, 4);
  const style = Buffer.alloc(10 + 2 + 14);
  style.writeUInt16LE(0xfff1, 2);
  style.writeUInt16LE(6, 10);
  style.write('Normal', 12, 'utf16le');
  const size = Buffer.alloc(2);
  size.writeUInt16LE(style.length, 0);
  return Buffer.concat([head, size, style]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
