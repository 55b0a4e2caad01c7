import { toStorableText } from '../../../base/sqlite.js';
import { words } from '../text/tokens.js';
import { malformed, unsupported } from '../../query/body-reader.js';
import { compileLike } from './compile-like.js';
import { compileText } from './compile-text.js';
import { equalsAny, isWithin, textTest } from './compile-values.js';
import { DEFAULT_TARGET, prefixOccurrence, textTarget, type TextTarget } from './fulltext-expression.js';
import { matchesNeeded } from '../../query/minimum-match.js';
import { and, boosted, condition, conditionOf, EVERYTHING, idsPlan, NOTHING, or, type Plan } from './plan.js';
import {
  textOf,
  type BoolNode,
  type PrefixNode,
  type QueryNode,
  type RangeNode,
  type TermsNode,
  type WildcardNode,
} from '../../query/query-tree.js';
import { checkedName, resolveField, resolveFields, type CompileContext } from './resolve-fields.js';
import { matchesWildcard, startsWith } from './text-range.js';

/** Turns a query into a plan for one index. */
export function compileQuery(node: QueryNode, context: CompileContext): Plan {
  switch (node.kind) {
    case 'all':
      return boosted(EVERYTHING, node.boost);
    case 'none':
      return NOTHING;
    case 'text':
      return compileText(node, context);
    case 'like':
      return compileLike(node, context);
    case 'bool':
      return compileBool(node, context);
    case 'constant':
      return condition(conditionOf(compileQuery(node.query, context), context.fields.tables.fts), node.boost);
    default:
      return compileTerm(node, context);
  }
}

type TermNode = Extract<QueryNode, { kind: 'terms' | 'range' | 'prefix' | 'wildcard' | 'exists' | 'ids' }>;

function compileTerm(node: TermNode, context: CompileContext): Plan {
  switch (node.kind) {
    case 'terms':
      return boosted(compileTerms(node, context), node.boost);
    case 'range':
      return boosted(compileRange(node, context), node.boost);
    case 'prefix':
      return boosted(compilePrefix(node, context), node.boost);
    case 'wildcard':
      return boosted(compileWildcard(node, context), node.boost);
    case 'exists':
      return condition(context.fields.exists(checkedName(node.field)), node.boost);
    case 'ids':
      return hasId(node.ids, node.boost);
  }
}

function hasId(ids: readonly string[], score = 1): Plan {
  return idsPlan(ids.map(toStorableText), score);
}

function compileTerms({ field, values }: TermsNode, context: CompileContext): Plan {
  if (field === '_id') return hasId(values.map(String));
  const view = resolveField(field, context);
  if (view === undefined) return NOTHING;
  const plans = [equalsAny(view, values, { lenient: false, context })];
  // The words of a text are its terms.
  for (const text of view.type === 'text' && !view.tree ? values.map(String) : []) {
    if (words(text).length === 1) plans.push(compileText(textOf([{ name: field, weight: 1 }], text), context));
  }
  return or(plans);
}

function compileRange(node: RangeNode, context: CompileContext): Plan {
  const view = resolveField(node.field, context);
  if (view === undefined) return NOTHING;
  if (node.bounds.length === 0) return condition(context.fields.exists(node.field));
  if (view.stores.length === 0 && view.text !== undefined) {
    throw unsupported(`[range] queries of the text field [${node.field}]`, 'Use a number, a date or a keyword.');
  }
  return isWithin(view, node, { lenient: node.lenient, context });
}

function compilePrefix({ fields, value }: PrefixNode, context: CompileContext): Plan {
  if (fields === undefined) return prefixOccurrence(value, [DEFAULT_TARGET]);
  return or(
    resolveFields(fields, context).map((field) => {
      const target = field.view.type === 'keyword' ? undefined : textTarget(field);
      if (target !== undefined) return prefixOccurrence(value, [target]);
      return textTest(field.view, (stored) => startsWith(stored, toStorableText(value)), context) ?? NOTHING;
    }),
  );
}

const MAX_PATTERN = 1000;

function compileWildcard({ fields, pattern }: WildcardNode, context: CompileContext): Plan {
  if (pattern.length > MAX_PATTERN) throw malformed('a wildcard', `shorter than ${MAX_PATTERN} characters`, pattern);
  if (fields === undefined) return wordsWildcard(pattern, [DEFAULT_TARGET]);
  return or(
    resolveFields(fields, context).map((field) => {
      const target = field.view.type === 'keyword' ? undefined : textTarget(field);
      if (target !== undefined) return wordsWildcard(pattern, [target]);
      return textTest(field.view, (stored) => matchesWildcard(stored, toStorableText(pattern)), context) ?? NOTHING;
    }),
  );
}

/** FTS5 finds words by their beginning only. */
function wordsWildcard(pattern: string, targets: readonly TextTarget[]): Plan {
  const beginning = /^((?:[^*?\\]|\\.)*)\*$/su.exec(pattern)?.[1];
  if (beginning !== undefined) return prefixOccurrence(beginning.replace(/\\(.)/gsu, '$1'), targets);
  throw unsupported(`the wildcard [${pattern}] in words`, 'Only a star at the end, as in repor*, works there.');
}

/**
 * Without `must` and `filter` at least one of `should` has to match; with them none has to, unless a minimum is given. Only
 * `must_not` means: everything but that.
 */
function compileBool(node: BoolNode, context: CompileContext): Plan {
  const compile = (nodes: readonly QueryNode[]): Plan[] => nodes.map((each) => compileQuery(each, context));
  const required = compile(node.must);
  const filters = compile(node.filter);
  const should = compile(node.should);
  const not = compile(node.mustNot);
  const alone = required.length + filters.length === 0;
  const needed = node.minimum === undefined ? Number(alone) : matchesNeeded(node.minimum, should.length);
  if (should.length > 0 && needed > 0) required.push(or(should, needed));
  const optional = needed > 0 ? [] : should;
  if (required.length + filters.length + optional.length + not.length === 0) return boosted(EVERYTHING, node.boost);
  return and({ required, optional, filters, not, boost: node.boost });
}
