import { zoneOffset } from '../../query/zone-offset.js';

/**
 * Dates as Elasticsearch's `date_optional_time` reads them: `2024`, `2024-05`, `2024-05-01`, `2024-05-01T10:30`,
 * `…:00.123Z`, `…+02:00`. Without a zone the date is UTC. The answer is in milliseconds since the epoch.
 *
 * Date math: `now` or `<date>||`, then any of `+1d`, `-3M`, `/d`. Units: y M w d h (H) m s.
 *
 * `roundUp` chooses the end of what the text leaves open. Elasticsearch does so for the time of day only, a missing month or
 * day is always the first: `2024-05` then is the last millisecond of 1 May, but `2024-05||/M` the last one of the month.
 */
const DATE =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;
const STEP = /([+-])(\d*)([yMwdhHms])|\/([yMwdhHms])/y;

export type CalendarUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  H: 'hour',
  m: 'minute',
  s: 'second',
};

const FIXED_MS: Readonly<Partial<Record<CalendarUnit, number>>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
};

export interface DateReading {
  readonly roundUp: boolean;
  /** Zone of texts that name none, and of rounding. */
  readonly offsetMs: number;
}

const PLAIN: DateReading = { roundUp: false, offsetMs: 0 };

export function parseDate(text: string, reading: DateReading = PLAIN): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const wall = Date.UTC(
    Number(year),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    milliseconds(fraction),
  );
  if (!sameParts(wall, month, day, hour, minute, second)) return undefined;
  const start = wall - (zone === undefined ? reading.offsetMs : zoneOffset(zone));
  return reading.roundUp ? start + openSpan(match) - 1 : start;
}

/** `now-7d/d`, `2024-05-01||+1M/d`, or a plain date. */
export function evaluateDateMath(text: string, nowMs: number, reading: DateReading): number | undefined {
  if (text.startsWith('now')) return applySteps(nowMs, text.slice(3), reading);
  const bars = text.indexOf('||');
  if (bars < 0) return parseDate(text, reading);
  const anchor = parseDate(text.slice(0, bars), { ...reading, roundUp: false });
  return anchor === undefined ? undefined : applySteps(anchor, text.slice(bars + 2), reading);
}

/** Start of the calendar unit that the instant lies in. */
export function floorTo(epochMs: number, unit: CalendarUnit, offsetMs: number): number {
  const local = epochMs + offsetMs;
  const date = new Date(local);
  switch (unit) {
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0) - offsetMs;
    case 'quarter':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3)) - offsetMs;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) - offsetMs;
    case 'week':
      return floorTo(epochMs, 'day', offsetMs) - ((date.getUTCDay() + 6) % 7) * 86_400_000;
    default: {
      const span = FIXED_MS[unit] ?? 1;
      return Math.floor(local / span) * span - offsetMs;
    }
  }
}

/** Calendar steps are made on the clock of the zone: a month after 1 May is 1 June there. */
export function addUnits(epochMs: number, count: number, unit: CalendarUnit, offsetMs: number): number {
  const fixed = FIXED_MS[unit];
  if (fixed !== undefined) return epochMs + count * fixed;
  const months = count * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1);
  const date = new Date(epochMs + offsetMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime() - offsetMs;
}

function applySteps(startMs: number, steps: string, reading: DateReading): number | undefined {
  let time = startMs;
  let at = 0;
  while (at < steps.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(steps);
    if (match === null) return undefined;
    const [whole, sign, count, unit, roundTo] = match;
    if (roundTo === undefined) {
      const amount = Number(count === '' ? 1 : count) * (sign === '-' ? -1 : 1);
      time = addUnits(time, amount, UNITS[unit ?? ''] ?? 'second', reading.offsetMs);
    } else {
      const to = UNITS[roundTo] ?? 'second';
      const floor = floorTo(time, to, reading.offsetMs);
      time = reading.roundUp ? addUnits(floor, 1, to, reading.offsetMs) - 1 : floor;
    }
    at += whole.length;
  }
  return Number.isFinite(time) ? time : undefined;
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Date.UTC lets 31 April run over into May: such a text is no date. */
function sameParts(
  wall: number,
  month?: string,
  day?: string,
  hour?: string,
  minute?: string,
  second?: string,
): boolean {
  const date = new Date(wall);
  return (
    date.getUTCMonth() + 1 === Number(month ?? 1) &&
    date.getUTCDate() === Number(day ?? 1) &&
    date.getUTCHours() === Number(hour ?? 0) &&
    date.getUTCMinutes() === Number(minute ?? 0) &&
    date.getUTCSeconds() === Number(second ?? 0)
  );
}

/** Milliseconds from the first to the last instant that the text can mean, plus one. */
function openSpan(match: RegExpExecArray): number {
  const [, , , , hour, minute, second, fraction] = match;
  if (hour === undefined) return 86_400_000;
  if (minute === undefined) return 3_600_000;
  if (second === undefined) return 60_000;
  return fraction === undefined ? 1000 : 1;
}
