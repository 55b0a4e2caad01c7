import { writeOle, type OleStream } from '../../src/extract/containers/ole/ole-writer.js';

/** Writes BIFF8 record streams and wraps them as workbooks. */
export function record(type: number, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([uint16(type), uint16(data.length), data]);
}

export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value & 0xffff, index * 2));
  return bytes;
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

export function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** A string behind its length and flags, in 8-bit characters where they do. */
export function text(value: string, lengthBytes: 1 | 2 = 2): Buffer {
  const narrow = Array.from(value).every((character) => character <= '\u00ff');
  const length = lengthBytes === 1 ? Buffer.from([value.length]) : uint16(value.length);
  return Buffer.concat([length, Buffer.from([narrow ? 0 : 1]), Buffer.from(value, narrow ? 'latin1' : 'utf16le')]);
}

const GLOBALS = 0x0005;
const WORKSHEET = 0x0010;
const CHART = 0x0020;

function beginning(type: number): Buffer {
  return record(0x0809, uint16(0x0600, type, 0, 0), uint32(0, 0));
}

const END = record(0x000a);

export interface SheetRecords {
  readonly name: string;
  readonly hidden?: boolean;
  readonly records: readonly Buffer[];
}

export interface WorkbookRecords {
  readonly globals?: readonly Buffer[];
  readonly sheets: readonly SheetRecords[];
  readonly streams?: readonly OleStream[];
}

export function chart(...records: readonly Buffer[]): Buffer {
  return Buffer.concat([beginning(CHART), ...records, END]);
}

export function workbookStream({ globals = [], sheets }: WorkbookRecords): Buffer {
  const names = sheets.map(({ name, hidden }) =>
    record(0x0085, uint32(0), uint16(hidden === true ? 1 : 0), text(name, 1)),
  );
  const bodies = sheets.map(({ records }) => Buffer.concat([beginning(WORKSHEET), ...records, END]));
  return Buffer.concat([beginning(GLOBALS), ...globals, ...names, END, ...bodies]);
}

export function workbook(parts: WorkbookRecords): Uint8Array {
  return writeOle({ streams: [{ path: 'Workbook', bytes: workbookStream(parts) }, ...(parts.streams ?? [])] });
}

/** Cells: row, column and format, then the value. */
export const cell = {
  label: (row: number, column: number, value: string) => record(0x0204, uint16(row, column, 0), text(value)),
  shared: (row: number, column: number, index: number) => record(0x00fd, uint16(row, column, 0), uint32(index)),
  number: (row: number, column: number, value: number, format = 0) =>
    record(0x0203, uint16(row, column, format), float64(value)),
  boolean: (row: number, column: number, value: number, error: boolean) =>
    record(0x0205, uint16(row, column, 0), Buffer.from([value, error ? 1 : 0])),
  formula: (row: number, column: number, result: Buffer, format = 0) =>
    record(0x0006, uint16(row, column, format), result, uint16(0), uint32(0), uint16(0)),
};

/** The results of formulas that are no number: a string in the next record, a truth value, an error, nothing. */
export const result = {
  string: Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]),
  boolean: (value: number) => Buffer.from([1, 0, value, 0, 0, 0, 0xff, 0xff]),
  error: (code: number) => Buffer.from([2, 0, code, 0, 0, 0, 0xff, 0xff]),
  empty: Buffer.from([3, 0, 0, 0, 0, 0, 0xff, 0xff]),
};
