import type { SqlValue } from '../../../base/sqlite.js';
import { columnName, type ExactKind, type FieldView } from '../fields/index-fields.js';
import { unsupported } from '../../query/body-reader.js';
import { compileQuery } from '../query/compile-query.js';
import { conditionOf } from '../query/plan.js';
import { renderPlan, type IsRare } from '../query/render-plan.js';
import { checkedName, type CompileContext } from '../query/resolve-fields.js';
import { sortable } from '../search/sort.js';
import type { Statements } from '../store/statements.js';
import { join, raw, sql, TRUE, type Sql } from '../store/sql.js';
import { whileWanted } from '../store/work-limit.js';
import { dateBuckets, localInstant } from './date-buckets.js';
import type { HitSets } from './hit-set.js';
import type { Aggregation, AggregationWork, Metric } from './parse-aggregations.js';

/**
 * Aggregations over a hit set. The values of a field become a relation (id, v); buckets are its groups, metrics its
 * functions. A field that no document has gives no buckets and null, as in Elasticsearch.
 */
type Work<Kind extends AggregationWork['kind']> = AggregationWork & { readonly kind: Kind };

interface Values {
  readonly kind: ExactKind;
  /** SELECT id, v */
  readonly relation: Sql;
}

export class Aggregator {
  readonly #statements: Statements;
  readonly #hits: HitSets;
  readonly #context: CompileContext;
  readonly #isRare: IsRare;
  readonly #documents: number;

  /** @param documents in the index */
  constructor(
    statements: Statements,
    hits: HitSets,
    context: CompileContext,
    { isRare, documents }: { readonly isRare: IsRare; readonly documents: number },
  ) {
    this.#documents = documents;
    this.#statements = statements;
    this.#hits = hits;
    this.#context = context;
    this.#isRare = isRare;
  }

  /** The answers by name, over the hit set of `level`. */
  run(aggregations: readonly Aggregation[], level = 0): Record<string, unknown> {
    const counts = this.#counts(aggregations, level);
    return Object.fromEntries(aggregations.map((each) => [each.name, counts.get(each) ?? this.#answer(each, level)]));
  }

  /** Filters that only count are counted in one pass: each document of the set is read once for all of them. */
  #counts(aggregations: readonly Aggregation[], level: number): ReadonlyMap<Aggregation, unknown> {
    const { fts, doc } = this.#context.fields.tables;
    const filters = aggregations.flatMap((each) => {
      if (each.work.kind !== 'filter' || each.sub.length > 0) return [];
      return [{ each, condition: conditionOf(compileQuery(each.work.query, this.#context), fts) }];
    });
    // Of all documents, an index for each filter is faster than many conditions on each of them.
    const atOnce = this.#hits.isOfAll(level) && filters.length > FEW_FILTERS ? 1 : MAX_COLUMNS;
    const counts = new Map<Aggregation, unknown>();
    for (let at = 0; at < filters.length; at += atOnce) {
      const some = filters.slice(at, at + atOnce);
      const columns = some.map(({ condition }, column) =>
        atOnce === 1 ? raw('count(*) AS n0') : sql`count(*) FILTER (WHERE ${condition}) AS ${raw(`n${column}`)}`,
      );
      const only = atOnce === 1 ? (some[0]?.condition ?? TRUE) : TRUE;
      const row = this.#statements.get<Record<`n${number}`, number>>(
        sql`SELECT ${join(columns, ', ')} FROM ${this.#hits.documents(level, doc)}
          WHERE ${only} AND ${whileWanted(raw('d.id'))}`,
      );
      some.forEach(({ each }, column) => counts.set(each, { doc_count: row?.[`n${column}`] ?? 0 }));
    }
    return counts;
  }

  #answer({ work, sub }: Aggregation, level: number): unknown {
    switch (work.kind) {
      case 'terms':
        return this.#terms(work, sub, level);
      case 'date_histogram':
        return this.#histogram(work, sub, level);
      case 'filter': {
        const plan = compileQuery(work.query, this.#context);
        const { ids } = renderPlan(plan, this.#context.fields.tables, this.#isRare);
        return this.#bucket(sub, level, ids);
      }
      case 'metric':
        return this.#metric(work.metric, this.#values(work.field, level));
    }
  }

  #terms(work: Work<'terms'>, sub: readonly Aggregation[], level: number): unknown {
    const values = this.#values(work.field, level);
    const order = { _count: 'n', _key: 'v' }[work.orderBy];
    const direction = raw(`${order} ${work.descending ? 'DESC' : 'ASC'}, v`);
    const rows = this.#statements.all<{ v: SqlValue; n: number; total: number }>(
      sql`SELECT v, n, sum(n) OVER () AS total FROM (
        SELECT v, count(*) AS n FROM (${values.relation}) GROUP BY v HAVING count(*) >= ${work.minimum})
        ORDER BY ${direction} LIMIT ${work.size}`,
    );
    const shown = rows.reduce((sum, { n }) => sum + n, 0);
    return {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: (rows[0]?.total ?? 0) - shown,
      buckets: rows.map(({ v, n }) => ({
        ...keyOf(v, values.kind),
        doc_count: n,
        ...this.#subAnswers(sub, level, sql`SELECT id FROM (${values.relation}) WHERE v = ${v}`),
      })),
    };
  }

  #histogram(work: Work<'date_histogram'>, sub: readonly Aggregation[], level: number): unknown {
    const values = this.#values(work.field, level, 'date');
    const buckets = dateBuckets(work, (group) => {
      return this.#statements.all<{ v: number; n: number }>(
        sql`SELECT ${group(raw('v'))} AS v, count(DISTINCT id) AS n FROM (${values.relation}) GROUP BY 1 ORDER BY 1`,
      );
    });
    return {
      buckets: buckets.map(({ start, end, count }) => ({
        key_as_string: localInstant(start, work.offsetMs),
        key: start,
        doc_count: count,
        ...this.#subAnswers(
          sub,
          level,
          sql`SELECT DISTINCT id FROM (${values.relation}) WHERE v >= ${start} AND v < ${end}`,
        ),
      })),
    };
  }

  #metric(metric: Metric, { kind, relation }: Values): unknown {
    const countsOnly = metric === 'value_count' || metric === 'cardinality';
    if (kind !== 'number' && kind !== 'date' && !countsOnly) {
      throw unsupported(`[${metric}] aggregations of texts`, 'Use a number or a date.');
    }
    const row = this.#statements.get<MetricRow>(
      sql`SELECT min(v) AS min, max(v) AS max, sum(v) AS sum, avg(v) AS avg, count(v) AS count,
        count(DISTINCT v) AS distinct_count FROM (${relation})`,
    );
    const { min, max, avg, count, distinct_count, ...rest } = row ?? NO_VALUES;
    const sum = rest.sum ?? 0;
    if (metric === 'stats') return { count, min, max, avg, sum };
    const value = { min, max, avg, sum, value_count: count, cardinality: distinct_count }[metric];
    if (kind !== 'date' || countsOnly || value === null) return { value };
    return { value, value_as_string: localInstant(value, 0) };
  }

  #bucket(sub: readonly Aggregation[], level: number, ids: Sql): unknown {
    const within = sql`SELECT id FROM (${ids}) WHERE ${this.#hits.has(level, raw('id'))}`;
    const count = this.#hits.fill(level + 1, within);
    return { doc_count: count, ...this.run(sub, level + 1) };
  }

  #subAnswers(sub: readonly Aggregation[], level: number, ids: Sql): Record<string, unknown> {
    if (sub.length === 0) return {};
    this.#hits.fill(level + 1, ids);
    return this.run(sub, level + 1);
  }

  /** To look up the values of each document is faster than to walk over the values of all. */
  #isSmall(level: number): boolean {
    return !this.#hits.isOfAll(level) && this.#hits.size(level) < this.#documents / LOOKUP_COST;
  }

  #values(field: string, level: number, only?: ExactKind): Values {
    const view = this.#context.fields.view(checkedName(field));
    if (view === undefined || hasNoValues(view)) return { kind: only ?? 'number', relation: NO_ROWS };
    const { kind, stores } = sortable(view);
    if (only !== undefined && kind !== only) throw notOfKind(view, only);
    const { doc, kv } = this.#context.fields.tables;
    const relations = stores.map(({ place }) => {
      if ('field' in place) {
        if (this.#isSmall(level)) {
          return sql`SELECT h.id AS id, val AS v FROM ${this.#hits.table(level)} h CROSS JOIN ${raw(kv)} k ON k.id = h.id
            WHERE field = ${place.field} AND ${whileWanted(raw('h.id'))}`;
        }
        return sql`SELECT id, val AS v FROM ${raw(kv)} WHERE field = ${place.field} AND ${this.#hits.has(level, raw('id'))}
          AND ${whileWanted(raw('id'))}`;
      }
      const column = columnName(place.column);
      return sql`SELECT d.id AS id, ${column} AS v FROM ${this.#hits.documents(level, doc)}
        WHERE ${column} IS NOT NULL AND ${whileWanted(raw('d.id'))}`;
    });
    // A list may hold the same value twice, in the column and in a row of kv_N: it counts once.
    return { kind, relation: join(relations, ' UNION ') };
  }
}

/** Looking up a document costs as much as walking over so many. */
const LOOKUP_COST = 20;
/** Above, filters of all documents are counted one by one. */
const FEW_FILTERS = 8;
/** SQLite answers with at most 2,000 columns. */
const MAX_COLUMNS = 500;

const NO_ROWS = sql`SELECT NULL AS id, NULL AS v WHERE FALSE`;

/** The exact view of a text that no document has. */
function hasNoValues({ type, stores, tree, unsearchable }: FieldView): boolean {
  return type === 'keyword' && stores.length === 0 && !tree && !unsearchable;
}

interface MetricRow {
  readonly min: number | null;
  readonly max: number | null;
  readonly sum: number | null;
  readonly avg: number | null;
  readonly count: number;
  readonly distinct_count: number;
}

const NO_VALUES: MetricRow = { min: null, max: null, sum: null, avg: null, count: 0, distinct_count: 0 };

function notOfKind({ name, type }: FieldView, kind: ExactKind): Error {
  return unsupported(`[date_histogram] aggregations of [${name}]`, `It is a ${type} field; use one of type ${kind}.`);
}

function keyOf(value: SqlValue, kind: ExactKind): Record<string, unknown> {
  if (kind === 'boolean') return { key: value, key_as_string: value === 1 ? 'true' : 'false' };
  if (kind === 'date') return { key: value, key_as_string: localInstant(Number(value), 0) };
  return { key: value };
}
