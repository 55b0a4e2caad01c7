import { CrawlerError } from '../../../base/errors.js';
import { addUnits, floorTo, type CalendarUnit } from '../fields/dates.js';
import { raw, sql, type Sql } from '../store/sql.js';
import type { AggregationWork, Interval } from './parse-aggregations.js';

/**
 * Buckets of a date_histogram. SQLite groups by steps of equal length (a day for months and longer); steps of the calendar are
 * then put together here, on the clock of the zone.
 */
export interface DateBucket {
  readonly start: number;
  /** Start of the next one. */
  readonly end: number;
  readonly count: number;
}

type Histogram = AggregationWork & { readonly kind: 'date_histogram' };
type GroupCounts = (group: (value: Sql) => Sql) => readonly { readonly v: number; readonly n: number }[];

const DAY_MS = 86_400_000;
/** Days from the Monday before 1 January 1970 to that day, a Thursday. */
const MONDAY_SHIFT_MS = 3 * DAY_MS;

const EQUAL_STEPS: Readonly<Partial<Record<CalendarUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

/** Elasticsearch's `search.max_buckets`. */
const MAX_BUCKETS = 65_536;

export function dateBuckets({ interval, offsetMs, minimum }: Histogram, groupCounts: GroupCounts): DateBucket[] {
  const counts = new Map<number, number>();
  for (const { v, n } of groupCounts((value) => stepStart(value, interval, offsetMs))) {
    const start = 'unit' in interval ? floorTo(v, interval.unit, offsetMs) : v;
    counts.set(start, (counts.get(start) ?? 0) + n);
  }
  const starts = minimum === 0 ? everyStart([...counts.keys()], interval, offsetMs) : [...counts.keys()];
  if (starts.length > MAX_BUCKETS) throw tooMany();
  return starts
    .map((start) => ({ start, end: nextStart(start, interval, offsetMs), count: counts.get(start) ?? 0 }))
    .filter(({ count }) => count >= minimum);
}

/** `2024-05-01T00:00:00.000Z`, or with the offset of the zone: `2024-05-01T00:00:00.000+02:00`. */
export function localInstant(epochMs: number, offsetMs: number): string {
  const text = new Date(epochMs + offsetMs).toISOString();
  if (offsetMs === 0) return text;
  const minutes = Math.abs(offsetMs) / 60_000;
  const zone = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${text.slice(0, -1)}${offsetMs < 0 ? '-' : '+'}${zone}`;
}

function stepStart(value: Sql, interval: Interval, offsetMs: number): Sql {
  const step = 'fixedMs' in interval ? interval.fixedMs : (EQUAL_STEPS[interval.unit] ?? DAY_MS);
  const isWeek = 'unit' in interval && interval.unit === 'week';
  const shift = offsetMs + (isWeek ? MONDAY_SHIFT_MS : 0);
  const local = sql`(CAST(${value} AS INTEGER) + ${raw(String(shift))})`;
  const width = raw(String(step));
  // The remainder is brought above zero, for dates before 1970.
  return sql`(${local} - ((${local} % ${width}) + ${width}) % ${width} - ${raw(String(shift))})`;
}

function everyStart(starts: readonly number[], interval: Interval, offsetMs: number): number[] {
  const sorted = [...starts].sort((left, right) => left - right);
  const last = sorted.at(-1);
  const all: number[] = [];
  for (let start = sorted[0]; start !== undefined && last !== undefined && start <= last;) {
    if (all.length === MAX_BUCKETS) throw tooMany();
    all.push(start);
    start = nextStart(start, interval, offsetMs);
  }
  return all;
}

function nextStart(start: number, interval: Interval, offsetMs: number): number {
  return 'unit' in interval ? addUnits(start, 1, interval.unit, offsetMs) : start + interval.fixedMs;
}

function tooMany(): CrawlerError {
  return new CrawlerError(
    'too_large',
    `The [date_histogram] has more than ${MAX_BUCKETS} buckets. Use a longer interval.`,
  );
}
