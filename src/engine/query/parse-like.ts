import { BodyReader, isObject, malformed, unsupported } from './body-reader.js';
import { fieldWeights } from './field-weights.js';
import { minimumMatch } from './minimum-match.js';
import { checkedText } from './query-limits.js';
import type { LikeTexts, QueryNode, TermChoice } from './query-tree.js';

/** The more_like_this query, with the defaults of Elasticsearch. */
const MOST_TERMS = 25;
const MIN_TERM_FREQUENCY = 2;
const MIN_DOCUMENTS = 5;
const MINIMUM_MATCH = '30%';

export function parseMoreLikeThis(value: unknown): QueryNode {
  const body = new BodyReader(value, 'a [more_like_this] query');
  if (!body.has('like')) throw malformed(`[like] in ${body.where}`, 'a text, a document or a list of them', undefined);
  const node: QueryNode = {
    kind: 'like',
    fields: fieldWeights(body.strings('fields'), body.where),
    like: textsOf(body, 'like'),
    unlike: textsOf(body, 'unlike'),
    choice: choiceOf(body),
    minimum: minimumMatch(body) ?? MINIMUM_MATCH,
    include: body.boolean('include') ?? false,
    boostTerms: boostOf(body),
    boost: body.number('boost') ?? 1,
  };
  body.boolean('fail_on_unsupported_field');
  body.done();
  return node;
}

function choiceOf(body: BodyReader): TermChoice {
  return {
    most: body.count('max_query_terms', 1) ?? MOST_TERMS,
    minTermFrequency: body.count('min_term_freq') ?? MIN_TERM_FREQUENCY,
    minDocuments: body.count('min_doc_freq') ?? MIN_DOCUMENTS,
    maxDocuments: body.count('max_doc_freq') ?? Infinity,
    minLength: body.count('min_word_length') ?? 0,
    // 0 is no limit.
    maxLength: (body.count('max_word_length') ?? 0) || Infinity,
    stopWords: new Set((body.strings('stop_words') ?? []).map((word) => word.toLowerCase())),
  };
}

/** 0 is none. */
function boostOf(body: BodyReader): number | undefined {
  const boost = body.number('boost_terms') ?? 0;
  return boost > 0 ? boost : undefined;
}

/** Texts, and documents of this index: `{"_id": "1"}`. */
function textsOf(body: BodyReader, key: string): LikeTexts {
  const texts: string[] = [];
  const documents: LikeTexts['documents'][number][] = [];
  for (const item of body.list(key)) {
    if (typeof item === 'string') texts.push(checkedText(item, body.where));
    else if (isObject(item)) documents.push(documentOf(item, `[${key}] in ${body.where}`));
    else throw malformed(`[${key}] in ${body.where}`, 'a text, a document or a list of them', item);
  }
  return { texts, documents };
}

function documentOf(item: Readonly<Record<string, unknown>>, where: string): LikeTexts['documents'][number] {
  const body = new BodyReader(item, where);
  if (body.has('doc')) throw unsupported(`a document that is not in the index ([doc]) in ${where}`, 'Give its text.');
  const id = body.text('_id');
  if (id === undefined) throw malformed(`[_id] in ${where}`, 'the id of a document', undefined);
  const index = body.string('_index');
  body.done();
  return { index, id };
}
