import { CrawlerError } from '../../../base/errors.js';
import { whileWanted } from '../store/work-limit.js';
import { FTS_COLUMNS, type IndexTables } from '../store/schema.js';
import { allOf, isTrue, join, raw, sql, sumOf, TRUE, type Sql } from '../store/sql.js';
import { atLeast, conditionOf, negated, type AndPlan, type FullTextPlan, type Plan, type Weights } from './plan.js';

/**
 * A plan as SELECT statements. Three shapes, the fastest that fits:
 *
 * 1. one full-text expression with filters: FTS5 walks the expression, filters are a set of row ids (`+rowid IN`: without
 *    the plus, SQLite would ask FTS5 once an id). An expression with few hits asks for each of them instead, since the set
 *    costs as much as the documents that pass the filter;
 * 2. no full text that scores: a plain condition on doc_N;
 * 3. anything else: each scoring expression becomes a common table (id, s), joined to doc_N by id, and the score is their
 *    sum where their part of the query matches.
 *
 * FTS5's bm25() is negative, the better the lower; scores are turned round, the better the higher.
 */
export interface Selection {
  /** Columns id, score. */
  readonly scored: Sql;
  /** Column id. */
  readonly ids: Sql;
  /** Every hit has the same score. */
  readonly constant: boolean;
  /** Every document is a hit. */
  readonly everything: boolean;
  /** The same on the row `d` of doc_N, where its full text is not asked. */
  readonly rows: RowSelection | undefined;
}

export interface RowSelection {
  readonly condition: Sql;
  readonly score: Sql;
}

/** Whether a full-text expression has only a few hits. */
export type IsRare = (expression: string) => boolean;

export function renderPlan(plan: Plan, tables: IndexTables, isRare: IsRare): Selection {
  const single = singleExpression(plan);
  if (single !== undefined) return renderSingle(single, tables, isRare);
  const condition = conditionOf(plan, tables.fts);
  return {
    ids: sql`SELECT d.id AS id FROM ${raw(tables.doc)} d WHERE ${condition} AND ${whileWanted(raw('d.id'))}`,
    scored: new Joined(tables).select(plan),
    constant: scoresConstantly(plan),
    everything: isTrue(condition),
    rows: readsFullText(plan) ? undefined : { condition, score: new Joined(tables).score(plan) },
  };
}

/** Of a selection what scores at least so much. */
export function withMinimumScore({ scored, constant }: Selection, minimum: number): Selection {
  const enough = sql`FROM (${scored}) WHERE score >= ${minimum}`;
  const [all, ids] = [sql`SELECT id, score ${enough}`, sql`SELECT id ${enough}`];
  return { scored: all, ids, constant, everything: false, rows: undefined };
}

/** A condition that asks the full text is one for its own tables: FTS5 leads there. */
function readsFullText(plan: Plan): boolean {
  switch (plan.kind) {
    case 'fts':
      return true;
    case 'condition':
      return false;
    case 'or':
    case 'some':
      return plan.plans.some(readsFullText);
    case 'and':
      return [...plan.required, ...plan.optional, ...plan.filters, ...plan.not].some(readsFullText);
  }
}

function scoresConstantly(plan: Plan): boolean {
  if (plan.kind === 'and') return plan.optional.length === 0 && plan.required.every(scoresConstantly);
  return plan.kind === 'condition';
}

interface SingleExpression {
  readonly text: FullTextPlan;
  readonly boost: number;
  /** Added to every score, for required conditions. */
  readonly constant: number;
  readonly rest: AndPlan | undefined;
}

function singleExpression(plan: Plan): SingleExpression | undefined {
  if (plan.kind === 'fts') return { text: plan, boost: plan.boost, constant: 0, rest: undefined };
  if (plan.kind !== 'and' || plan.optional.length > 0) return undefined;
  const texts = plan.required.filter((each) => each.kind === 'fts');
  const conditions = plan.required.filter((each) => each.kind === 'condition');
  const [text] = texts;
  const others = plan.required.length - texts.length - conditions.length;
  if (text === undefined || texts.length > 1 || others > 0) return undefined;
  const constant = conditions.reduce((sum, { score }) => sum + score, 0) * plan.boost;
  return { text, boost: text.boost * plan.boost, constant, rest: { ...plan, required: conditions } };
}

function renderSingle(
  { text, boost, constant, rest }: SingleExpression,
  tables: IndexTables,
  isRare: IsRare,
): Selection {
  const fts = raw(tables.fts);
  const within = rest === undefined ? TRUE : withinFilter(rest, text.expression, tables, isRare);
  const where = sql`${fts} MATCH ${text.expression} AND ${whileWanted(raw('rowid'))} AND ${within}`;
  const score = sql`${rank(tables.fts, text.weights)} * ${-boost} + ${constant}`;
  return {
    ids: sql`SELECT rowid AS id FROM ${fts} WHERE ${where}`,
    scored: sql`SELECT rowid AS id, ${score} AS score FROM ${fts} WHERE ${where}`,
    constant: false,
    everything: false,
    rows: undefined,
  };
}

function withinFilter(filters: Plan, expression: string, tables: IndexTables, isRare: IsRare): Sql {
  const filter = conditionOf(filters, tables.fts);
  if (isTrue(filter)) return TRUE;
  const doc = raw(tables.doc);
  if (!isRare(expression)) {
    return sql`+rowid IN (SELECT d.id FROM ${doc} d WHERE ${filter} AND ${whileWanted(raw('d.id'))})`;
  }
  return sql`EXISTS (SELECT 1 FROM ${doc} d WHERE d.id = ${raw(tables.fts)}.rowid AND ${filter})`;
}

function rank(fts: string, weights: Weights): Sql {
  const values = FTS_COLUMNS.map((column) => sql`${weights.get(column) ?? 0}`);
  return sql`bm25(${raw(fts)}, ${join(values, ', ')})`;
}

/** SQLite joins at most 64 tables. */
const MAX_JOINED = 60;

function tooManyWeights(): CrawlerError {
  const message = `A query may have at most ${MAX_JOINED} parts of different boost or field weight.`;
  return new CrawlerError('unsupported', message);
}

/** The third shape. Optional expressions join on the left; the first required one leads, so that only its rows are read. */
class Joined {
  readonly #tables: IndexTables;
  readonly #expressions: FullTextPlan[] = [];

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  select(plan: Plan): Sql {
    const matches = this.#matches(plan);
    const score = this.#score(plan, true);
    const lead = plan.kind === 'and' ? plan.required.find((each) => each.kind === 'fts') : undefined;
    const doc = raw(this.#tables.doc);
    const leading = lead === undefined ? undefined : this.#name(lead);
    const from = leading === undefined ? sql`${doc} d` : sql`${leading} CROSS JOIN ${doc} d ON d.id = ${leading}.id`;
    const others = this.#expressions
      .filter((each) => each !== lead)
      .map((each) => sql` LEFT JOIN ${this.#name(each)} ON ${this.#name(each)}.id = d.id`);
    const where = sql`${matches} AND ${whileWanted(raw('d.id'))}`;
    const select = sql`SELECT d.id AS id, ${score} AS score FROM ${from}${join(others, '')} WHERE ${where}`;
    return this.#expressions.length === 0 ? select : sql`WITH ${join(this.#commonTables(), ', ')} ${select}`;
  }

  /** Of a row that matches. */
  score(plan: Plan): Sql {
    return this.#score(plan, true);
  }

  #commonTables(): Sql[] {
    const fts = raw(this.#tables.fts);
    return this.#expressions.map((text) => {
      const score = sql`${rank(this.#tables.fts, text.weights)} * ${-text.boost}`;
      const where = sql`${fts} MATCH ${text.expression} AND ${whileWanted(raw('rowid'))}`;
      const rows = sql`SELECT rowid, ${score} FROM ${fts} WHERE ${where}`;
      return sql`${this.#name(text)}(id, s) AS MATERIALIZED (${rows})`;
    });
  }

  #name(text: FullTextPlan): Sql {
    let at = this.#expressions.indexOf(text);
    if (at < 0) at = this.#expressions.push(text) - 1;
    if (at >= MAX_JOINED) throw tooManyWeights();
    return raw(`t${at}`);
  }

  #matches(plan: Plan): Sql {
    switch (plan.kind) {
      case 'fts':
        return sql`${this.#name(plan)}.id IS NOT NULL`;
      case 'condition':
        return plan.condition;
      case 'or':
        return atLeast(
          plan.plans.map((each) => this.#matches(each)),
          plan.atLeast,
        );
      case 'some':
        return conditionOf(plan, this.#tables.fts);
      case 'and':
        return allOf([
          ...plan.required.map((each) => this.#matches(each)),
          ...plan.filters.map((each) => conditionOf(each, this.#tables.fts)),
          ...plan.not.map((each) => negated(conditionOf(each, this.#tables.fts))),
        ]);
    }
  }

  /** `certain`: the rows are known to match, so nothing needs to be asked again. */
  #score(plan: Plan, certain: boolean): Sql {
    switch (plan.kind) {
      case 'fts':
        return sql`coalesce(${this.#name(plan)}.s, 0)`;
      case 'condition':
        return certain ? sql`${plan.score}` : sql`iif(${plan.condition}, ${plan.score}, 0)`;
      case 'or': {
        const score = sql`${plan.boost} * ${sumOf(plan.plans.map((each) => this.#score(each, false)))}`;
        return certain || plan.atLeast === 1 ? score : sql`iif(${this.#matches(plan)}, ${score}, 0)`;
      }
      case 'some':
        return raw('0');
      case 'and': {
        const required = plan.required.map((each) => this.#score(each, true));
        const optional = plan.optional.map((each) => this.#score(each, false));
        const score = sql`${plan.boost} * ${sumOf([...required, ...optional])}`;
        return certain ? score : sql`iif(${this.#matches(plan)}, ${score}, 0)`;
      }
    }
  }
}
