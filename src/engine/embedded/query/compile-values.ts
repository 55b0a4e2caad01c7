import { CrawlerError } from '../../../base/errors.js';
import { toStorableText } from '../../../base/sqlite.js';
import { evaluateDateMath } from '../fields/dates.js';
import type { ExactKind, FieldView } from '../fields/index-fields.js';
import { allOf, anyOf, sql, type Sql } from '../store/sql.js';
import type { Scalar } from '../../query/body-reader.js';
import { condition, type Plan } from './plan.js';
import type { RangeBound } from '../../query/query-tree.js';
import type { CompileContext } from './resolve-fields.js';
import { withinFolder } from './text-range.js';

/**
 * Conditions on exact values. A field may hold values of several kinds; each is compared in its own way, and a wanted value
 * that cannot be of a kind is simply not among the values of that kind. One that fits no kind of the field is a fault of the
 * query, unless the query is lenient.
 */
export interface Comparison {
  readonly lenient: boolean;
  readonly context: CompileContext;
}

export interface Bounds {
  readonly bounds: readonly RangeBound[];
  readonly offsetMs: number;
}

/** Some value of the field is one of these. */
export function equalsAny(view: FieldView, values: readonly Scalar[], { lenient, context }: Comparison): Plan {
  const tests = view.stores.flatMap((store) => {
    const test = equalityTest(view, store.kind, values, context);
    return test === undefined ? [] : [context.fields.some([store], test)];
  });
  const unfit = tests.length === 0 && view.stores.length > 0 && values.length > 0;
  if (unfit && !lenient) throw unfitValue(view, values[0] ?? '');
  return condition(anyOf(tests));
}

/** Some value of the field is within the bounds. */
export function isWithin(view: FieldView, range: Bounds, { lenient, context }: Comparison): Plan {
  const readable = view.stores.flatMap((store) => {
    const tests = boundTests(store.kind, range, context.nowMs);
    return tests === undefined ? [] : [{ store, tests }];
  });
  if (readable.length === 0 && view.stores.length > 0 && !lenient) throw unfitValue(view, range.bounds[0]?.value ?? '');
  // A text that looks like a date is kept as both; it is then compared as a date.
  const asDates = readable.some(({ store }) => store.kind === 'date');
  const used = readable.filter(({ store }) => !(asDates && store.kind === 'keyword'));
  const conditions = used.map(({ store, tests }) => {
    return context.fields.some([store], (value) => allOf(tests.map((test) => test(value))));
  });
  return condition(anyOf(conditions));
}

/** Some text of the field satisfies `test`; undefined when the field has no texts to test. */
export function textTest(view: FieldView, test: (value: Sql) => Sql, context: CompileContext): Plan | undefined {
  const stores = view.stores.filter(({ kind }) => kind === 'keyword');
  return stores.length === 0 ? undefined : condition(context.fields.some(stores, test));
}

type Test = (value: Sql) => Sql;

function equalityTest(
  view: FieldView,
  kind: ExactKind,
  values: readonly Scalar[],
  { nowMs }: CompileContext,
): Test | undefined {
  if (view.tree) return (value) => anyOf(values.map((folder) => withinFolder(value, String(folder))));
  if (kind === 'date') {
    const days = values.flatMap((date) => dayOf(date, nowMs) ?? []);
    return days.length === 0
      ? undefined
      : (value) => anyOf(days.map(({ from, to }) => sql`${value} BETWEEN ${from} AND ${to}`));
  }
  const wanted = values.flatMap((value) => toKind(kind, value) ?? []);
  if (wanted.length === 0) return undefined;
  const [only, ...more] = wanted;
  if (only !== undefined && more.length === 0) return (value) => sql`${value} = ${only}`;
  const list = JSON.stringify(wanted);
  return (value) => sql`${value} IN (SELECT value FROM json_each(${list}))`;
}

function toKind(kind: ExactKind, value: Scalar): string | number | undefined {
  if (kind === 'keyword') return toStorableText(String(value));
  if (kind === 'number') return toNumber(value);
  if (value === true || value === 'true') return 1;
  return value === false || value === 'false' ? 0 : undefined;
}

function toNumber(value: Scalar): number | undefined {
  if (typeof value === 'boolean' || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A date means every instant that it leaves open: `2024-05-31` is that day. */
function dayOf(value: Scalar, nowMs: number): { from: number; to: number } | undefined {
  if (typeof value === 'number') return { from: value, to: value };
  const from = evaluateDateMath(String(value), nowMs, { roundUp: false, offsetMs: 0 });
  const to = evaluateDateMath(String(value), nowMs, { roundUp: true, offsetMs: 0 });
  return from === undefined || to === undefined ? undefined : { from, to };
}

function boundTests(kind: ExactKind, { bounds, offsetMs }: Bounds, nowMs: number): Test[] | undefined {
  const tests: Test[] = [];
  for (const { side, value } of bounds) {
    const bound = toBound(kind, side, value, offsetMs, nowMs);
    if (bound === undefined) return undefined;
    tests.push(BOUND_TESTS[side](bound));
  }
  return tests;
}

const BOUND_TESTS: Readonly<Record<RangeBound['side'], (bound: string | number) => Test>> = {
  gt: (bound) => (value) => sql`${value} > ${bound}`,
  gte: (bound) => (value) => sql`${value} >= ${bound}`,
  lt: (bound) => (value) => sql`${value} < ${bound}`,
  lte: (bound) => (value) => sql`${value} <= ${bound}`,
};

/** What a date leaves open counts as inside for `gte` and `lte`, as outside for `gt` and `lt`. */
function toBound(
  kind: ExactKind,
  side: RangeBound['side'],
  value: string | number,
  offsetMs: number,
  nowMs: number,
): string | number | undefined {
  if (kind === 'keyword') return toStorableText(String(value));
  if (kind === 'number') return toNumber(value);
  if (kind === 'boolean') return undefined;
  if (typeof value === 'number') return value;
  return evaluateDateMath(value, nowMs, { roundUp: side === 'gt' || side === 'lte', offsetMs });
}

function unfitValue({ name, type }: FieldView, value: Scalar): CrawlerError {
  return new CrawlerError(
    'corrupt',
    `[${name}] is a ${type} field; [${String(value).slice(0, 80)}] is not a valid value for it.`,
  );
}
