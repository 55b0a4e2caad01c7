import { CrawlerError } from '../../../base/errors.js';
import { words } from '../text/tokens.js';
import type { QueryNode, TextNode } from './query-tree.js';

/**
 * One set of limits for queries of every type, however they are written. A clause is what has to be looked up: a word or a
 * phrase in each of the fields that are named for it, a value, a range, a list of values.
 */
export const MAX_CLAUSES = 1024;
/** Queries within queries. In a simple query string every change between `+` and `|` is a level, too. */
export const MAX_NESTING = 30;
/** Of one text of a query; 1,024 words have seldom more than 10,000. */
export const MAX_QUERY_CHARACTERS = 100_000;

/** The number of clauses. Throws `corrupt` for a query beyond the limits. Does not recurse: the tree may be too deep for it. */
export function checkedClauses(query: QueryNode): number {
  const open: { readonly node: QueryNode; readonly level: number }[] = [{ node: query, level: 0 }];
  let clauses = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    if (level > MAX_NESTING) throw nestedTooDeep();
    const inner = innerQueries(node);
    clauses += inner.length === 0 ? clausesOf(node) : 0;
    if (clauses > MAX_CLAUSES) throw tooManyClauses();
    for (const each of inner) open.push({ node: each, level: level + 1 });
  }
  return clauses;
}

export function nestedTooDeep(): CrawlerError {
  const levels = 'In a simple query string each change between + and | is a level.';
  return new CrawlerError('corrupt', `The query is nested more than ${MAX_NESTING} levels deep. ${levels}`);
}

export function checkedText(text: string, where: string): string {
  if (text.length <= MAX_QUERY_CHARACTERS) return text;
  const limit = MAX_QUERY_CHARACTERS.toLocaleString('en');
  throw new CrawlerError('corrupt', `The text of ${where} is longer than ${limit} characters.`);
}

export function tooManyClauses(): CrawlerError {
  const what = 'a clause is a word, phrase or value in one field';
  return new CrawlerError('corrupt', `A query may have ${MAX_CLAUSES.toLocaleString('en')} clauses (${what}).`);
}

function innerQueries(node: QueryNode): readonly QueryNode[] {
  if (node.kind === 'constant') return [node.query];
  return node.kind === 'bool' ? [...node.must, ...node.filter, ...node.should, ...node.mustNot] : [];
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

/** Objects and lists within each other in the body of a request: far more than queries of any type need. */
const MAX_JSON_DEPTH = 200;

/** Throws `corrupt` for a body that cannot be sent to a thread or read there without overflowing the stack. */
export function checkDepth(body: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: body, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_JSON_DEPTH) {
      throw new CrawlerError('corrupt', `The request is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    }
    for (const member of Object.values(value)) open.push({ value: member, depth: depth + 1 });
  }
}
