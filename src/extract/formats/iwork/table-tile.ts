import { formatGeneral } from '../../containers/spreadsheet/format-general.js';
import { readMessage } from './protobuf.js';

/**
 * Numbers and dates in the cells of a table. A tile (message 6002) holds rows in field 5; a row its cells in one buffer
 * (field 6) and where each begins (field 7: 16-bit numbers, −1 for no cell, counted in fours when field 8 is set).
 *
 * A cell begins with the version 5, its type, and, at 8, flags for the values that follow from 12 on: a decimal number of
 * 16 bytes (bit 0), a double (bit 1), seconds since 2001 (bit 2). Texts are elsewhere, in lists that cells refer to.
 */
const VERSION = 5;
const HEADER = 12;
const NUMBER = 2;
const DATE = 5;
const CURRENCY = 10;
const HAS_DECIMAL = 1;
const HAS_DOUBLE = 2;
const HAS_SECONDS = 4;
const DECIMAL_BYTES = 16;
const EPOCH_2001_MS = 978_307_200_000;
const DECIMAL_BIAS = 0x1820;

/** A line for each row that has numbers or dates. */
export function valuesOfTile(tile: Buffer): string[] {
  const rows = readMessage(tile)
    .bytes(5)
    .map((row) => valuesOfRow(row).join('\t'));
  return rows.filter((row) => row !== '');
}

function valuesOfRow(row: Buffer): string[] {
  const message = readMessage(row);
  const [cells] = message.bytes(6);
  const [offsets] = message.bytes(7);
  if (cells === undefined || offsets === undefined) return [];
  const unit = message.numbers(8)[0] === 1 ? 4 : 1;
  const values: string[] = [];
  for (let at = 0; at + 2 <= offsets.length; at += 2) {
    const offset = offsets.readInt16LE(at) * unit;
    const value = offset < 0 ? undefined : valueOfCell(cells.subarray(offset));
    if (value !== undefined) values.push(value);
  }
  return values;
}

function valueOfCell(cell: Buffer): string | undefined {
  if (cell.length < HEADER || cell[0] !== VERSION) return undefined;
  const type = cell[1];
  const flags = cell.readUInt32LE(8);
  if (type === NUMBER || type === CURRENCY) return numberOf(cell, flags);
  return type === DATE ? dateOf(cell, flags) : undefined;
}

function numberOf(cell: Buffer, flags: number): string | undefined {
  if ((flags & HAS_DECIMAL) !== 0 && cell.length >= HEADER + DECIMAL_BYTES)
    return formatGeneral(readDecimal(cell, HEADER));
  return (flags & HAS_DOUBLE) !== 0 && cell.length >= HEADER + 8 ? formatGeneral(cell.readDoubleLE(HEADER)) : undefined;
}

function dateOf(cell: Buffer, flags: number): string | undefined {
  const at = HEADER + ((flags & HAS_DECIMAL) !== 0 ? DECIMAL_BYTES : 0) + ((flags & HAS_DOUBLE) !== 0 ? 8 : 0);
  if ((flags & HAS_SECONDS) === 0 || cell.length < at + 8) return undefined;
  const date = new Date(EPOCH_2001_MS + cell.readDoubleLE(at) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** Sign and exponent in the upper 15 bits, the digits as a whole number in the others. */
function readDecimal(cell: Buffer, at: number): number {
  const high = cell.readUInt16LE(at + 14);
  const exponent = ((high & 0x7fff) >> 1) - DECIMAL_BIAS;
  let digits = high & 1;
  for (let index = 13; index >= 0; index--) digits = digits * 256 + (cell[at + index] ?? 0);
  const size = Number.isSafeInteger(digits) ? Number(`${digits}e${exponent}`) : digits * 10 ** exponent;
  return (high & 0x8000) === 0 ? size : -size;
}
