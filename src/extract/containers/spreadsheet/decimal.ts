/**
 * The decimal digits of a number, as spreadsheets have them: 15 significant digits, rounded half up.
 *
 * Binary fractions are first taken to their 15 digits and then rounded again in decimal, so that 1.005 with two places is
 * 1.01, although the binary number is a little smaller.
 */
export interface DecimalParts {
  /** Without leading zeros; empty when the number is below 1. */
  readonly whole: string;
  /** Exactly as many digits as asked for. */
  readonly fraction: string;
}

const SIGNIFICANT = 15;

/** `size` × 10^`shift`, for a size of zero or more, rounded to `places` digits after the point. */
export function decimalParts(size: number, shift: number, places: number): DecimalParts {
  const [mantissa = '0', exponent = '0'] = size.toExponential(SIGNIFICANT - 1).split('e');
  const digits = mantissa.replace('.', '');
  /** Number of digits before the point; may be negative. */
  const point = Number(exponent) + shift + 1;
  const rounded = roundAt(digits, point + places);
  const moved = point + (rounded.length > digits.length ? 1 : 0);
  const all = moved > 0 ? rounded : '0'.repeat(-moved) + rounded;
  const before = Math.max(0, moved);
  return {
    whole: all.slice(0, before).padEnd(before, '0').replace(/^0+/, ''),
    fraction: all.slice(before).padEnd(places, '0').slice(0, places),
  };
}

/** Keeps `count` digits, the rest as zeros; one digit longer when the carry runs through. */
function roundAt(digits: string, count: number): string {
  if (count >= digits.length) return digits;
  if (count < 0) return '0'.repeat(digits.length);
  const kept = digits.slice(0, count);
  const zeros = '0'.repeat(digits.length - count);
  if ((digits[count] ?? '0') < '5') return kept + zeros;
  const increased = (BigInt(kept === '' ? '0' : kept) + 1n).toString().padStart(count, '0');
  return increased + zeros;
}
