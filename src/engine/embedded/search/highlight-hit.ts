import type { IndexFields } from '../fields/index-fields.js';
import type { Fields, QueryNode } from '../../query/query-tree.js';
import { highlight, sequenceOf, type HighlightOptions, type Sequence } from '../text/highlight.js';
import { textsAt } from '../text/texts-at.js';
import { foldWord, units, words } from '../text/tokens.js';
import { EditPattern } from '../vocabulary/edit-pattern.js';
import { editsFor, type Fuzziness } from '../../query/fuzziness.js';
import type { HighlightField, HighlightRequest } from './parse-highlight.js';

/**
 * The `highlight` of one hit, from its source. What the query looks for is collected once a search (`wantedTexts`): every text
 * with the fields it is looked for in, except below `must_not`.
 */
export interface WantedText {
  readonly fields: Fields;
  /** The value as it is, for fields without words. */
  readonly whole: string;
  /** Words and phrases, for fields with words. */
  readonly phrases: readonly string[];
  readonly prefix: boolean;
  /** Words near those of the text are found as well. */
  readonly fuzziness: Fuzziness | undefined;
}

type Source = Readonly<Record<string, unknown>>;

export function wantedTexts(node: QueryNode): WantedText[] {
  switch (node.kind) {
    case 'text': {
      const phrases = node.mode === 'words' || node.slop > 0 ? words(node.text) : [node.text];
      const prefix = node.mode === 'phrase_prefix';
      return [{ fields: node.fields, whole: node.text, phrases, prefix, fuzziness: node.fuzziness }];
    }
    case 'terms':
      return node.values.map(String).map((text) => wanted(node.field, text, false));
    case 'prefix':
      return [{ fields: node.fields, whole: node.value, phrases: [node.value], prefix: true, fuzziness: undefined }];
    case 'bool':
      return [...node.must, ...node.filter, ...node.should].flatMap(wantedTexts);
    case 'constant':
      return wantedTexts(node.query);
    default:
      return [];
  }
}

export function highlightHit(
  source: Source,
  { fields: requested }: HighlightRequest,
  texts: readonly WantedText[],
  fields: IndexFields,
): Record<string, readonly string[]> | undefined {
  const result: Record<string, readonly string[]> = {};
  for (const field of requested) {
    for (const name of field.name.includes('*') ? fields.matching(field.name) : [field.name]) {
      const fragments = highlightField(source, name, field, texts, fields);
      if (fragments.length > 0) result[name] = fragments;
    }
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function highlightField(
  source: Source,
  name: string,
  { options, fieldMatch }: HighlightField,
  texts: readonly WantedText[],
  fields: IndexFields,
): string[] {
  const view = fields.view(name);
  if (view === undefined) return [];
  const relevant = fieldMatch ? texts.filter((text) => isLookedForIn(text, name)) : texts;
  const values = textsAt(source, view.name);
  const fragments =
    view.text === undefined
      ? values.flatMap((value) => markWhole(value, relevant, options))
      : values.flatMap((value) => highlight(value, sequencesOf(relevant), options));
  return options.fragments === 0 ? fragments : fragments.slice(0, options.fragments);
}

function sequencesOf(texts: readonly WantedText[]): Sequence[] {
  return texts.flatMap(({ phrases, prefix, fuzziness }) => {
    if (fuzziness !== undefined) return phrases.flatMap((phrase) => nearWords(phrase, fuzziness));
    return phrases.flatMap((phrase) => sequenceOf(phrase, prefix) ?? []);
  });
}

/** Each word of the phrase with those near it; what was compared once is remembered. */
function nearWords(phrase: string, fuzziness: Fuzziness): Sequence[] {
  return Array.from(units(phrase), ({ folded }) => {
    const word = foldWord(folded);
    const letters = Array.from(word);
    const common = letters.slice(0, fuzziness.prefixLength).join('');
    const most = editsFor(fuzziness, letters.length);
    const pattern = new EditPattern(word.slice(common.length), most, fuzziness.transpositions);
    const compared = new Map<string, boolean>();
    const matches = (unit: string): boolean => {
      const known = compared.get(unit);
      if (known !== undefined) return known;
      const isNear = unit.startsWith(common) && pattern.edits(unit.slice(common.length)) !== undefined;
      compared.set(unit, isNear);
      return isNear;
    };
    return { units: [word], prefix: false, matches };
  });
}

function markWhole(value: string, texts: readonly WantedText[], { preTag, postTag }: HighlightOptions): string[] {
  const found = texts.some(({ whole, prefix, fuzziness }) => {
    if (fuzziness !== undefined)
      return new EditPattern(whole, editsFor(fuzziness, whole.length)).edits(value) !== undefined;
    return prefix ? value.startsWith(whole) : value === whole;
  });
  return found ? [`${preTag}${value}${postTag}`] : [];
}

/** A query without fields looks everywhere; `meta.*` looks in `meta.title`. */
function isLookedForIn({ fields }: WantedText, name: string): boolean {
  if (fields === undefined) return true;
  return fields.some((field) => {
    if (!field.name.includes('*')) return field.name === name;
    const [head = ''] = field.name.split('*');
    return name.startsWith(head);
  });
}

function wanted(field: string, text: string, prefix: boolean): WantedText {
  return { fields: [{ name: field, weight: 1 }], whole: text, phrases: [text], prefix, fuzziness: undefined };
}
