import { CrawlerError } from '../../../base/errors.js';
import { TIME_UNITS } from '../../../base/units.js';
import type { CalendarUnit } from '../fields/dates.js';
import { BodyReader, malformed, unsupported } from '../../query/body-reader.js';
import { parseLimitedQuery } from '../query/clause-limit.js';
import { zoneOf } from '../../query/parse-terms.js';
import type { QueryNode } from '../../query/query-tree.js';

/** The `aggs` of a request. What is not known here is refused by name. */
export interface Aggregation {
  readonly name: string;
  readonly work: AggregationWork;
  /** Aggregations of each bucket. */
  readonly sub: readonly Aggregation[];
}

export type AggregationWork =
  | {
      readonly kind: 'terms';
      readonly field: string;
      readonly size: number;
      readonly minimum: number;
      readonly orderBy: '_count' | '_key';
      readonly descending: boolean;
    }
  | {
      readonly kind: 'date_histogram';
      readonly field: string;
      readonly interval: Interval;
      readonly offsetMs: number;
      readonly minimum: number;
    }
  | { readonly kind: 'filter'; readonly query: QueryNode }
  | { readonly kind: 'metric'; readonly metric: Metric; readonly field: string };

export type Interval = { readonly unit: CalendarUnit } | { readonly fixedMs: number };

export const METRICS = ['min', 'max', 'sum', 'avg', 'value_count', 'cardinality', 'stats'] as const;
export type Metric = (typeof METRICS)[number];

const DEFAULT_TERMS = 10;
const MAX_TERMS = 65_536;
const MAX_DEPTH = 5;

const CALENDAR: Readonly<Record<string, CalendarUnit>> = {
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
};

export function parseAggregations(body: BodyReader | undefined, depth = 0): readonly Aggregation[] {
  if (body === undefined) return [];
  if (depth > MAX_DEPTH)
    throw new CrawlerError('corrupt', `Aggregations are nested more than ${MAX_DEPTH} levels deep.`);
  return body.keys.map((name) => parseAggregation(name, body.value(name), depth));
}

function parseAggregation(name: string, value: unknown, depth: number): Aggregation {
  const body = new BodyReader(value, `the aggregation [${name}]`);
  const sub = parseAggregations(body.object('aggs') ?? body.object('aggregations'), depth + 1);
  const [type, more] = body.keys.filter((key) => key !== 'aggs' && key !== 'aggregations');
  if (type === undefined || more !== undefined) throw malformed(body.where, 'one aggregation', value);
  const work = parseWork(type, body.value(type));
  if (sub.length > 0 && work.kind === 'metric') {
    throw new CrawlerError('corrupt', `The [${type}] aggregation [${name}] has no buckets, so it cannot have [aggs].`);
  }
  return { name, work, sub };
}

function parseWork(type: string, value: unknown): AggregationWork {
  if (type === 'filter') return { kind: 'filter', query: parseLimitedQuery(value) };
  const body = new BodyReader(value, `a [${type}] aggregation`);
  const work = parseFieldWork(type, body);
  body.done();
  return work;
}

function parseFieldWork(type: string, body: BodyReader): AggregationWork {
  if (type === 'terms') return parseTermsWork(body);
  if (type === 'date_histogram') return parseHistogram(body);
  const metric = METRICS.find((each) => each === type);
  if (metric === undefined) throw unsupported(`[${type}] aggregations`);
  return { kind: 'metric', metric, field: fieldOf(body) };
}

function parseTermsWork(body: BodyReader): AggregationWork {
  const size = body.count('size', 1) ?? DEFAULT_TERMS;
  if (size > MAX_TERMS) throw malformed(`[size] in ${body.where}`, `at most ${MAX_TERMS}`, size);
  return { kind: 'terms', field: fieldOf(body), size, minimum: body.count('min_doc_count', 1) ?? 1, ...orderOf(body) };
}

function orderOf(body: BodyReader): { orderBy: '_count' | '_key'; descending: boolean } {
  const value = body.value('order');
  if (value === undefined) return { orderBy: '_count', descending: true };
  const order = new BodyReader(
    Array.isArray(value) && value.length === 1 ? value[0] : value,
    `[order] in ${body.where}`,
  );
  const [key] = order.keys;
  if (key !== '_count' && key !== '_key')
    throw unsupported(`[order] by [${key ?? ''}] in ${body.where}`, 'Use _count or _key.');
  const descending = order.choice(key, ['asc', 'desc']) === 'desc';
  order.done();
  return { orderBy: key, descending };
}

function parseHistogram(body: BodyReader): AggregationWork {
  return {
    kind: 'date_histogram',
    field: fieldOf(body),
    interval: intervalOf(body),
    offsetMs: zoneOf(body),
    minimum: body.count('min_doc_count') ?? 0,
  };
}

function intervalOf(body: BodyReader): Interval {
  const calendar = body.string('calendar_interval');
  const fixed = body.string('fixed_interval');
  const unit = calendar === undefined ? undefined : CALENDAR[calendar];
  if (unit !== undefined && fixed === undefined) return { unit };
  const [, count = '', fixedUnit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(fixed ?? '') ?? [];
  const fixedMs = Number(count) * (TIME_UNITS.get(fixedUnit) ?? 0);
  if (fixedMs > 0 && calendar === undefined) return { fixedMs };
  const expected = 'one of calendar_interval (1d, 1w, 1M, 1q, 1y …) and fixed_interval (12h, 30d …)';
  throw malformed(`The interval of ${body.where}`, expected, calendar ?? fixed);
}

function fieldOf(body: BodyReader): string {
  const field = body.string('field');
  if (field === undefined) throw malformed(`[field] in ${body.where}`, 'the name of a field', undefined);
  return field;
}
