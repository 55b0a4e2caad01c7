import type { FieldView } from '../fields/index-fields.js';
import { DEFAULT_COLUMNS, type FtsColumn } from '../store/schema.js';
import { toPhrase, type Phrase } from '../text/tokens.js';
import { NOTHING, or, type FullTextPlan, type Plan, type Weights } from './plan.js';

/**
 * Words in FTS5's query language. User text never reaches it: it is cut into tokens (letters, digits and marks only), and
 * each token stands in quotation marks.
 */

/** Where words are looked for: some columns at once, or one field's tokens in `scoped`. */
export interface TextTarget {
  readonly weights: Weights;
  readonly scope: number | undefined;
}

/** What is searched when no field is named, with the weights of BM25. */
export const DEFAULT_TARGET: TextTarget = { weights: DEFAULT_COLUMNS, scope: undefined };

/** Undefined for a field without words. */
export function textTarget({ view, weight }: { view: FieldView; weight: number }): TextTarget | undefined {
  if (view.text === undefined || view.tree) return undefined;
  return { weights: new Map([[view.text.column, weight]]), scope: view.text.scope };
}

/** Columns can be asked together, unless one would get two weights. */
export function grouped(targets: readonly TextTarget[]): TextTarget[] {
  const groups: { weights: Map<FtsColumn, number>; scope: number | undefined }[] = [];
  for (const { weights, scope } of targets) {
    const group = groups.find((each) => scope === undefined && each.scope === undefined && fits(each.weights, weights));
    if (group === undefined) groups.push({ weights: new Map(weights), scope });
    else for (const [column, weight] of weights) group.weights.set(column, weight);
  }
  return groups;
}

export function occurrence({ tokens, prefix }: Phrase, { weights, scope }: TextTarget, slop = 0): FullTextPlan {
  const marked = scope === undefined ? tokens : tokens.map((token) => `${scope}q${token}`);
  const star = prefix ? '*' : '';
  const phrase = slop === 0 || tokens.length === 1 ? `"${marked.join(' ')}"${star}` : near(marked, slop);
  return { kind: 'fts', expression: `{${[...weights.keys()].join(' ')}} : ${phrase}`, weights, boost: 1 };
}

/** Words that begin with a text. */
export function prefixOccurrence(value: string, targets: readonly TextTarget[]): Plan {
  const { tokens } = toPhrase(value);
  if (tokens.length === 0) return NOTHING;
  return or(grouped(targets).map((target) => occurrence({ tokens, prefix: true }, target)));
}

/** FTS5 counts the tokens between the first and the last of the group. */
function near(tokens: readonly string[], slop: number): string {
  return `NEAR(${tokens.map((token) => `"${token}"`).join(' ')}, ${slop + tokens.length - 2})`;
}

function fits(into: Weights, weights: Weights): boolean {
  return [...weights].every(([column, weight]) => (into.get(column) ?? weight) === weight);
}
