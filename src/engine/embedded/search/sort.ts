import { CrawlerError } from '../../../base/errors.js';
import type { SqlValue } from '../../../base/sqlite.js';
import { evaluateDateMath } from '../fields/dates.js';
import { kindOf } from '../fields/field-values.js';
import {
  columnName,
  type ExactKind,
  type FieldView,
  type IndexFields,
  type ValueStore,
} from '../fields/index-fields.js';
import { BodyReader, isObject, isScalar, malformed, unsupported } from '../../query/body-reader.js';
import { checkedName } from '../query/resolve-fields.js';
import { allOf, anyOf, FALSE, join, raw, sql, type Sql } from '../store/sql.js';

/**
 * Sorting and `search_after`. Documents that are equal by all keys keep the order in which they were first indexed. A document
 * without a value stands where `missing` says; several values count with their least (ascending) or greatest.
 */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
  readonly missing: string | number | boolean;
  readonly mode: 'min' | 'max';
  /** A field that no document has is no fault. */
  readonly unmapped: boolean;
}

/** A key as SQL, over the rows `h` (id, score) and `d` (doc_N), or `d` alone. */
export interface SortColumn {
  readonly expression: Sql;
  readonly descending: boolean;
  readonly missingFirst: boolean;
  /** Its values are the rows: every hit has one, and no two the same. */
  readonly isRow: boolean;
  readonly kind: ExactKind;
}

/** The order in which the documents were first indexed. */
export const ROW_ORDER: SortKey = { field: '_doc', descending: false, missing: '_last', mode: 'min', unmapped: false };

export function parseSort(body: BodyReader): readonly SortKey[] | undefined {
  if (!body.has('sort')) return undefined;
  return body.list('sort').flatMap(parseKeys);
}

export function sortsByScore(keys: readonly SortKey[] | undefined): boolean {
  return keys === undefined || keys.some(({ field }) => field === '_score');
}

export function sortsByRow(keys: readonly SortKey[]): boolean {
  return keys.length > 0 && keys.every(({ field, descending }) => isRowOrder(field) && !descending);
}

/** `_shard_doc` is `_doc` under the name that it has as the tie-breaker of a point in time. */
function isRowOrder(field: string): boolean {
  return field === '_doc' || field === '_shard_doc';
}

/** Id and score of a hit. */
export interface HitColumns {
  readonly id: Sql;
  readonly score: Sql;
}

export const JOINED_HIT: HitColumns = { id: raw('h.id'), score: raw('h.score') };

export function sortColumns(keys: readonly SortKey[], fields: IndexFields, hit = JOINED_HIT): SortColumn[] {
  return keys.map((key) => ({
    ...expressionOf(key, fields, hit),
    descending: key.descending,
    missingFirst: key.missing === '_first',
    isRow: isRowOrder(key.field),
  }));
}

/** What comes behind the row decides nothing, and FTS5 gives its rows in order only where nothing does. */
export function orderBy(columns: readonly SortColumn[]): Sql {
  const row = columns.findIndex(({ isRow }) => isRow);
  const keys = columns.slice(0, row < 0 ? undefined : row + 1).map(({ descending, missingFirst, isRow }, at) => {
    const order = `k${at} ${descending ? 'DESC' : 'ASC'}`;
    return raw(isRow ? order : `${order} NULLS ${missingFirst ? 'FIRST' : 'LAST'}`);
  });
  return join(row < 0 ? [...keys, raw('id')] : keys, ', ');
}

/** The rows behind those values: the first key that differs decides. */
export function rowsAfter(columns: readonly SortColumn[], values: readonly unknown[]): Sql {
  const bounds = columns.map((column, at) => toBound(column, values[at]));
  const alternatives = columns.map((column, at) => {
    const equal = columns.slice(0, at).map(({ expression }, before) => sql`${expression} IS ${bounds[before] ?? null}`);
    return allOf([...equal, behind(column, bounds[at] ?? null)]);
  });
  return anyOf(alternatives);
}

function behind({ expression, descending, missingFirst, isRow }: SortColumn, bound: SqlValue): Sql {
  if (bound === null) return missingFirst ? sql`${expression} IS NOT NULL` : FALSE;
  const further = descending ? sql`${expression} < ${bound}` : sql`${expression} > ${bound}`;
  return missingFirst || isRow ? further : anyOf([further, sql`${expression} IS NULL`]);
}

function toBound({ kind }: SortColumn, value: unknown): SqlValue {
  if (value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') throw malformed('a value of [search_after]', 'a text, a number or null', value);
  if (kind === 'keyword') return value;
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  const date = kind === 'date' ? evaluateDateMath(value, Date.now(), { roundUp: false, offsetMs: 0 }) : undefined;
  if (date === undefined) throw malformed('a value of [search_after]', `a value of a ${kind} field`, value);
  return date;
}

/** `"field"`, `{"field": "desc"}`, `{"field": {"order": "desc", …}}`, also several fields in one object. */
function parseKeys(value: unknown): SortKey[] {
  if (typeof value === 'string') return [parseKey(value, {})];
  if (!isObject(value)) throw malformed('[sort]', 'a field, or an object such as {"file.filesize": "desc"}', value);
  return Object.entries(value).map(([field, options]) =>
    parseKey(field, isObject(options) ? options : { order: options }),
  );
}

function parseKey(field: string, options: Readonly<Record<string, unknown>>): SortKey {
  const body = new BodyReader(options, `[sort] by [${field}]`);
  const order = body.choice('order', ['asc', 'desc']);
  const descending = order === undefined ? field === '_score' : order === 'desc';
  const missing = body.value('missing') ?? '_last';
  if (!isScalar(missing)) throw malformed(`[missing] in ${body.where}`, '_first, _last or a value', missing);
  const mode = body.choice('mode', ['min', 'max']) ?? (descending ? 'max' : 'min');
  const unmapped = body.string('unmapped_type') !== undefined;
  body.done();
  return { field, descending, missing, mode, unmapped };
}

function expressionOf(key: SortKey, fields: IndexFields, hit: HitColumns): { expression: Sql; kind: ExactKind } {
  if (key.field === '_score') return { expression: hit.score, kind: 'number' };
  if (isRowOrder(key.field)) return { expression: hit.id, kind: 'number' };
  if (key.field === '_id') return { expression: raw('d.uid'), kind: 'keyword' };
  const view = fields.view(checkedName(key.field));
  if (view === undefined) return noField(key);
  const { kind, stores } = sortable(view);
  const value = firstValue(stores, key.mode, fields);
  const fallback = key.missing === '_first' || key.missing === '_last' ? undefined : key.missing;
  if (fallback === undefined) return { expression: value, kind };
  return { expression: sql`coalesce(${value}, ${typeof fallback === 'boolean' ? Number(fallback) : fallback})`, kind };
}

function noField({ field, unmapped }: SortKey): { expression: Sql; kind: ExactKind } {
  if (unmapped) return { expression: raw('NULL'), kind: 'keyword' };
  throw new CrawlerError(
    'unsupported',
    `No document of the index has [${field}], so it cannot be sorted by. Add [unmapped_type] to sort all the same.`,
  );
}

/** Values of the kind that the field's type tells; a list is read as a list even where most documents have one value. */
export function sortable(view: FieldView): { kind: ExactKind; stores: readonly ValueStore[] } {
  const wanted = kindOf(view.type);
  const kind: ExactKind = wanted === 'text' ? 'keyword' : wanted;
  const stores = view.stores.filter((store) => store.kind === kind);
  if (stores.length > 0 && !view.tree && !view.unsearchable) return { kind, stores };
  throw unsupported(
    `sorting and counting by [${view.name}]`,
    'Use a field of exact values: a keyword, a number or a date.',
  );
}

/** The least or the greatest value of the row `d`, or null. */
export function firstValue(stores: readonly ValueStore[], mode: 'min' | 'max', fields: IndexFields): Sql {
  const [only] = stores;
  if (stores.length === 1 && only !== undefined && 'column' in only.place) return columnName(only.place.column);
  return sql`(SELECT ${raw(mode)}(v) FROM (${valuesOf(stores, fields)}))`;
}

/** All values of the row `d`: a relation (v). */
export function valuesOf(stores: readonly ValueStore[], { tables }: IndexFields): Sql {
  const values = stores.map(({ place }) => {
    if ('column' in place) return sql`SELECT ${columnName(place.column)} AS v`;
    return sql`SELECT val AS v FROM ${raw(tables.kv)} WHERE id = d.id AND field = ${place.field}`;
  });
  return join(values, ' UNION ALL ');
}
