import { toStorableText } from '../../../base/sqlite.js';
import { textsAt } from '../text/texts-at.js';
import { foldWord, toPhrase, words } from '../text/tokens.js';
import { unsupported } from '../../query/body-reader.js';
import { occurrence, textTarget, type TextTarget } from './fulltext-expression.js';
import { matchesNeeded } from '../../query/minimum-match.js';
import { and, boosted, idsPlan, NOTHING, or, type Plan } from './plan.js';
import type { Fields, LikeNode, LikeTexts, TermChoice } from '../../query/query-tree.js';
import { resolveFields, type CompileContext } from './resolve-fields.js';

/**
 * The words that tell most about the texts: frequent in them and rare in the index. Each is looked for in the field where the
 * index has it most often, as Lucene does it.
 */
interface ChosenTerm {
  readonly term: string;
  readonly target: TextTarget;
  readonly score: number;
}

interface LikeField {
  readonly name: string;
  readonly target: TextTarget;
}

/** Fields that are compared when none is named. */
const DEFAULT_FIELDS: NonNullable<Fields> = ['content', 'meta.title', 'meta.keywords'].map((name) => ({
  name,
  weight: 1,
}));

/** How many different words of a text are looked up in the index: those that are most frequent in it. */
const MAX_CANDIDATES = 2000;

export function compileLike(node: LikeNode, context: CompileContext): Plan {
  const fields = likeFields(node.fields ?? DEFAULT_FIELDS, context);
  const unlike = new Set(frequencies(node.unlike, fields, context).keys());
  const chosen = choose(frequencies(node.like, fields, context), unlike, fields, node.choice, context);
  if (chosen.length === 0) return NOTHING;
  const best = chosen[0]?.score ?? 1;
  const plans = chosen.map(({ term, target, score }) => {
    const found = occurrence({ tokens: [term], prefix: false }, target);
    return node.boostTerms === undefined ? found : boosted(found, (node.boostTerms * score) / best);
  });
  const like = or(plans, Math.max(1, matchesNeeded(node.minimum, plans.length)));
  const ids = node.like.documents.map(({ id }) => toStorableText(id));
  const others = node.include || ids.length === 0 ? [] : [idsPlan(ids)];
  return boosted(and({ required: [like], not: others }), node.boost);
}

function likeFields(named: NonNullable<Fields>, context: CompileContext): LikeField[] {
  return resolveFields(named, context).flatMap((field) => {
    const target = textTarget(field);
    if (target !== undefined) return [{ name: field.view.name, target }];
    if (field.byPattern) return [];
    throw unsupported(`[more_like_this] of [${field.view.name}]`, 'Use fields of words.');
  });
}

/** Each word with the number of times that the texts have it. */
function frequencies(like: LikeTexts, fields: readonly LikeField[], context: CompileContext): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of [...like.texts, ...like.documents.flatMap((each) => textsOf(each, fields, context))]) {
    for (const word of words(text)) {
      for (const token of toPhrase(word).tokens) {
        const term = foldWord(token);
        counts.set(term, (counts.get(term) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** A document that is not there has no words. */
function textsOf(
  { index, id }: LikeTexts['documents'][number],
  fields: readonly LikeField[],
  { documents }: CompileContext,
): string[] {
  if (index !== undefined && index !== documents.index) {
    throw unsupported(`documents of another index in a [more_like_this] query ([${index}])`, 'Give their texts.');
  }
  const source = documents.source(id) ?? {};
  return fields.flatMap(({ name }) => textsAt(source, name));
}

function choose(
  counts: ReadonlyMap<string, number>,
  unlike: ReadonlySet<string>,
  fields: readonly LikeField[],
  choice: TermChoice,
  { terms }: CompileContext,
): ChosenTerm[] {
  const candidates = [...counts]
    .filter(([term, count]) => count >= choice.minTermFrequency && !unlike.has(term) && isWanted(term, choice))
    .sort(([, left], [, right]) => right - left)
    .slice(0, MAX_CANDIDATES);
  const chosen = candidates.flatMap(([term, count]): ChosenTerm[] => {
    const places = fields.map(({ target }) => ({ target, documents: terms.frequency(term, target) }));
    const [most] = places.sort((left, right) => right.documents - left.documents);
    if (most === undefined || most.documents === 0) return [];
    if (most.documents < choice.minDocuments || most.documents > choice.maxDocuments) return [];
    const rarity = Math.log((terms.documents + 1) / (most.documents + 1)) + 1;
    return [{ term, target: most.target, score: count * rarity }];
  });
  return chosen.sort((left, right) => right.score - left.score).slice(0, choice.most);
}

function isWanted(term: string, { minLength, maxLength, stopWords }: TermChoice): boolean {
  const length = Array.from(term).length;
  return length >= minLength && length <= maxLength && !stopWords.has(term);
}
