import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { builtinFormat } from '../../containers/spreadsheet/number-format.js';
import { binaryRecords } from './binary-records.js';

/** What all sheets of a binary workbook share. */
export interface BinaryWorkbook {
  /** In the order of the tabs. */
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly hidden: boolean }[];
  readonly strings: readonly string[];
  /** Number format code by cell style. */
  readonly formats: readonly string[];
  readonly date1904: boolean;
}

const PROPERTIES = 153;
const SHEET = 156;
const STRING = 19;
const FORMAT = 44;
const EXTENDED_FORMAT = 47;
const BEGIN_CELL_FORMATS = 617;
const END_CELL_FORMATS = 618;

export function readBinaryWorkbook(pack: OoxmlPackage, part: string): BinaryWorkbook {
  const targets = new Map(pack.relationships(part).map((each) => [each.id, each.target]));
  const sheets: { name: string; part: string; hidden: boolean }[] = [];
  let date1904 = false;
  for (const { type, data } of recordsOf(pack, part)) {
    if (type === PROPERTIES) date1904 = (data.uint32() & 1) !== 0;
    else if (type === SHEET) {
      const hidden = data.uint32() !== 0;
      data.skip(4);
      const target = targets.get(data.string());
      if (target !== undefined) sheets.push({ name: data.string(), part: target, hidden });
    }
  }
  return { sheets, strings: readStrings(pack, part), formats: readFormats(pack, part), date1904 };
}

/** The records of a part; none when it is missing. */
export function recordsOf(pack: OoxmlPackage, part: string | undefined): ReturnType<typeof binaryRecords> {
  const bytes = part === undefined ? undefined : pack.read(part);
  return binaryRecords(bytes ?? new Uint8Array(0));
}

function readStrings(pack: OoxmlPackage, workbook: string): string[] {
  const strings: string[] = [];
  for (const { type, data } of recordsOf(pack, pack.related(workbook, 'sharedStrings')[0])) {
    if (type !== STRING) continue;
    data.skip(1);
    strings.push(data.string());
  }
  return strings;
}

function readFormats(pack: OoxmlPackage, workbook: string): string[] {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let inCellFormats = false;
  for (const { type, data } of recordsOf(pack, pack.related(workbook, 'styles')[0])) {
    if (type === FORMAT) codes.set(data.uint16(), data.string());
    else if (type === BEGIN_CELL_FORMATS) inCellFormats = true;
    else if (type === END_CELL_FORMATS) inCellFormats = false;
    else if (type === EXTENDED_FORMAT && inCellFormats) {
      data.skip(2);
      ids.push(data.uint16());
    }
  }
  return ids.map((id) => codes.get(id) ?? builtinFormat(id));
}
