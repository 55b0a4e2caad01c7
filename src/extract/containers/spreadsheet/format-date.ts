import type { FormatToken } from './format-section.js';

/**
 * Dates and times. A date is a count of days: 1 is 1 January 1900 (or 2 January 1904 in the other system), the fraction is
 * the time of day. The 1900 system believes in a 29 February 1900 (day 60), so days before it lie one off.
 *
 * `m` means minutes next to hours or seconds and months elsewhere. Whole seconds are cut, as a clock shows them; parts of
 * a second are rounded.
 */
const DAY_MS = 86_400_000;
/** 31 December 9999. */
export const lastSerial = 2_958_466;
const DAYS_BETWEEN_SYSTEMS = 1462;

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

interface Clock {
  readonly date: Date;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
  /** Since day 0, for elapsed time. */
  readonly totalMs: number;
  readonly twelveHours: boolean;
}

export function formatDate(tokens: readonly FormatToken[], serial: number, date1904: boolean): string {
  const clock = clockOf(serial, date1904, tokens);
  let text = '';
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind === 'point' && tokens[index + 1]?.kind === 'digit') {
      const digits = digitRun(tokens, index + 1);
      text += `.${secondFraction(clock, digits)}`;
      index += digits;
    } else if (token !== undefined) text += formatToken(tokens, index, token, clock);
  }
  return text;
}

function clockOf(serial: number, date1904: boolean, tokens: readonly FormatToken[]): Clock {
  const precisionMs = smallestUnitMs(tokens);
  const totalMs = Math.round((serial * DAY_MS) / precisionMs) * precisionMs;
  const time = totalMs % DAY_MS;
  let days = Math.floor(totalMs / DAY_MS) + (date1904 ? DAYS_BETWEEN_SYSTEMS : 0);
  if (days < 60) days++;
  return {
    date: new Date(Date.UTC(1899, 11, 30) + days * DAY_MS),
    hours: Math.floor(time / 3_600_000),
    minutes: Math.floor(time / 60_000) % 60,
    seconds: Math.floor(time / 1000) % 60,
    milliseconds: time % 1000,
    totalMs,
    twelveHours: tokens.some((each) => each.kind === 'meridiem'),
  };
}

function smallestUnitMs(tokens: readonly FormatToken[]): number {
  const point = tokens.findIndex((each) => each.kind === 'point');
  const digits = point < 0 ? 0 : digitRun(tokens, point + 1);
  return digits === 0 ? 1 : 10 ** Math.max(0, 3 - digits);
}

function digitRun(tokens: readonly FormatToken[], start: number): number {
  let end = start;
  while (tokens[end]?.kind === 'digit') end++;
  return end - start;
}

function secondFraction(clock: Clock, digits: number): string {
  return String(clock.milliseconds).padStart(3, '0').padEnd(digits, '0').slice(0, digits);
}

function formatToken(tokens: readonly FormatToken[], index: number, token: FormatToken, clock: Clock): string {
  switch (token.kind) {
    case 'date':
      return isMinutes(tokens, index, token) ? pad(clock.minutes, token) : formatField(token, clock);
    case 'elapsed':
      return formatElapsed(token, clock);
    case 'meridiem':
      return formatMeridiem(token, clock);
    case 'value':
      return '';
    default:
      return token.text;
  }
}

/** Months unless the field before is hours or the field behind is seconds. */
function isMinutes(tokens: readonly FormatToken[], index: number, token: FormatToken): boolean {
  if (!token.text.startsWith('m') || token.text.length > 2) return false;
  const isField = (each: FormatToken): boolean => each.kind === 'date' || each.kind === 'elapsed';
  const before = tokens.slice(0, index).findLast(isField);
  const behind = tokens.slice(index + 1).find(isField);
  return before?.text.startsWith('h') === true || behind?.text.startsWith('s') === true;
}

const fields: Readonly<Record<string, (token: FormatToken, clock: Clock) => string>> = {
  y: (token, clock) => formatYear(clock.date.getUTCFullYear(), token.text.length),
  e: (_, clock) => String(clock.date.getUTCFullYear()),
  b: (token, clock) => formatYear(clock.date.getUTCFullYear() + 543, token.text.length),
  g: () => '',
  m: (token, clock) => formatMonth(clock.date.getUTCMonth(), token),
  d: (token, clock) => formatDay(clock.date, token),
  h: (token, clock) => pad(clock.twelveHours ? clock.hours % 12 || 12 : clock.hours, token),
  s: (token, clock) => pad(clock.seconds, token),
};

function formatField(token: FormatToken, clock: Clock): string {
  return fields[token.text.charAt(0)]?.(token, clock) ?? token.text;
}

function formatYear(year: number, length: number): string {
  return length > 2 ? String(year).padStart(4, '0') : String(year % 100).padStart(2, '0');
}

function formatMonth(month: number, token: FormatToken): string {
  const name = months[month] ?? '';
  if (token.text.length === 5) return name.slice(0, 1);
  if (token.text.length > 3) return name;
  return token.text.length === 3 ? name.slice(0, 3) : pad(month + 1, token);
}

function formatDay(date: Date, token: FormatToken): string {
  const name = weekdays[date.getUTCDay()] ?? '';
  if (token.text.length > 3) return name;
  return token.text.length === 3 ? name.slice(0, 3) : pad(date.getUTCDate(), token);
}

const elapsedUnits: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

function formatElapsed(token: FormatToken, clock: Clock): string {
  return pad(Math.floor(clock.totalMs / (elapsedUnits[token.text.charAt(0)] ?? 1)), token);
}

function formatMeridiem(token: FormatToken, clock: Clock): string {
  const [am = '', pm = ''] = token.text.split('/');
  return clock.hours < 12 ? am : pm;
}

function pad(value: number, token: FormatToken): string {
  return String(value).padStart(token.text.length, '0');
}
