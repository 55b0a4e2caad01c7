import type { NumberFormats } from '../../formats/xls/number-formats.js';

/** Values of cells as text. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

export function booleanOrError(value: number, isError: boolean): string {
  if (isError) return ERRORS.get(value) ?? '#ERROR';
  return value === 0 ? 'FALSE' : 'TRUE';
}

/** A number packed into 32 bits: an integer or the upper bits of a double, possibly times 100. */
export function unpackRk(packed: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(4, packed & 0xfffffffc, true);
  const value = (packed & 2) === 0 ? view.getFloat64(0, true) : packed >> 2;
  return (packed & 1) === 0 ? value : value / 100;
}

/** `string`: the result is in the record that follows; undefined: the result is empty. */
export type FormulaResult = { readonly kind: 'string' } | { readonly kind: 'text'; readonly text: string } | undefined;

/** The eight bytes of a formula's result: a double, or a kind and a value when the last two bytes are 0xFFFF. */
export function formulaResult(view: DataView, at: number, xf: number, formats: NumberFormats): FormulaResult {
  if (at + 8 > view.byteLength) return undefined;
  if (view.getUint16(at + 6, true) !== 0xffff) {
    return { kind: 'text', text: formats.show(view.getFloat64(at, true), xf) };
  }
  const kind = view.getUint8(at);
  if (kind === 0) return { kind: 'string' };
  if (kind !== 1 && kind !== 2) return undefined;
  return { kind: 'text', text: booleanOrError(view.getUint8(at + 2), kind === 2) };
}
