import { decimalParts } from './decimal.js';
import type { FormatToken } from './format-section.js';

/**
 * Numbers in digits: `#,##0.00`, `000-00-0000`, `0.0%`, `0.00E+00`.
 *
 * Digits fill the places from the point outwards. Digits beyond the first place go before it, literals stay where they
 * are. A comma between places groups by thousands, commas behind the last place divide by a thousand each, a percent
 * sign multiplies by a hundred. A number below one shows a 0 before the point even where only `#` or `?` stands: a value that a
 * spreadsheet hides or shortens is still content.
 */
interface Shape {
  readonly whole: readonly FormatToken[];
  readonly hasPoint: boolean;
  readonly fraction: readonly FormatToken[];
  /** `E+00`: its sign rule and its digits, then what follows. */
  readonly exponent: readonly FormatToken[];
}

export function formatDecimal(tokens: readonly FormatToken[], size: number, negative: boolean): string {
  const shape = shapeOf(tokens);
  const text = shape.exponent.length > 0 ? formatExponent(shape, size) : formatPlain(shape, size, shiftOf(tokens));
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

function shapeOf(tokens: readonly FormatToken[]): Shape {
  const exponent = tokens.findIndex((each) => each.kind === 'exponent');
  const mantissa = exponent < 0 ? tokens : tokens.slice(0, exponent);
  const point = mantissa.findIndex((each) => each.kind === 'point');
  return {
    whole: point < 0 ? mantissa : mantissa.slice(0, point),
    hasPoint: point >= 0,
    fraction: point < 0 ? [] : mantissa.slice(point + 1),
    exponent: exponent < 0 ? [] : tokens.slice(exponent),
  };
}

/** Powers of ten from percent signs and from commas behind the last digit. */
function shiftOf(tokens: readonly FormatToken[]): number {
  const percents = tokens.filter((each) => each.kind === 'percent');
  return 2 * percents.length - 3 * scalingCommas(tokens);
}

function scalingCommas(tokens: readonly FormatToken[]): number {
  const lastDigit = tokens.findLastIndex((each) => each.kind === 'digit');
  let commas = 0;
  while (tokens[lastDigit + 1 + commas]?.kind === 'comma') commas++;
  return lastDigit < 0 ? 0 : commas;
}

function formatPlain(shape: Shape, size: number, shift: number): string {
  const parts = decimalParts(size, shift, digitCount(shape.fraction));
  return (
    fillWhole(shape.whole, parts.whole) + (shape.hasPoint ? '.' : '') + fillFraction(shape.fraction, parts.fraction)
  );
}

/** Several places before the point step the exponent by their number: `##0.0E+0` shows 12345 as 12.3E+3. */
function formatExponent(shape: Shape, size: number): string {
  const places = digitCount(shape.fraction);
  const step = Math.max(1, digitCount(shape.whole));
  let exponent = exponentOf(size, step);
  let parts = decimalParts(size, -exponent, places);
  if (parts.whole.length > step) {
    exponent += step;
    parts = decimalParts(size, -exponent, places);
  }
  const mantissa =
    fillWhole(shape.whole, parts.whole) + (shape.hasPoint ? '.' : '') + fillFraction(shape.fraction, parts.fraction);
  const [mark, ...digits] = shape.exponent;
  const sign = exponent < 0 ? '-' : mark?.text.endsWith('+') === true ? '+' : '';
  return `${mantissa}E${sign}${fillWhole(digits, String(Math.abs(exponent)))}`;
}

function exponentOf(size: number, step: number): number {
  if (size === 0) return 0;
  const exponent = Number(size.toExponential(14).split('e')[1]);
  return Math.floor(exponent / step) * step;
}

function digitCount(tokens: readonly FormatToken[]): number {
  return tokens.filter((each) => each.kind === 'digit').length;
}

function fillWhole(tokens: readonly FormatToken[], wholeDigits: string): string {
  const places = digitCount(tokens);
  const digits = wholeDigits === '' && places > 0 ? '0' : wholeDigits;
  const grouped = isGrouped(tokens);
  let place = places;
  let text = places === 0 ? digits : '';
  for (const token of tokens) {
    if (token.kind === 'literal' || token.kind === 'percent') text += token.text;
    if (token.kind !== 'digit') continue;
    const first = place === places;
    place--;
    const from = first ? digits.length : Math.min(place + 1, digits.length);
    text += groupDigits(
      digits.slice(digits.length - from, digits.length - Math.min(place, digits.length)),
      place,
      grouped,
    );
    if (place >= digits.length) text += filler(token.text, place, grouped);
  }
  return text;
}

/** `place` counts the digits that follow to the right. */
function groupDigits(digits: string, place: number, grouped: boolean): string {
  if (!grouped) return digits;
  let text = '';
  for (let index = 0; index < digits.length; index++) {
    const following = place + digits.length - 1 - index;
    text += (digits[index] ?? '') + (following > 0 && following % 3 === 0 ? ',' : '');
  }
  return text;
}

function filler(place: string, following: number, grouped: boolean): string {
  if (place === '0') return grouped && following > 0 && following % 3 === 0 ? '0,' : '0';
  return place === '?' ? ' ' : '';
}

function isGrouped(tokens: readonly FormatToken[]): boolean {
  const first = tokens.findIndex((each) => each.kind === 'digit');
  const last = tokens.findLastIndex((each) => each.kind === 'digit');
  return tokens.some((each, index) => each.kind === 'comma' && index > first && index < last);
}

function fillFraction(tokens: readonly FormatToken[], digits: string): string {
  const significant = digits.replace(/0+$/, '').length;
  let place = 0;
  let text = '';
  for (const token of tokens) {
    if (token.kind === 'literal' || token.kind === 'percent') text += token.text;
    if (token.kind !== 'digit') continue;
    if (place < significant || token.text === '0') text += digits[place] ?? '0';
    else if (token.text === '?') text += ' ';
    place++;
  }
  return text;
}
