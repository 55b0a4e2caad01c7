import { isSpaceless, toPhrase, words, type Phrase } from '../text/tokens.js';
import { equalsAny } from './compile-values.js';
import { hasNearTerms, similarValue, similarWord } from './compile-fuzzy.js';
import { DEFAULT_TARGET, grouped, occurrence, textTarget, type TextTarget } from './fulltext-expression.js';
import { matchesNeeded } from '../../query/minimum-match.js';
import { and, boosted, or, type Plan } from './plan.js';
import type { TextNode } from '../../query/query-tree.js';
import { resolveFields, type CompileContext, type WeightedField } from './resolve-fields.js';
import { hierarchy } from './text-range.js';

/**
 * match, match_phrase, multi_match and the words of query strings. A field without words (a keyword, a number, a date) is
 * matched by the whole text, as in Elasticsearch.
 */

export function compileText(node: TextNode, context: CompileContext): Plan {
  const resolved = node.fields === undefined ? [] : resolveFields(node.fields, context);
  const fields = resolved.filter(({ view, byPattern }) => {
    return node.fuzziness === undefined || hasNearTerms(view, node.lenient || byPattern);
  });
  const targets = node.fields === undefined ? [DEFAULT_TARGET] : fields.flatMap((field) => textTarget(field) ?? []);
  const plans = fields
    .filter((field) => textTarget(field) === undefined)
    .map((field) => wholeText(field, node, context));
  const terms = termsOf(node);
  if (terms.length > 0 && targets.length > 0) plans.push(textPlan(node, terms, targets, context));
  return boosted(or(plans), node.boost);
}

/** Of a folder tree every level of the path is a word. */
function wholeText({ view, byPattern }: WeightedField, node: TextNode, context: CompileContext): Plan {
  const lenient = node.lenient || byPattern;
  if (node.fuzziness !== undefined) return similarValue(view, node.text, node.fuzziness, context);
  if (!view.tree) return equalsAny(view, [node.text], { lenient, context });
  const levels = hierarchy(node.text);
  const wanted = node.mode === 'words' && node.operator === 'or' ? levels : levels.slice(-1);
  return or(wanted.map((level) => equalsAny(view, [level], { lenient: true, context })));
}

/** What is looked for in a field: some tokens in their order, or a word and those near it. */
type Term = Phrase | { readonly near: string };

function termsOf(node: TextNode): Term[] {
  if (node.fuzziness !== undefined) return words(node.text).map(toPhrase).flatMap(nearWords);
  if (node.mode === 'words') return words(node.text).map(toPhrase);
  const phrase = toPhrase(node.text);
  if (phrase.tokens.length === 0) return [];
  return [node.mode === 'phrase' ? phrase : { ...phrase, prefix: true }];
}

/** Of a word such as `report.pdf` each part has words near it. Pairs of characters have none. */
function nearWords(phrase: Phrase): Term[] {
  if (phrase.prefix || phrase.tokens.some(isSpaceless)) return [phrase];
  return phrase.tokens.map((near) => ({ near }));
}

/**
 * One word of many, or one phrase, is a flat question over all columns at once. `and` and a minimum count the words within
 * each field, unless the words may be spread over the fields.
 */
function textPlan(
  node: TextNode,
  terms: readonly Term[],
  targets: readonly TextTarget[],
  context: CompileContext,
): Plan {
  const alternatives = (term: Term, target: TextTarget): readonly Plan[] => {
    if (!('near' in term)) return [occurrence(term, target, node.slop)];
    return similarWord(term.near, target, { fuzziness: node.fuzziness, words: terms.length, context });
  };
  const somewhere = (term: Term): readonly Plan[] => grouped(targets).flatMap((target) => alternatives(term, target));
  const needed = wordsNeeded(node, terms.length);
  // Flat, so that what has the same weight becomes one expression.
  if (needed === 1) return or(terms.flatMap(somewhere));
  if (node.acrossFields || node.fields === undefined)
    return needing(
      needed,
      terms.map((term) => or(somewhere(term))),
    );
  return or(
    targets.map((target) =>
      needing(
        needed,
        terms.map((term) => or(alternatives(term, target))),
      ),
    ),
  );
}

function wordsNeeded({ mode, operator, minimum }: TextNode, count: number): number {
  if (mode !== 'words') return 1;
  if (operator === 'and') return count;
  return minimum === undefined ? 1 : Math.max(1, matchesNeeded(minimum, count));
}

function needing(needed: number, plans: readonly Plan[]): Plan {
  return needed === plans.length ? and({ required: plans }) : or(plans, needed);
}
