import { CrawlerError } from '../../../base/errors.js';
import type { FieldView, IndexFields } from '../fields/index-fields.js';
import { unsupported, type BodyReader } from '../../query/body-reader.js';
import { checkedName } from '../query/resolve-fields.js';
import { join, raw, sql, type Sql } from '../store/sql.js';
import { firstValue, sortable, valuesOf } from './sort.js';

/** `collapse` of a request: of the hits with the same value of a field only the first one is shown. */
export function parseCollapse(body: BodyReader): string | undefined {
  const collapse = body.object('collapse');
  if (collapse === undefined) return undefined;
  const field = collapse.string('field');
  if (field === undefined) throw new CrawlerError('corrupt', '[collapse] needs the [field] whose values it compares.');
  collapse.count('max_concurrent_group_searches');
  collapse.done();
  if (!body.has('search_after')) return field;
  throw new CrawlerError('corrupt', '[collapse] cannot be used beside [search_after].');
}

/** What tells the groups apart, as SQL over the row `d` of doc_N. */
export interface GroupColumns {
  readonly value: Sql;
  /** The number of values of a document: more than one belong to no one group. */
  readonly values: Sql;
}

export function groupColumns(field: string, fields: IndexFields): GroupColumns {
  const view = fields.view(checkedName(field));
  if (view === undefined)
    throw unsupported(`[collapse]: no document of the index has [${field}]`, 'Name another field.');
  const { stores } = groupable(view);
  const value = firstValue(stores, 'min', fields);
  const [only, more] = stores;
  if (only !== undefined && more === undefined && 'column' in only.place) return { value, values: raw('1') };
  return { value, values: sql`(SELECT count(DISTINCT v) FROM (${valuesOf(stores, fields)}))` };
}

/** Elasticsearch takes keywords and numbers. */
function groupable(view: FieldView): ReturnType<typeof sortable> {
  const found = view.type === 'text' ? undefined : sortable(view);
  if (found !== undefined && (found.kind === 'keyword' || found.kind === 'number')) return found;
  const message = `[collapse] takes keywords and numbers only; [${view.name}] is a ${view.type} field.`;
  throw new CrawlerError('corrupt', message);
}

/** The first hit of each group. `hits` has the columns id, g (value), n (number of values), and those of the order. */
export function firstOfGroups(hits: Sql, columns: readonly Sql[], order: Sql, limit: number): Sql {
  const first = sql`row_number() OVER (PARTITION BY g ORDER BY ${order}) AS place`;
  const shown = join([...columns, raw('g')], ', ');
  const placed = sql`SELECT ${shown}, ${first}, max(n) OVER () AS most FROM (${hits}) h`;
  return sql`SELECT * FROM (${placed}) h WHERE place = 1 ORDER BY ${order} LIMIT ${limit}`;
}

export function checkSingleValues(field: string, most: number): void {
  if (most <= 1) return;
  const message = `[collapse] by [${field}] is impossible: a document has several values of it, so it belongs to no one group.`;
  throw new CrawlerError('unsupported', message);
}
