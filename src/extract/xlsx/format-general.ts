import { decimalParts } from './decimal.js';

/** From here on (16 digits and more) a number is shown with an exponent. */
const LARGE = 1e16;
const SMALL = 1e-10;
const FRACTION_DIGITS = 10;

/** The format General: up to 15 significant digits and 10 after the point, without useless zeros. */
export function formatGeneral(value: number): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size >= LARGE || (size > 0 && size < SMALL)) return scientific(value);
  const { whole, fraction } = decimalParts(size, 0, FRACTION_DIGITS);
  const digits = fraction.replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${whole === '' ? '0' : whole}${digits === '' ? '' : `.${digits}`}`;
}

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(14).split('e');
  return `${mantissa.replace(/\.?0+$/, '')}E${exponent}`;
}
