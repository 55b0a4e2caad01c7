import type { OleContainer } from '../../containers/ole/ole.js';
import { CrawlerError } from '../../../base/errors.js';
import { PAIR, readPair, slice, type Fib } from './fib.js';
import { readRuns, RunLookup, type FormattedRun } from './formatted-pages.js';
import { ListNumbers } from './list-numbers.js';
import { readLists, type Lists } from './lists.js';
import { PieceTable, readPieces } from './piece-table.js';
import { SPRM, sprmsIn } from './sprms.js';
import { listProperties, StyleSheet } from './style-sheet.js';

/** A stretch of the document's text, by character positions. */
export interface Story {
  readonly start: number;
  readonly end: number;
}

export interface Paragraph {
  /** With field marks and the paragraph mark, without what is marked as deleted. */
  readonly text: string;
  /** The number or bullet of a list paragraph, else empty. */
  readonly number: string;
  readonly endsCell: boolean;
  readonly endsRow: boolean;
}

/** Paragraphs end with a paragraph mark, a cell or row mark, or a page or section break. */
const MARKS = '\r\u0007\f';
export const PARAGRAPH = new RegExp(`[^${MARKS}]*[${MARKS}]|[^${MARKS}]+$`, 'g');
const NO_LIST = 0xf801;
const WINDOWS_LATIN = 1252;

/** Text and formatting of a document of Word 97 or later. */
export class WordText {
  readonly text: string;
  /** Offsets in the `Data` stream of the pictures in the text, in order. */
  readonly pictureOffsets: readonly number[];
  /** The table stream. */
  readonly table: Uint8Array;
  readonly #paragraphs: RunLookup;
  readonly #deleted: RunLookup;
  readonly #styles: StyleSheet;
  readonly #lists: Lists;

  constructor(container: OleContainer, word: Uint8Array, fib: Fib) {
    const table = tableStream(container, fib);
    const part = (index: number): Uint8Array => slice(table, readPair(word, fib, index));
    const pieces = readPieces(part(PAIR.pieceTable), { unicode: true, limit: word.length });
    if (pieces.length === 0) {
      throw new CrawlerError('corrupt', 'The Word document is damaged: the table of its text cannot be read.');
    }
    const text = new PieceTable(word, pieces, WINDOWS_LATIN);
    const characters = readRuns(word, part(PAIR.characterPages), pieces, 'characters');
    this.text = text.text;
    this.table = table;
    this.#paragraphs = new RunLookup(readRuns(word, part(PAIR.paragraphPages), pieces, 'paragraphs'));
    this.#deleted = new RunLookup(characters.filter(isDeleted));
    this.pictureOffsets = characters.flatMap((run) => pictureOffset(run, text.text));
    this.#styles = new StyleSheet(part(PAIR.styleSheet));
    this.#lists = readLists(table, readPair(word, fib, PAIR.lists)?.offset, part(PAIR.listOverrides));
  }

  /** The paragraphs of a story, with numbers. */
  *paragraphs(story: Story): Generator<Paragraph> {
    const numbers = new ListNumbers(this.#lists);
    for (const { start, end } of this.#bounds(story)) {
      const properties = this.#paragraphs.at(end - 1)?.properties ?? NONE;
      const mark = this.text[end - 1];
      const blank = this.text.slice(start, end).trim() === '';
      const endsRow = mark === '\u0007' && isRowEnd(properties);
      yield {
        text: this.#withoutDeleted(start, end),
        number: blank ? '' : this.#number(properties, numbers),
        endsCell: mark === '\u0007' && !endsRow,
        endsRow,
      };
    }
  }

  /** The paragraphs of a story as they are written, deleted text included. */
  *plainParagraphs(story: Story): Generator<string> {
    for (const { start, end } of this.#bounds(story)) yield this.text.slice(start, end);
  }

  *#bounds(story: Story): Generator<Story> {
    const text = this.text.slice(story.start, story.end);
    for (const match of text.matchAll(PARAGRAPH)) {
      const start = story.start + match.index;
      yield { start, end: start + match[0].length };
    }
  }

  #withoutDeleted(start: number, end: number): string {
    let text = '';
    let at = start;
    for (const run of this.#deleted.within(start, end)) {
      if (run.start > at) text += this.text.slice(at, run.start);
      at = Math.max(at, run.end);
    }
    return at < end ? text + this.text.slice(at, end) : text;
  }

  #number(properties: Uint8Array, numbers: ListNumbers): string {
    const styleIndex = properties.length < 2 ? 0 : (properties[0] ?? 0) + (properties[1] ?? 0) * 256;
    const style = this.#styles.style(styleIndex);
    if (style === undefined) return '';
    const own = listProperties(properties.subarray(2));
    const override = own.listOverride ?? style.listOverride ?? 0;
    if (override === 0 || override === NO_LIST) return '';
    return numbers.next(override, own.listLevel ?? style.listLevel ?? 0);
  }
}

const NONE = new Uint8Array(0);

/** The stream that the header names; some writers name the wrong one of the two. */
function tableStream(container: OleContainer, fib: Fib): Uint8Array {
  const other = fib.tableName === '0Table' ? '1Table' : '0Table';
  return container.read(fib.tableName) ?? container.read(other) ?? NONE;
}

function isDeleted(run: FormattedRun): boolean {
  let deleted = false;
  for (const { code, operand } of sprmsIn(run.properties)) {
    if (code === SPRM.deleted) deleted = operand.getUint8(0) === 1;
  }
  return deleted;
}

function isRowEnd(properties: Uint8Array): boolean {
  for (const { code, operand } of sprmsIn(properties.subarray(2))) {
    if (code === SPRM.tableRowEnd) return operand.getUint8(0) !== 0;
  }
  return false;
}

/** Pictures in the text are characters U+0001 whose run says where the picture lies. */
function pictureOffset(run: FormattedRun, text: string): number[] {
  if (!text.slice(run.start, run.end).includes('\u0001')) return [];
  for (const { code, operand } of sprmsIn(run.properties)) {
    if (code === SPRM.pictureOffset) return [operand.getUint32(0, true)];
  }
  return [];
}
