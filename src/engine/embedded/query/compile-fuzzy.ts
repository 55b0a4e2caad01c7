import { CrawlerError } from '../../../base/errors.js';
import type { FieldView } from '../fields/index-fields.js';
import type { Fuzziness } from '../../query/fuzziness.js';
import { equalsAny } from './compile-values.js';
import { occurrence, type TextTarget } from './fulltext-expression.js';
import { boosted, type Plan } from './plan.js';
import type { CompileContext } from './resolve-fields.js';

/** Words and values of the index that are near those of the query. */
interface NearWord {
  /** Undefined: the word itself only. */
  readonly fuzziness: Fuzziness | undefined;
  /** Words of the query. */
  readonly words: number;
  readonly context: CompileContext;
}

/** What a word counts with no, one and two edits. */
const WEIGHTS = [1, 0.8, 0.6];

/** Each weight is an expression of its own, and SQLite joins few of them. */
const WEIGHTED_TERMS = 45;

const NONE: Fuzziness = { edits: 0, prefixLength: 0, maxExpansions: 1, transpositions: true };

/**
 * The word and those near it. A misspelling is rare, so by itself it would count more than the word itself: each counts as if
 * it were as frequent as the most frequent of them. Where there are too many to be weighted, each counts as it is.
 */
export function similarWord(word: string, target: TextTarget, { fuzziness = NONE, words, context }: NearWord): Plan[] {
  const maxExpansions = Math.min(fuzziness.maxExpansions, context.expansions);
  const similar = context.terms.similar(word, target, { ...fuzziness, maxExpansions });
  const isWeighted = similar.length * words <= WEIGHTED_TERMS;
  const rarities = similar.map(({ documents }) => rarity(documents, context.terms.documents));
  const common = Math.min(...rarities);
  return similar.map(({ term, edits }, at) => {
    const found = occurrence({ tokens: [term], prefix: false }, target);
    const weight = (WEIGHTS[edits] ?? 1) * (common / (rarities[at] ?? common));
    return isWeighted ? boosted(found, weight) : found;
  });
}

/** What FTS5's bm25() multiplies a word with. */
function rarity(documents: number, all: number): number {
  return Math.max(1e-6, Math.log((all - documents + 0.5) / (documents + 0.5)));
}

/** A field without words: its values as a whole. */
export function similarValue(view: FieldView, value: string, fuzziness: Fuzziness, context: CompileContext): Plan {
  const maxExpansions = Math.min(fuzziness.maxExpansions, context.expansions);
  const similar = context.terms.similarValues(value, view.stores, { ...fuzziness, maxExpansions });
  return equalsAny(
    view,
    similar.map(({ term }) => term),
    { lenient: true, context },
  );
}

/** Numbers and dates have none. */
export function hasNearTerms({ name, type, tree }: FieldView, lenient: boolean): boolean {
  if ((type === 'text' || type === 'keyword') && !tree) return true;
  if (lenient) return false;
  const kind = tree ? 'tree' : type;
  throw new CrawlerError('corrupt', `[fuzziness] is for fields of words and keywords; [${name}] is a ${kind} field.`);
}
