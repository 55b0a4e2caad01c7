import { toPhrase, words, type Phrase } from '../text/tokens.js';
import { equalsAny } from './compile-values.js';
import { DEFAULT_TARGET, grouped, occurrence, textTarget, type TextTarget } from './fulltext-expression.js';
import { matchesNeeded } from './minimum-match.js';
import { and, boosted, or, type Plan } from './plan.js';
import type { TextNode } from './query-tree.js';
import { resolveFields, type CompileContext, type WeightedField } from './resolve-fields.js';
import { hierarchy } from './text-range.js';

/**
 * match, match_phrase, multi_match and the words of query strings. A field without words (a keyword, a number, a date) is
 * matched by the whole text, as in Elasticsearch.
 */

export function compileText(node: TextNode, context: CompileContext): Plan {
  const fields = node.fields === undefined ? [] : resolveFields(node.fields, context);
  const targets = node.fields === undefined ? [DEFAULT_TARGET] : fields.flatMap((field) => textTarget(field) ?? []);
  const plans = fields
    .filter((field) => textTarget(field) === undefined)
    .map((field) => wholeText(field, node, context));
  const phrases = phrasesOf(node);
  if (phrases.length > 0 && targets.length > 0) plans.push(textPlan(node, phrases, targets));
  return boosted(or(plans), node.boost);
}

/** Of a folder tree every level of the path is a word. */
function wholeText({ view, byPattern }: WeightedField, node: TextNode, context: CompileContext): Plan {
  if (!view.tree) return equalsAny(view, [node.text], { lenient: node.lenient || byPattern, context });
  const levels = hierarchy(node.text);
  const wanted = node.mode === 'words' && node.operator === 'or' ? levels : levels.slice(-1);
  return or(wanted.map((level) => equalsAny(view, [level], { lenient: true, context })));
}

function phrasesOf(node: TextNode): Phrase[] {
  if (node.mode === 'words') return words(node.text).map(toPhrase);
  const phrase = toPhrase(node.text);
  if (phrase.tokens.length === 0) return [];
  return [node.mode === 'phrase' ? phrase : { ...phrase, prefix: true }];
}

/**
 * One word of many, or one phrase, is a flat question over all columns at once. `and` and a minimum count the words within
 * each field, unless the words may be spread over the fields.
 */
function textPlan(node: TextNode, phrases: readonly Phrase[], targets: readonly TextTarget[]): Plan {
  const somewhere = (phrase: Phrase): Plan => {
    return or(grouped(targets).map((target) => occurrence(phrase, target, node.slop)));
  };
  const needed = wordsNeeded(node, phrases.length);
  if (needed === 1 || node.acrossFields || node.fields === undefined) return needing(needed, phrases.map(somewhere));
  return or(
    targets.map((target) =>
      needing(
        needed,
        phrases.map((phrase) => occurrence(phrase, target, node.slop)),
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
