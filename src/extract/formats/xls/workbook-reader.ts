import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext } from '../../format.js';
import { biffRecords, RECORD, type BiffRecord } from './biff-records.js';
import { readString, type Segments, type StringEncoding } from './biff-strings.js';
import { booleanOrError, unpackRk } from '../../containers/spreadsheet/cell-values.js';
import { formulaResult } from './formula-result.js';
import { NumberFormats } from './number-formats.js';
import { cellKey, LinkedCells } from './linked-cells.js';
import { SegmentReader } from './segment-reader.js';
import { SharedStrings } from './shared-strings.js';
import { SheetWriter } from './sheet-writer.js';

/**
 * Reads the record stream of a workbook from front to back. It is a sequence of substreams, each between BOF and EOF: the
 * globals (names of the sheets, shared strings, formats), then one a sheet; a chart on a sheet is a substream inside it.
 */
export interface WorkbookTraits {
  readonly hiddenSheets: readonly string[];
  readonly veryHiddenSheets: readonly string[];
  readonly commentAuthors: ReadonlySet<string>;
  readonly hasProtectedSheet: boolean;
  readonly hasHiddenRows: boolean;
  readonly hasHiddenColumns: boolean;
  /** Drawing records of the whole workbook, which hold its pictures. */
  readonly drawings: readonly Uint8Array[];
}

const WORKSHEET = 0x0010;
const CHART = 0x0020;
const MACRO_SHEET = 0x0040;
const BIFF8 = 0x0600;
/** Bits of the options of a row and of a group of columns. */
const ROW_HIDDEN = 0x20;
const COLUMN_HIDDEN = 0x01;

type Handler = (segments: BiffRecord['segments']) => void;

export class WorkbookReader implements WorkbookTraits {
  readonly hiddenSheets: string[] = [];
  readonly veryHiddenSheets: string[] = [];
  readonly commentAuthors = new Set<string>();
  readonly drawings: Uint8Array[] = [];
  hasProtectedSheet = false;
  hasHiddenRows = false;
  hasHiddenColumns = false;
  readonly #context: FormatContext;
  readonly #sheet: SheetWriter;
  readonly #formats = new NumberFormats();
  readonly #sheetNames: string[] = [];
  readonly #handlers: ReadonlyMap<number, Handler>;
  #encoding: StringEncoding = { unicode: false, codePage: 1252 };
  #strings: SharedStrings | undefined;
  /** Where the string of the formula before goes. */
  #awaited: { readonly row: number; readonly column: number } | undefined;
  #links: LinkedCells | undefined;
  /** Texts of the cells of this sheet that have links. */
  #linkedTexts = new Map<number, string>();
  #substream = -1;
  #sheetsBegun = 0;
  #depth = 0;
  #begun = false;
  #inSheet = false;

  constructor(context: FormatContext) {
    this.#context = context;
    this.#sheet = new SheetWriter(context);
    this.#handlers = this.#buildHandlers();
  }

  /** @throws CrawlerError `encrypted` when the stream is. */
  read(stream: Uint8Array): void {
    this.#links = new LinkedCells(stream);
    let count = 0;
    for (const { type, segments } of biffRecords(stream)) {
      if (type === RECORD.filePass) throw new CrawlerError('encrypted', 'The workbook is encrypted.');
      this.#handlers.get(type)?.(segments);
      if (type !== RECORD.string && type !== RECORD.string2) this.#forgetUnlessFormula(type);
      if (++count % 256 === 0 && this.#context.full) return;
    }
    this.#sheet.end();
  }

  #buildHandlers(): Map<number, Handler> {
    return new Map<number, Handler>([
      ...this.#globalHandlers(),
      ...this.#cellHandlers(),
      ...this.#textHandlers(),
      // Excel 2 to 4.
      [0x0009, (segments) => this.#begin(segments)],
      [0x0209, (segments) => this.#begin(segments)],
      [0x0409, (segments) => this.#begin(segments)],
      [RECORD.integer2, ([data]) => this.#number(data, 7, 2, (view) => view.getUint16(7, true))],
      [RECORD.number2, ([data]) => this.#number(data, 7, 8, (view) => view.getFloat64(7, true))],
      [RECORD.label2, (segments) => this.#label(segments, 7, 1)],
      [RECORD.booleanOrError2, ([data]) => this.#boolean(data, 7)],
      [RECORD.string2, (segments) => this.#formulaString(segments, 1)],
    ]);
  }

  #globalHandlers(): [number, Handler][] {
    return [
      [RECORD.beginning, (segments) => this.#begin(segments)],
      [RECORD.endOfSubstream, () => this.#end()],
      [RECORD.codePage, ([data]) => this.#setCodePage(data)],
      [RECORD.dateMode, ([data]) => (this.#formats.date1904 = data[0] === 1)],
      [RECORD.extendedFormat, (segments) => this.#formats.addExtendedFormat(segments)],
      [RECORD.format, (segments) => this.#formats.addFormat(segments, this.#encoding)],
      [RECORD.sheet, (segments) => this.#sheetName(segments)],
      [RECORD.sharedStrings, (segments) => (this.#strings = new SharedStrings(segments))],
      [RECORD.drawingGroup, (segments) => this.drawings.push(...segments)],
      [RECORD.row, ([data]) => (this.hasHiddenRows ||= ((data[12] ?? 0) & ROW_HIDDEN) !== 0)],
      [RECORD.columnInfo, ([data]) => (this.hasHiddenColumns ||= ((data[8] ?? 0) & COLUMN_HIDDEN) !== 0)],
      [RECORD.protect, ([data]) => (this.hasProtectedSheet ||= (data[0] ?? 0) !== 0)],
    ];
  }

  #cellHandlers(): [number, Handler][] {
    return [
      [RECORD.sharedString, ([data]) => this.#shared(data)],
      [RECORD.label, (segments) => this.#label(segments, 6, 2)],
      [RECORD.richString, (segments) => this.#label(segments, 6, 2)],
      [RECORD.number, ([data]) => this.#number(data, 6, 8, (view) => view.getFloat64(6, true))],
      [RECORD.rk, ([data]) => this.#number(data, 6, 4, (view) => unpackRk(view.getInt32(6, true)))],
      [RECORD.multipleRk, ([data]) => this.#multipleRk(data)],
      [RECORD.booleanOrError, ([data]) => this.#boolean(data, 6)],
      [RECORD.formula, ([data]) => this.#formula(data)],
      [RECORD.formula3, ([data]) => this.#formula(data)],
      [RECORD.formula4, ([data]) => this.#formula(data)],
      [RECORD.string, (segments) => this.#formulaString(segments, 2)],
    ];
  }

  #textHandlers(): [number, Handler][] {
    return [
      [RECORD.header, (segments) => this.#pageText(segments)],
      [RECORD.footer, (segments) => this.#pageText(segments)],
      [RECORD.textObject, (segments) => this.#textObject(segments)],
      [RECORD.note, (segments) => this.#note(segments)],
      [RECORD.hyperlink, (segments) => this.#hyperlink(segments)],
      [RECORD.seriesText, (segments) => this.#sheet.outside(readString(segments, 2, 1, this.#encoding))],
    ];
  }

  #begin([data]: BiffRecord['segments']): void {
    const view = viewOf(data);
    const version = data.length < 4 ? 0 : view.getUint16(0, true);
    const type = data.length < 4 ? 0 : view.getUint16(2, true);
    if (this.#depth++ === 0) this.#substream++;
    // Some programs write another version in front of the sheets, but nothing else of it.
    if (!this.#begun) this.#encoding = { ...this.#encoding, unicode: version === BIFF8 };
    this.#begun = true;
    if (type !== WORKSHEET && type !== CHART && type !== MACRO_SHEET) return;
    this.#linkedTexts = new Map();
    const inside = this.#inSheet && this.#depth > 1;
    if (!inside) this.#sheetsBegun++;
    // A chart repeats the name of the sheet on which it stands, as in Tika.
    this.#sheet.begin(this.#sheetNames[this.#sheetsBegun - 1] ?? '');
    if (this.#depth === 1) this.#inSheet = true;
  }

  #end(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0) this.#inSheet = false;
  }

  #forgetUnlessFormula(type: number): void {
    if (type === RECORD.formula || type === RECORD.formula3 || type === RECORD.formula4) return;
    if (FORMULA_COMPANIONS.has(type)) return;
    this.#awaited = undefined;
  }

  #setCodePage(data: Uint8Array): void {
    const codePage = (data[0] ?? 0) + (data[1] ?? 0) * 256;
    this.#encoding = { ...this.#encoding, codePage: CODE_PAGES.get(codePage) ?? codePage };
  }

  #sheetName(segments: Segments): void {
    const name = readString(segments, 6, 1, this.#encoding);
    const visibility = (segments[0]?.[4] ?? 0) & 3;
    if (visibility === 1) this.hiddenSheets.push(name);
    else if (visibility === 2) this.veryHiddenSheets.push(name);
    this.#sheetNames.push(name);
  }

  #shared(data: Uint8Array): void {
    if (data.length < 10) return;
    this.#cell(data, this.#strings?.at(viewOf(data).getUint32(6, true)) ?? '');
  }

  #label(segments: Segments, start: number, lengthBytes: 1 | 2): void {
    const [data] = segments;
    if (data === undefined || data.length < start + lengthBytes) return;
    this.#cell(data, readString(segments, start, lengthBytes, this.#encoding));
  }

  /** `start` is where the value begins; from Excel 3 on (offset 6) the number of the cell's format stands before it. */
  #number(data: Uint8Array, start: number, size: number, read: (view: DataView) => number): void {
    if (data.length < start + size) return;
    const view = viewOf(data);
    this.#cell(data, this.#formats.show(read(view), start === 6 ? view.getUint16(4, true) : -1));
  }

  #multipleRk(data: Uint8Array): void {
    const view = viewOf(data);
    if (data.length < 6) return;
    const row = view.getUint16(0, true);
    const column = view.getUint16(2, true);
    for (let at = 4; at + 8 <= data.length; at += 6) {
      const text = this.#formats.show(unpackRk(view.getInt32(at + 2, true)), view.getUint16(at, true));
      this.#place(row, column + (at - 4) / 6, text);
    }
  }

  #boolean(data: Uint8Array, start: number): void {
    if (data.length >= start + 2) this.#cell(data, booleanOrError(data[start] ?? 0, data[start + 1] === 1));
  }

  #formula(data: Uint8Array): void {
    const view = viewOf(data);
    if (data.length < 14) return;
    const result = formulaResult(view, 6, view.getUint16(4, true), this.#formats);
    if (result?.kind === 'text') this.#cell(data, result.text);
    this.#awaited =
      result?.kind === 'string' ? { row: view.getUint16(0, true), column: view.getUint16(2, true) } : undefined;
  }

  #formulaString(segments: Segments, lengthBytes: 1 | 2): void {
    const awaited = this.#awaited;
    this.#awaited = undefined;
    if (awaited === undefined) return;
    this.#place(awaited.row, awaited.column, readString(segments, 0, lengthBytes, this.#encoding));
  }

  #pageText(segments: Segments): void {
    const [data] = segments;
    if (data === undefined || data.length === 0) return;
    this.#sheet.outside(readString(segments, 0, this.#encoding.unicode ? 2 : 1, this.#encoding));
  }

  /** The text stands in the first continuation; its length at offset 10 of the record. */
  #textObject([data, ...continuations]: BiffRecord['segments']): void {
    if (data.length < 12 || continuations.length === 0) return;
    const reader = new SegmentReader(continuations);
    const wide = (reader.uint8() & 1) !== 0;
    this.#sheet.outside(reader.characters(viewOf(data).getUint16(10, true), wide));
  }

  /** BIFF8 keeps the text of a comment in a text box and names the author here; before, the text itself stood here. */
  #note(segments: BiffRecord['segments']): void {
    const [data] = segments;
    if (!this.#encoding.unicode) this.#sheet.outside(readString(segments, 4, 2, this.#encoding));
    else if (data.length > 11) {
      const author = readString(segments, 8, 2, this.#encoding).trim();
      if (author !== '') this.commentAuthors.add(author);
    }
  }

  #cell(data: Uint8Array, text: string): void {
    const view = viewOf(data);
    this.#place(view.getUint16(0, true), view.getUint16(2, true), text);
  }

  #place(row: number, column: number, text: string): void {
    this.#sheet.cell(row, column, text);
    if (this.#links?.has(this.#substream, row, column) === true) this.#linkedTexts.set(cellKey(row, column), text);
  }

  #hyperlink([data]: BiffRecord['segments']): void {
    if (data.length < 8) return;
    const view = viewOf(data);
    this.#sheet.outside(this.#linkedTexts.get(cellKey(view.getUint16(0, true), view.getUint16(4, true))) ?? '');
  }
}

/** Records that may stand between a formula and its string: shared formula, array, table. */
const FORMULA_COMPANIONS = new Set([0x04bc, 0x0221, 0x0236]);

/** Code pages that Excel numbers in its own way. */
const CODE_PAGES: ReadonlyMap<number, number> = new Map([
  [0x016f, 20127],
  [0x8000, 10000],
  [0x8001, 1252],
]);

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
