import { CrawlerError } from '../../base/errors.js';
import { grouped } from '../../base/grouped.js';
import type { QueryNode } from './query-tree.js';

/** Queries within queries, of every type and however they are written. In a simple query string every change between `+` and `|` is a level, too. */
export const MAX_NESTING = 30;
/** Of one text of a query; 1,024 words have seldom more than 10,000. */
export const MAX_QUERY_CHARACTERS = 100_000;

/** The parts of a query that hold no other. Throws `corrupt` when it is nested too deep. Does not recurse, for that reason. */
export function* leavesOf(query: QueryNode): Generator<QueryNode> {
  const open: { readonly node: QueryNode; readonly level: number }[] = [{ node: query, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    if (level > MAX_NESTING) throw nestedTooDeep();
    const inner = innerQueries(node);
    if (inner.length === 0) yield node;
    for (const each of inner) open.push({ node: each, level: level + 1 });
  }
}

export function nestedTooDeep(): CrawlerError {
  const levels = 'In a simple query string each change between + and | is a level.';
  return new CrawlerError('corrupt', `The query is nested more than ${MAX_NESTING} levels deep. ${levels}`);
}

export function checkedText(text: string, where: string): string {
  if (text.length <= MAX_QUERY_CHARACTERS) return text;
  const limit = grouped(MAX_QUERY_CHARACTERS);
  throw new CrawlerError('corrupt', `The text of ${where} is longer than ${limit} characters.`);
}

function innerQueries(node: QueryNode): readonly QueryNode[] {
  if (node.kind === 'constant') return [node.query];
  return node.kind === 'bool' ? [...node.must, ...node.filter, ...node.should, ...node.mustNot] : [];
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
