import { builtinFormat, formatNumber } from '../../containers/spreadsheet/number-format.js';
import type { BiffRecord } from './biff-records.js';
import { readString, type StringEncoding } from './biff-strings.js';

/** Number formats of a workbook: cells name an extended format (XF), which names a format, built in or defined here. */
const FIRST_DEFINED = 50;

export class NumberFormats {
  date1904 = false;
  readonly #formatOfXf: number[] = [];
  readonly #codes = new Map<number, string>();

  addExtendedFormat([data]: BiffRecord['segments']): void {
    this.#formatOfXf.push((data[2] ?? 0) + (data[3] ?? 0) * 256);
  }

  addFormat(segments: BiffRecord['segments'], encoding: StringEncoding): void {
    const [data] = segments;
    const id = (data[0] ?? 0) + (data[1] ?? 0) * 256;
    this.#codes.set(id, readString(segments, 2, encoding.unicode ? 2 : 1, encoding));
  }

  /** The number as the cell shows it. */
  show(value: number, extendedFormat: number): string {
    const id = this.#formatOfXf[extendedFormat] ?? 0;
    const code = id < FIRST_DEFINED ? builtinFormat(id) : (this.#codes.get(id) ?? 'General');
    return formatNumber(value, code, this.date1904);
  }
}
