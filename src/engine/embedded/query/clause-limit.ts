import { CrawlerError } from '../../../base/errors.js';
import { grouped } from '../../../base/grouped.js';
import { parseQuery } from '../../query/parse-query.js';
import { leavesOf } from '../../query/query-limits.js';
import type { QueryNode, TextNode } from '../../query/query-tree.js';
import { words } from '../text/tokens.js';

/**
 * A clause is what has to be looked up: a word or a phrase in each of the fields that are named for it, a value, a range, a
 * list of values.
 */
export const MAX_CLAUSES = 1024;

/** The `query` of a request, which is not beyond the limits. Throws `corrupt` and `unsupported`. */
export function parseLimitedQuery(value: unknown): QueryNode {
  const query = parseQuery(value);
  checkedClauses(query);
  return query;
}

/** The number of clauses. Throws `corrupt` for a query beyond the limits. */
export function checkedClauses(query: QueryNode): number {
  let clauses = 0;
  for (const leaf of leavesOf(query)) {
    clauses += clausesOf(leaf);
    if (clauses > MAX_CLAUSES) throw tooManyClauses();
  }
  return clauses;
}

export function tooManyClauses(): CrawlerError {
  const what = 'a clause is a word, phrase or value in one field';
  return new CrawlerError('corrupt', `A query may have ${grouped(MAX_CLAUSES)} clauses (${what}).`);
}

function clausesOf(node: QueryNode): number {
  switch (node.kind) {
    case 'text':
      return Math.max(1, wordsOf(node)) * fieldsOf(node);
    case 'prefix':
    case 'wildcard':
      return fieldsOf(node);
    case 'like':
      return node.choice.most;
    case 'all':
    case 'none':
      return 0;
    default:
      return 1;
  }
}

function wordsOf({ text }: TextNode): number {
  return words(text).length;
}

/** What a pattern stands for is not counted: how many fields there are is not for the query to know. */
function fieldsOf({ fields }: Pick<TextNode, 'fields'>): number {
  return fields?.length ?? 1;
}
