import type { FormatContext } from '../../format.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { unpackRk } from '../../containers/spreadsheet/cell-values.js';
import { formatNumber } from '../../containers/spreadsheet/number-format.js';
import { recordsOf, type BinaryWorkbook } from './binary-workbook.js';
import type { RecordData } from './binary-records.js';

/**
 * Writes the cells of a sheet, a line a row and a tab for each column to the left. Cell records name their column and
 * style; short ones follow the column before and have the style only.
 */
export class BinarySheet {
  /** In the order of the file. */
  readonly headersAndFooters: string[] = [];
  readonly #workbook: BinaryWorkbook;
  readonly #context: FormatContext;
  #column = 0;
  #writtenColumn = -1;
  #rowOpen = false;

  constructor(workbook: BinaryWorkbook, context: FormatContext) {
    this.#workbook = workbook;
    this.#context = context;
  }

  write(pack: OoxmlPackage, part: string): void {
    let count = 0;
    for (const { type, data } of recordsOf(pack, part)) {
      if (type === ROW) this.#endRow();
      else if (type === HEADER_FOOTER) this.#readHeaderFooter(data);
      else this.#cell(type, data);
      if (++count % 256 === 0 && this.#context.full) return;
    }
    this.#endRow();
  }

  #endRow(): void {
    if (this.#rowOpen) this.#context.write('\n');
    this.#rowOpen = false;
    this.#column = -1;
    this.#writtenColumn = -1;
  }

  #cell(type: number, data: RecordData): void {
    const kind = KINDS.get(type);
    if (kind === undefined) return;
    this.#column = kind.short ? this.#column + 1 : data.uint32();
    const style = data.uint24();
    data.skip(1);
    const text = this.#value(kind.value, style, data).trim();
    if (text === '') return;
    const tabs = Math.min(Math.max(1, this.#column - this.#writtenColumn), MAX_EMPTY_COLUMNS);
    this.#context.write('\t'.repeat(tabs) + text);
    this.#writtenColumn = this.#column;
    this.#rowOpen = true;
  }

  #value(kind: ValueKind, style: number, data: RecordData): string {
    switch (kind) {
      case 'blank':
        return '';
      case 'rk':
        return this.#number(unpackRk(data.uint32() | 0), style);
      case 'real':
        return this.#number(data.float64(), style);
      case 'boolean':
        return data.uint8() === 0 ? 'FALSE' : 'TRUE';
      case 'error':
        return 'ERROR';
      case 'shared':
        return this.#workbook.strings[data.uint32()] ?? '';
      case 'string':
        return data.string();
      case 'rich':
        data.skip(1);
        return data.string();
    }
  }

  #number(value: number, style: number): string {
    return formatNumber(value, this.#workbook.formats[style] ?? 'General', this.#workbook.date1904);
  }

  #readHeaderFooter(data: RecordData): void {
    data.skip(2);
    for (let index = 0; index < 6; index++) {
      const text = data.string();
      if (text !== '') this.headersAndFooters.push(text);
    }
  }
}

const ROW = 0;
const HEADER_FOOTER = 479;
const MAX_EMPTY_COLUMNS = 32;

interface CellKind {
  readonly value: ValueKind;
  readonly short: boolean;
}

type ValueKind = 'blank' | 'rk' | 'error' | 'boolean' | 'real' | 'string' | 'shared' | 'rich';

const CELLS: readonly ValueKind[] = ['blank', 'rk', 'error', 'boolean', 'real', 'string', 'shared'];
const FORMULAS: readonly ValueKind[] = ['string', 'real', 'boolean', 'error'];

/** Cells are records 1 to 7, results of formulas 8 to 11, short cells 12 to 18; 62 is a cell with rich text. */
const KINDS: ReadonlyMap<number, CellKind> = new Map<number, CellKind>([
  ...CELLS.map((value, index) => [1 + index, { value, short: false }] as const),
  ...FORMULAS.map((value, index) => [8 + index, { value, short: false }] as const),
  ...CELLS.map((value, index) => [12 + index, { value, short: true }] as const),
  [62, { value: 'rich', short: false }],
]);
