import type { Fuzziness } from './fuzziness.js';
import type { Scalar } from './body-reader.js';

/** A query as the request states it, before it is known which fields the index has. */
export type QueryNode =
  | { readonly kind: 'all'; readonly boost: number }
  | { readonly kind: 'none' }
  | TextNode
  | TermsNode
  | RangeNode
  | PrefixNode
  | WildcardNode
  | { readonly kind: 'exists'; readonly field: string; readonly boost: number }
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly boost: number }
  | BoolNode
  | LikeNode
  | { readonly kind: 'constant'; readonly query: QueryNode; readonly boost: number };

/** A field of a query; the name may hold `*`. */
export interface FieldWeight {
  readonly name: string;
  readonly weight: number;
}

/** Undefined: the fields that are searched when none is named. */
export type Fields = readonly FieldWeight[] | undefined;

/** How many of several things must match: `2`, `-1`, `75%`, `-25%`. */
export type MinimumMatch = string | number;

export interface TextNode {
  readonly kind: 'text';
  readonly fields: Fields;
  readonly text: string;
  readonly mode: 'words' | 'phrase' | 'phrase_prefix';
  readonly operator: 'or' | 'and';
  readonly minimum: MinimumMatch | undefined;
  /** Words that may stand between those of a phrase. */
  readonly slop: number;
  /** With `and`: the words may be in different fields. */
  readonly acrossFields: boolean;
  readonly boost: number;
  /** A value that does not fit a field (a word for a number) is no match instead of an error. */
  readonly lenient: boolean;
  /** Words that are near those of the text match as well. */
  readonly fuzziness: Fuzziness | undefined;
}

/** Documents that have the words which tell most about some texts or documents. */
export interface LikeNode {
  readonly kind: 'like';
  readonly fields: Fields;
  readonly like: LikeTexts;
  /** Their words are not looked for. */
  readonly unlike: LikeTexts;
  readonly choice: TermChoice;
  readonly minimum: MinimumMatch;
  /** The documents themselves are found as well. */
  readonly include: boolean;
  /** Undefined: every word counts the same. */
  readonly boostTerms: number | undefined;
  readonly boost: number;
}

export interface LikeTexts {
  readonly texts: readonly string[];
  /** Without an index: of the one that is searched. */
  readonly documents: readonly { readonly index: string | undefined; readonly id: string }[];
}

/** Which words of a text are looked for. */
export interface TermChoice {
  readonly most: number;
  readonly minTermFrequency: number;
  readonly minDocuments: number;
  readonly maxDocuments: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly stopWords: ReadonlySet<string>;
}

export interface TermsNode {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly Scalar[];
  readonly boost: number;
}

export interface RangeNode {
  readonly kind: 'range';
  readonly field: string;
  readonly bounds: readonly RangeBound[];
  readonly offsetMs: number;
  readonly boost: number;
  readonly lenient: boolean;
}

export interface RangeBound {
  readonly side: 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: string | number;
}

export interface PrefixNode {
  readonly kind: 'prefix';
  readonly fields: Fields;
  readonly value: string;
  readonly boost: number;
}

/** `*` is any run of characters, `?` one character, `\` takes the next as it is. */
export interface WildcardNode {
  readonly kind: 'wildcard';
  readonly fields: Fields;
  readonly pattern: string;
  readonly boost: number;
}

export interface BoolNode {
  readonly kind: 'bool';
  readonly must: readonly QueryNode[];
  readonly filter: readonly QueryNode[];
  readonly should: readonly QueryNode[];
  readonly mustNot: readonly QueryNode[];
  readonly minimum: MinimumMatch | undefined;
  readonly boost: number;
}

export const MATCH_ALL: QueryNode = { kind: 'all', boost: 1 };
export const MATCH_NONE: QueryNode = { kind: 'none' };

type BoolParts = Partial<Pick<BoolNode, 'must' | 'filter' | 'should' | 'mustNot' | 'minimum' | 'boost'>>;

export function boolOf(parts: BoolParts): BoolNode {
  return { kind: 'bool', must: [], filter: [], should: [], mustNot: [], minimum: undefined, boost: 1, ...parts };
}

export function textOf(fields: Fields, text: string, options: Partial<TextNode> = {}): TextNode {
  return {
    kind: 'text',
    fields,
    text,
    mode: 'words',
    operator: 'or',
    minimum: undefined,
    slop: 0,
    acrossFields: false,
    boost: 1,
    lenient: false,
    fuzziness: undefined,
    ...options,
  };
}
