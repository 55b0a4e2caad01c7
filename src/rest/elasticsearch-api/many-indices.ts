import type { Hit, SearchEngine, SearchResponse } from '../../engine/engine.js';
import { unsupported } from './api-error.js';
import { mergedSuggestions, suggestionsOfEach } from './many-suggestions.js';

/**
 * One search over several indices. The engine searches one at a time, so each gives its best `from + size` hits, and the
 * page is cut from all of them, ordered as the engine orders: by the values of the sort, or by score.
 */
type Body = Readonly<Record<string, unknown>>;

export async function searchMany(
  engine: SearchEngine,
  indices: readonly string[],
  body: Body,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const [only, second] = indices;
  if (only !== undefined && second === undefined) return engine.search({ index: only, body }, signal);
  if (indices.length > 0 && (body['aggs'] ?? body['aggregations']) !== undefined) {
    throw unsupported('An aggregation over several indices');
  }
  const from = numberOf(body['from'], 0);
  const size = numberOf(body['size'], 10);
  const suggest = body['suggest'] === undefined ? {} : { suggest: suggestionsOfEach(body['suggest']) };
  const found: SearchResponse[] = [];
  for (const index of indices)
    found.push(await engine.search({ index, body: { ...body, ...suggest, from: 0, size: from + size } }, signal));
  const all = found.flatMap((each) => each.hits.hits).sort(comparator(body['sort']));
  const hits = body['collapse'] === undefined ? all : firstOfGroups(all);
  return {
    took: sum(found.map((each) => each.took)),
    timed_out: found.some((each) => each.timed_out),
    hits: {
      total: {
        value: sum(found.map((each) => each.hits.total.value)),
        relation: found.some((each) => each.hits.total.relation === 'gte') ? 'gte' : 'eq',
      },
      max_score: highest(found.map((each) => each.hits.max_score)),
      hits: hits.slice(from, from + size),
    },
    ...(body['suggest'] === undefined
      ? {}
      : {
          suggest: mergedSuggestions(
            found.map((each) => each.suggest),
            body['suggest'],
          ),
        }),
  };
}

/** Each index has collapsed its own hits; those without a value are one group. */
function firstOfGroups(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ fields }) => {
    const group = JSON.stringify(fields ?? null);
    return seen.has(group) ? false : seen.add(group);
  });
}

function comparator(sort: unknown): (left: Hit, right: Hit) => number {
  if (sort === undefined) return (left, right) => (right._score ?? 0) - (left._score ?? 0);
  const descending = (Array.isArray(sort) ? (sort as unknown[]) : [sort]).map(isDescending);
  return (left, right) => {
    for (const [at, down] of descending.entries()) {
      const order = compare(left.sort?.[at], right.sort?.[at], down);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** `"field"`, `{"field": "desc"}`, `{"field": {"order": "desc"}}`; the score alone is descending by itself. */
function isDescending(sort: unknown): boolean {
  if (typeof sort !== 'object' || sort === null) return sort === '_score';
  const [[field, rule] = ['', undefined]] = Object.entries(sort) as [string, unknown][];
  const order = typeof rule === 'object' && rule !== null && 'order' in rule ? rule.order : rule;
  return order === undefined || typeof order === 'object' ? field === '_score' : order === 'desc';
}

/** Missing values come last in both directions. */
function compare(left: unknown, right: unknown, descending: boolean): number {
  if (left === right) return 0;
  if (left === null || left === undefined) return 1;
  if (right === null || right === undefined) return -1;
  return isLess(left, right) === descending ? 1 : -1;
}

/** Values of one field are all numbers or all texts. */
function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return JSON.stringify(left) < JSON.stringify(right);
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function highest(scores: readonly (number | null)[]): number | null {
  return scores.reduce((best, each) => (each !== null && (best === null || each > best) ? each : best), null);
}
