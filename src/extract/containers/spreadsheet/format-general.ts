/** Beyond this an integer has more digits than a spreadsheet keeps, and a number is shown with an exponent. */
const LARGE = 1e15;
const SMALL = 1e-15;
const SIGNIFICANT_DIGITS = 15;
const FRACTION_DIGITS = 10;
const SHORT_ENOUGH = new RegExp(`^-?\\d+(?:\\.\\d{1,${FRACTION_DIGITS}})?$`);

/** The format General as Tika shows it: up to 15 significant digits and 10 after the point, without useless zeros. */
export function formatGeneral(value: number): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size > LARGE || (size > 0 && size <= SMALL)) return scientific(value);
  if (Number.isInteger(value)) return String(value);
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  if (SHORT_ENOUGH.test(String(rounded))) return String(rounded);
  const text = rounded.toFixed(FRACTION_DIGITS).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(SIGNIFICANT_DIGITS - 1).split('e');
  return `${mantissa.replace(/\.?0+$/, '')}E${exponent}`;
}
