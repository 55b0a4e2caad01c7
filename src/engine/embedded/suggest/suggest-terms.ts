import type { SuggestedWord } from '../../engine.js';
import { unsupported } from '../../query/body-reader.js';
import { textTarget, type TextTarget } from '../query/fulltext-expression.js';
import { MAX_CLAUSES, tooManyClauses } from '../query/clause-limit.js';
import { resolveField, type CompileContext } from '../query/resolve-fields.js';
import { foldWord, isSpaceless, units, type Unit } from '../text/tokens.js';
import type { IndexTerms } from '../vocabulary/index-terms.js';
import type { Suggestion } from './parse-suggest.js';

type SuggestedOption = SuggestedWord['options'][number];

/** How many near words are compared by their frequency, the nearest first. */
const MAX_CANDIDATES = 1000;

/** Answers by name. The rules are those of Lucene's DirectSpellChecker. */
export function suggestTerms(
  suggestions: readonly Suggestion[],
  context: CompileContext,
): Readonly<Record<string, readonly SuggestedWord[]>> {
  const texts = suggestions.map((suggestion) => ({ suggestion, found: Array.from(units(suggestion.text)) }));
  if (texts.reduce((sum, { found }) => sum + found.length, 0) > MAX_CLAUSES) throw tooManyClauses();
  return Object.fromEntries(
    texts.map(({ suggestion, found }) => {
      const target = targetOf(suggestion, context);
      return [suggestion.name, found.map((unit) => suggestFor(unit, suggestion, target, context.terms))];
    }),
  );
}

function targetOf({ field, name }: Suggestion, context: CompileContext): TextTarget | undefined {
  const view = resolveField(field, context);
  if (view === undefined) {
    throw unsupported(`the suggestion [${name}]: no document of the index has [${field}]`, 'Name another field.');
  }
  return textTarget({ view, weight: 1 });
}

function suggestFor(
  unit: Unit,
  suggestion: Suggestion,
  target: TextTarget | undefined,
  terms: IndexTerms,
): SuggestedWord {
  const text = foldWord(unit.folded);
  const isLong = Array.from(text).length >= suggestion.minWordLength;
  const options =
    target === undefined || !isLong || isSpaceless(text) ? [] : optionsFor(text, suggestion, target, terms);
  return { text, offset: unit.start, length: unit.end - unit.start, options };
}

function optionsFor(text: string, suggestion: Suggestion, target: TextTarget, terms: IndexTerms): SuggestedOption[] {
  const frequency = terms.frequency(text, target);
  if (suggestion.mode === 'missing' && frequency > 0) return [];
  if (frequency > numberOf(suggestion.maxTermFrequency, terms.documents)) return [];
  const least = Math.max(
    suggestion.mode === 'popular' ? frequency + 1 : 1,
    numberOf(suggestion.minDocuments, terms.documents),
  );
  const { maxEdits: edits, prefixLength } = suggestion;
  const similar = terms.similar(text, target, {
    edits,
    prefixLength,
    maxExpansions: MAX_CANDIDATES,
    transpositions: true,
  });
  const options = similar.flatMap((each): SuggestedOption[] => {
    const freq = each.edits === 0 ? 0 : terms.frequency(each.term, target);
    const score = 1 - each.edits / Math.min(Array.from(text).length, Array.from(each.term).length);
    return freq >= least && score >= suggestion.accuracy ? [{ text: each.term, score, freq }] : [];
  });
  return options.sort(orderOf(suggestion)).slice(0, suggestion.size);
}

/** A share of all documents, or a number of them. */
function numberOf(value: number, documents: number): number {
  return value < 1 ? Math.ceil(value * documents) : value;
}

function orderOf({ sort }: Suggestion): (left: SuggestedOption, right: SuggestedOption) => number {
  return (left, right) => {
    const [byScore, byFrequency] = [right.score - left.score, right.freq - left.freq];
    const first = sort === 'score' ? byScore || byFrequency : byFrequency || byScore;
    return first || (left.text < right.text ? -1 : 1);
  };
}
