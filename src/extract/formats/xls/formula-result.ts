import { booleanOrError } from '../../containers/spreadsheet/cell-values.js';
import type { NumberFormats } from './number-formats.js';

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
