import { CrawlerError } from '../../../base/errors.js';
import { malformed, unsupported, type BodyReader } from '../../query/body-reader.js';
import { checkedText } from '../../query/query-limits.js';

/** `suggest` of a request: texts whose words may be misspelt, each with the field that has the right ones. */
export interface Suggestion {
  readonly name: string;
  readonly text: string;
  readonly field: string;
  /** Options a word. */
  readonly size: number;
  readonly mode: SuggestMode;
  readonly sort: 'score' | 'frequency';
  readonly maxEdits: number;
  readonly prefixLength: number;
  /** Shorter words have no options. */
  readonly minWordLength: number;
  /** Below 1 a share of all documents, otherwise a number of them; so is `maxTermFrequency`. */
  readonly minDocuments: number;
  /** Words of more documents are taken for right. */
  readonly maxTermFrequency: number;
  /** The least score of an option. */
  readonly accuracy: number;
}

const MODES = ['missing', 'popular', 'always'] as const;
type SuggestMode = (typeof MODES)[number];

const DEFAULT_SIZE = 5;
const MAX_SIZE = 1000;
const MAX_SUGGESTIONS = 20;

export function parseSuggest(body: BodyReader): readonly Suggestion[] {
  const suggest = body.object('suggest');
  if (suggest === undefined) return [];
  const common = suggest.string('text');
  const names = suggest.keys.filter((key) => key !== 'text');
  if (names.length > MAX_SUGGESTIONS)
    throw malformed('[suggest]', `at most ${MAX_SUGGESTIONS} suggestions`, names.length);
  return names.map((name) => parseSuggestion(name, suggest.object(name), common));
}

function parseSuggestion(name: string, value: BodyReader | undefined, common: string | undefined): Suggestion {
  const where = `the suggestion [${name}]`;
  if (value === undefined) throw malformed(where, 'an object', value);
  const text = value.string('text') ?? common;
  const type = value.keys.find((key) => key !== 'text');
  if (type === undefined) throw malformed(where, 'an object with [term]', undefined);
  if (type !== 'term') throw unsupported(`[${type}] in ${where}`, 'Use a term suggestion.');
  const term = value.object('term');
  value.done();
  if (text === undefined || term === undefined) throw malformed(`[text] of ${where}`, 'a text', undefined);
  return termSuggestion(name, checkedText(text, where), term);
}

function termSuggestion(name: string, text: string, term: BodyReader): Suggestion {
  const field = term.string('field');
  if (field === undefined) throw malformed(`[field] of the suggestion [${name}]`, 'the name of a field', undefined);
  const suggestion: Suggestion = {
    name,
    text: term.string('text') ?? text,
    field,
    size: atMost(term, 'size', MAX_SIZE) ?? DEFAULT_SIZE,
    mode: term.choice('suggest_mode', MODES) ?? 'missing',
    sort: term.choice('sort', ['score', 'frequency']) ?? 'score',
    ...rulesOf(term),
  };
  term.choice('string_distance', ['internal']);
  for (const key of ['max_inspections', 'shard_size']) term.count(key);
  term.done();
  return suggestion;
}

type Rules = Omit<Suggestion, 'name' | 'text' | 'field' | 'size' | 'mode' | 'sort'>;

function rulesOf(term: BodyReader): Rules {
  return {
    maxEdits: atMost(term, 'max_edits', 2) ?? 2,
    prefixLength: term.count('prefix_length') ?? 1,
    minWordLength: term.count('min_word_length') ?? 4,
    minDocuments: frequency(term, 'min_doc_freq') ?? 0,
    maxTermFrequency: frequency(term, 'max_term_freq') ?? 0.01,
    accuracy: term.number('accuracy') ?? 0.5,
  };
}

function atMost(body: BodyReader, key: string, most: number): number | undefined {
  const number = body.count(key, 1);
  if (number === undefined || number <= most) return number;
  throw malformed(`[${key}] in ${body.where}`, `between 1 and ${most}`, number);
}

function frequency(body: BodyReader, key: string): number | undefined {
  const number = body.number(key);
  if (number === undefined || (number >= 0 && (number < 1 || Number.isInteger(number)))) return number;
  const what = 'a share below 1, or a whole number of documents';
  throw new CrawlerError('corrupt', `[${key}] in ${body.where} must be ${what}, not ${number}.`);
}
