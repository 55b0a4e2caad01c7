import { CrawlerError } from '../../base/errors.js';
import { editsOf, fuzzyOptions, MATCH_NAMES, type Fuzziness } from './fuzziness.js';
import { BodyReader, isObject, malformed, type Scalar } from './body-reader.js';
import { fieldWeights } from './field-weights.js';
import { minimumMatch } from './minimum-match.js';
import { checkedText } from './query-limits.js';
import { textOf, type Fields, type QueryNode, type TextNode } from './query-tree.js';

/** match, match_phrase, match_phrase_prefix and multi_match. */
const MULTI_MATCH_TYPES = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix'] as const;

export function parseMatch(value: unknown): QueryNode {
  const { fields, body } = oneField(value, 'match');
  const node = textOf(fields, queryOf(body), {
    operator: operatorOf(body, 'operator'),
    minimum: minimumMatch(body),
    boost: body.number('boost') ?? 1,
    lenient: body.boolean('lenient') ?? false,
    fuzziness: fuzzinessOf(body),
  });
  body.done();
  return node;
}

export function parseMatchPhrase(value: unknown): QueryNode {
  const { fields, body } = oneField(value, 'match_phrase');
  const options = { mode: 'phrase', slop: body.count('slop') ?? 0, boost: body.number('boost') ?? 1 } as const;
  const node = textOf(fields, queryOf(body), options);
  body.done();
  return node;
}

export function parseMatchPhrasePrefix(value: unknown): QueryNode {
  const { fields, body } = oneField(value, 'match_phrase_prefix');
  const node = textOf(fields, queryOf(body), { mode: 'phrase_prefix', boost: body.number('boost') ?? 1 });
  body.done();
  return node;
}

export function parseMultiMatch(value: unknown): QueryNode {
  const body = new BodyReader(value, 'a [multi_match] query');
  const type = body.choice('type', MULTI_MATCH_TYPES) ?? 'best_fields';
  const phrase = type === 'phrase' || type === 'phrase_prefix';
  const options: Partial<TextNode> = {
    mode: phrase ? type : 'words',
    acrossFields: type === 'cross_fields',
    boost: body.number('boost') ?? 1,
    lenient: body.boolean('lenient') ?? false,
    ...(type === 'phrase' ? { slop: body.count('slop') ?? 0 } : {}),
    ...(phrase ? {} : { operator: operatorOf(body, 'operator'), minimum: minimumMatch(body) }),
    ...fuzzinessOfType(type, body),
  };
  const node = textOf(fieldWeights(body.strings('fields'), body.where), queryOf(body), options);
  body.done();
  return node;
}

function fuzzinessOfType(type: string, body: BodyReader): Pick<Partial<TextNode>, 'fuzziness'> {
  if (type === 'best_fields' || type === 'most_fields') return { fuzziness: fuzzinessOf(body) };
  if (!body.has('fuzziness')) return {};
  throw new CrawlerError('corrupt', `[fuzziness] is not allowed in ${body.where} of the type [${type}].`);
}

function fuzzinessOf(body: BodyReader): Fuzziness | undefined {
  const options = fuzzyOptions(body, MATCH_NAMES);
  body.string('fuzzy_rewrite');
  const text = body.text('fuzziness');
  return text === undefined ? undefined : { edits: editsOf(text), ...options };
}

export function operatorOf(body: BodyReader, key: string): 'or' | 'and' {
  return body.choice(key, ['or', 'and']) ?? 'or';
}

export function queryOf(body: BodyReader): string {
  const text = body.text('query');
  if (text === undefined) throw malformed(`[query] in ${body.where}`, 'a text', undefined);
  return checkedText(text, body.where);
}

/** `{"content": "words"}` or `{"content": {"query": "words", …}}`. */
function oneField(value: unknown, query: string): { fields: Fields; body: BodyReader } {
  const { key, value: options } = new BodyReader(value, `a [${query}] query`).only();
  const body = new BodyReader(isObject(options) ? options : { query: options as Scalar }, `a [${query}] query`);
  return { fields: [{ name: key, weight: 1 }], body };
}
