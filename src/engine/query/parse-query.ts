import { BodyReader, listOf, malformed, unsupported } from './body-reader.js';
import { minimumMatch } from './minimum-match.js';
import { parseMatch, parseMatchPhrase, parseMatchPhrasePrefix, parseMultiMatch } from './parse-fulltext.js';
import { parseMoreLikeThis } from './parse-like.js';
import {
  parseExists,
  parseFuzzy,
  parseIds,
  parsePrefix,
  parseRange,
  parseTerm,
  parseTerms,
  parseWildcard,
} from './parse-terms.js';
import { MAX_NESTING, nestedTooDeep } from './query-limits.js';
import { parseQueryString } from './query-string.js';
import { boolOf, MATCH_NONE, type QueryNode } from './query-tree.js';
import { parseSimpleQueryString } from './simple-query-string.js';

/**
 * The `query` of a request as a tree. Queries and keys that are not known here are refused by name (`unsupported`), values of
 * the wrong shape with what was expected (`corrupt`). What query strings nest is checked when the tree is walked (`leavesOf`).
 */
const LEAVES: ReadonlyMap<string, (value: unknown) => QueryNode> = new Map<string, (value: unknown) => QueryNode>([
  ['match', parseMatch],
  ['match_phrase', parseMatchPhrase],
  ['match_phrase_prefix', parseMatchPhrasePrefix],
  ['multi_match', parseMultiMatch],
  ['query_string', parseQueryString],
  ['simple_query_string', parseSimpleQueryString],
  ['term', parseTerm],
  ['terms', parseTerms],
  ['range', parseRange],
  ['prefix', parsePrefix],
  ['wildcard', parseWildcard],
  ['exists', parseExists],
  ['ids', parseIds],
  ['fuzzy', parseFuzzy],
  ['more_like_this', parseMoreLikeThis],
  ['match_all', parseMatchAll],
  ['match_none', parseMatchNone],
]);

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['regexp', 'Use a wildcard query'],
  ['nested', 'Use the dotted name of the field in a plain query'],
]);

export function parseQuery(value: unknown): QueryNode {
  return parseNested(value, 0);
}

function parseNested(value: unknown, depth: number): QueryNode {
  if (depth > MAX_NESTING) throw nestedTooDeep();
  const { key, value: body } = new BodyReader(value, 'a query').only();
  const leaf = LEAVES.get(key);
  if (leaf !== undefined) return leaf(body);
  if (key === 'bool') return parseBool(body, depth);
  if (key === 'constant_score') return parseConstantScore(body, depth);
  const advice = ADVICE.get(key);
  const way = 'let the job use Elasticsearch or OpenSearch (engine.urls).';
  throw unsupported(`[${key}] queries`, advice === undefined ? `Leave it out, or ${way}` : `${advice}, or ${way}`);
}

function parseBool(value: unknown, depth: number): QueryNode {
  const body = new BodyReader(value, 'a [bool] query');
  const clauses = (key: string): QueryNode[] => body.list(key).map((clause) => parseNested(clause, depth + 1));
  const node = boolOf({
    must: clauses('must'),
    filter: clauses('filter'),
    should: clauses('should'),
    mustNot: clauses('must_not'),
    minimum: minimumMatch(body),
    boost: body.number('boost') ?? 1,
  });
  body.done();
  return node;
}

function parseConstantScore(value: unknown, depth: number): QueryNode {
  const body = new BodyReader(value, 'a [constant_score] query');
  const [filter, ...more] = listOf(body.value('filter'));
  if (filter === undefined || more.length > 0)
    throw malformed('[filter] in a [constant_score] query', 'one query', more);
  const boost = body.number('boost') ?? 1;
  body.done();
  return { kind: 'constant', query: parseNested(filter, depth + 1), boost };
}

function parseMatchAll(value: unknown): QueryNode {
  const body = new BodyReader(value, 'a [match_all] query');
  const boost = body.number('boost') ?? 1;
  body.done();
  return { kind: 'all', boost };
}

function parseMatchNone(value: unknown): QueryNode {
  new BodyReader(value, 'a [match_none] query').done();
  return MATCH_NONE;
}
