import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import { formatGeneral } from '../../containers/spreadsheet/format-general.js';
import { formatNumber } from '../../containers/spreadsheet/number-format.js';
import { RichString } from './rich-string.js';

/** What cells need to know about the workbook. */
export interface CellContext {
  readonly strings: readonly string[];
  /** Number format code by cell style. */
  readonly formats: readonly string[];
  readonly date1904: boolean;
}

export interface SheetOutput {
  write(text: string): void;
  readonly full: boolean;
}

/** Columns left out between two cells show as tabs, but a cell far to the right must not cost thousands of them. */
const MAX_EMPTY_COLUMNS = 32;
const PLAIN_INTEGER = /^-?\d{1,15}$/;

const headerFooters = new Set(['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter']);

/** Walks a worksheet and writes a line for each row, each cell behind a tab. */
export class SheetRows implements XmlVisitor {
  /** As they stand in the file, in its order. */
  readonly headersAndFooters: string[] = [];
  isProtected = false;
  hasHiddenRows = false;
  hasHiddenColumns = false;
  readonly #cells: CellContext;
  readonly #comments: Map<string, string>;
  readonly #output: SheetOutput;
  readonly #inline = new RichString();
  #row = '';
  #lastColumn = -1;
  #reference = '';
  #type = '';
  #format: string | undefined;
  #value = '';
  #inValue = false;
  #inInline = false;

  constructor(cells: CellContext, comments: Map<string, string>, output: SheetOutput) {
    this.#cells = cells;
    this.#comments = comments;
    this.#output = output;
  }

  get done(): boolean {
    return this.#output.full;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#inInline) this.#inline.open(name);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v' || headerFooters.has(name)) this.#beginValue();
    else if (name === 'is') this.#inInline = true;
    else if (name === 'row') this.hasHiddenRows ||= isHidden(attributes);
    else if (name === 'col') this.hasHiddenColumns ||= isHidden(attributes);
    else if (name === 'sheetProtection') this.isProtected = true;
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else if (this.#inInline) this.#inline.text(text);
  }

  close(name: string): void {
    if (name === 'v') this.#inValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (name === 'is') this.#endInline();
    else if (this.#inInline) this.#inline.close(name);
    else if (headerFooters.has(name)) this.#endHeaderFooter();
  }

  #beginValue(): void {
    this.#inValue = true;
    this.#value = '';
  }

  #openCell(attributes: XmlAttributes): void {
    this.#reference = attributes.get('r') ?? '';
    this.#type = attributes.get('t') ?? 'n';
    this.#format = this.#cells.formats[Number(attributes.get('s') ?? 0)];
    this.#value = '';
  }

  #endInline(): void {
    this.#inInline = false;
    this.#value = this.#inline.take();
  }

  #closeCell(): void {
    const comment = this.#comments.get(this.#reference);
    const shown = this.#value === '' ? '' : this.#show();
    if (shown === '' && comment === undefined) return;
    const column = columnOf(this.#reference) ?? this.#lastColumn + 1;
    this.#row += '\t'.repeat(Math.min(Math.max(1, column - this.#lastColumn), MAX_EMPTY_COLUMNS)) + shown;
    this.#lastColumn = column;
    if (comment === undefined) return;
    this.#row += `\n${comment}`;
    this.#comments.delete(this.#reference);
  }

  #show(): string {
    const value = this.#value;
    switch (this.#type) {
      case 's':
        return this.#cells.strings[Number(value)] ?? '';
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
      case 'e':
        return `ERROR:${value}`;
      case 'n':
        return this.#showNumber(value);
      default:
        return value;
    }
  }

  #showNumber(value: string): string {
    const number = Number(value);
    if (Number.isNaN(number)) return value;
    if (this.#format !== undefined && this.#format !== 'General') {
      return formatNumber(number, this.#format, this.#cells.date1904);
    }
    return PLAIN_INTEGER.test(value) ? value : formatGeneral(number);
  }

  #closeRow(): void {
    this.#output.write(`${this.#row}\n`);
    this.#row = '';
    this.#lastColumn = -1;
  }

  #endHeaderFooter(): void {
    this.#inValue = false;
    this.headersAndFooters.push(this.#value);
  }
}

function isHidden(attributes: XmlAttributes): boolean {
  const hidden = attributes.get('hidden');
  return hidden === '1' || hidden === 'true';
}

/** `BC12` → 54; columns count from 0. */
function columnOf(reference: string): number | undefined {
  let column = 0;
  for (let index = 0; index < reference.length; index++) {
    const letter = reference.charCodeAt(index) & ~0x20;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column === 0 ? undefined : column - 1;
}
