import type { FtsColumn } from '../store/schema.js';
import { whileWanted } from '../store/work-limit.js';
import { allOf, anyOf, FALSE, raw, sql, sumOf, TRUE, type Sql } from '../store/sql.js';

/**
 * A query as a tree of what SQLite can answer: full-text expressions of FTS5 and conditions on the row `d` of doc_N.
 *
 * FTS5 answers one expression much faster than it joins several, so the builders (`and`, `or`) melt expressions into one
 * wherever hits and scores stay the same: when they have the same boost, and no column has two weights.
 */
export type Plan =
  | FullTextPlan
  | { readonly kind: 'condition'; readonly condition: Sql; readonly score: number }
  | AndPlan
  | { readonly kind: 'or'; readonly plans: readonly Plan[]; readonly boost: number; readonly atLeast: number }
  /** So many of them match. A filter: it does not score. */
  | { readonly kind: 'some'; readonly plans: readonly Plan[]; readonly atLeast: number };

export interface FullTextPlan {
  readonly kind: 'fts';
  readonly expression: string;
  readonly weights: Weights;
  readonly boost: number;
}

export interface AndPlan {
  readonly kind: 'and';
  readonly required: readonly Plan[];
  /** Adds to the score where it matches. */
  readonly optional: readonly Plan[];
  /** Must match, does not score. */
  readonly filters: readonly Plan[];
  readonly not: readonly Plan[];
  readonly boost: number;
}

export type Weights = ReadonlyMap<FtsColumn, number>;

export const NOTHING: Plan = { kind: 'condition', condition: FALSE, score: 0 };
export const EVERYTHING: Plan = { kind: 'condition', condition: TRUE, score: 1 };

export function condition(test: Sql, score = 1): Plan {
  return { kind: 'condition', condition: test, score };
}

/** Any document with one of these ids; one parameter, however many they are. */
export function idsPlan(ids: readonly string[], score = 1): Plan {
  const list = JSON.stringify(ids);
  return condition(sql`d.uid IN (SELECT value FROM json_each(${list}))`, score);
}

export function boosted(plan: Plan, boost: number): Plan {
  if (boost === 1) return plan;
  if (plan.kind === 'condition') return { ...plan, score: plan.score * boost };
  if (plan.kind === 'some') return plan;
  return { ...plan, boost: plan.boost * boost };
}

export function or(plans: readonly Plan[], atLeast = 1): Plan {
  if (plans.length < atLeast || plans.length === 0) return NOTHING;
  if (atLeast === plans.length && atLeast > 1) return and({ required: plans });
  if (atLeast > 1) return several(plans, atLeast);
  const alternatives = melted(plans, 'OR');
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return only;
  return { kind: 'or', plans: alternatives, boost: 1, atLeast };
}

/**
 * One expression scores, a filter counts: much faster than joining the parts, which SQLite can only do with 64 of them. It
 * says each part twice, so parts that count themselves are joined: said twice at every level, they would grow with 2^levels.
 */
function several(plans: readonly Plan[], atLeast: number): Plan {
  if (plans.every(isPlain)) return and({ required: [or(plans)], filters: [{ kind: 'some', plans, atLeast }] });
  return { kind: 'or', plans, boost: 1, atLeast };
}

function isPlain(plan: Plan): boolean {
  if (plan.kind === 'or') return plan.atLeast === 1 && plan.plans.every(isPlain);
  return plan.kind === 'fts' || plan.kind === 'condition';
}

export function and(parts: Partial<Omit<AndPlan, 'kind'>>): Plan {
  const { optional = [], filters = [], boost = 1 } = parts;
  const required = melted(parts.required ?? [], 'AND');
  let not = parts.not ?? [];
  const fullText = required.findIndex((plan) => plan.kind === 'fts');
  const scoring = required[fullText];
  if (scoring?.kind === 'fts') {
    const excluded = not.filter((plan) => plan.kind === 'fts').map(({ expression }) => expression);
    not = not.filter((plan) => plan.kind !== 'fts');
    if (excluded.length > 0) {
      const expression = `(${scoring.expression}) NOT (${joined(excluded, 'OR')})`;
      required[fullText] = { ...scoring, expression };
    }
  }
  const [only] = required;
  if (only !== undefined && required.length === 1 && optional.length + filters.length + not.length === 0) {
    return boosted(only, boost);
  }
  return { kind: 'and', required, optional, filters, not, boost };
}

/** The same plans with full-text expressions melted where that changes nothing. */
function melted(plans: readonly Plan[], operator: 'AND' | 'OR'): Plan[] {
  const groups: { readonly plan: Plan; readonly expressions: string[] }[] = [];
  for (const plan of plans) {
    const at = plan.kind === 'fts' ? groups.findIndex((group) => canMelt(group.plan, plan)) : -1;
    const group = groups[at];
    if (plan.kind === 'fts' && group?.plan.kind === 'fts') {
      const weights = new Map([...group.plan.weights, ...plan.weights]);
      groups[at] = { plan: { ...group.plan, weights }, expressions: [...group.expressions, plan.expression] };
    } else {
      groups.push({ plan, expressions: plan.kind === 'fts' ? [plan.expression] : [] });
    }
  }
  return groups.map(({ plan, expressions }) => {
    return plan.kind === 'fts' ? { ...plan, expression: joined(expressions, operator) } : plan;
  });
}

/** Flat, since FTS5 refuses deep nesting. */
function joined(expressions: readonly string[], operator: 'AND' | 'OR'): string {
  const [only, ...more] = expressions;
  if (only !== undefined && more.length === 0) return only;
  return expressions.map((expression) => `(${expression})`).join(` ${operator} `);
}

function canMelt(left: Plan, right: FullTextPlan): boolean {
  if (left.kind !== 'fts' || left.boost !== right.boost) return false;
  return [...right.weights].every(([column, weight]) => (left.weights.get(column) ?? weight) === weight);
}

/** The plan as a condition on `d`, without scores. */
export function conditionOf(plan: Plan, fts: string): Sql {
  switch (plan.kind) {
    case 'fts':
      return sql`d.id IN (SELECT rowid FROM ${raw(fts)} WHERE ${raw(fts)} MATCH ${plan.expression} AND ${whileWanted(raw('rowid'))})`;
    case 'condition':
      return plan.condition;
    case 'or':
    case 'some':
      return atLeast(
        plan.plans.map((each) => conditionOf(each, fts)),
        plan.atLeast,
      );
    case 'and':
      return allOf([
        ...[...plan.required, ...plan.filters].map((each) => conditionOf(each, fts)),
        ...plan.not.map((each) => negated(conditionOf(each, fts))),
      ]);
  }
}

/** A comparison with a missing value is neither true nor false: such a document does not match, so its negation does. */
export function negated(test: Sql): Sql {
  return sql`(${test}) IS NOT TRUE`;
}

export function atLeast(conditions: readonly Sql[], count: number): Sql {
  if (count <= 1) return anyOf(conditions);
  return sql`${sumOf(conditions.map((each) => sql`((${each}) IS TRUE)`))} >= ${count}`;
}
