import type { IndexFields } from '../fields/index-fields.js';
import { isObject } from '../query/body-reader.js';
import type { Fields, QueryNode } from '../query/query-tree.js';
import { highlight, sequenceOf, type HighlightOptions } from '../text/highlight.js';
import { words } from '../text/tokens.js';
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
}

type Source = Readonly<Record<string, unknown>>;

export function wantedTexts(node: QueryNode): WantedText[] {
  switch (node.kind) {
    case 'text': {
      const phrases = node.mode === 'words' || node.slop > 0 ? words(node.text) : [node.text];
      return [{ fields: node.fields, whole: node.text, phrases, prefix: node.mode === 'phrase_prefix' }];
    }
    case 'terms':
      return node.values.map(String).map((text) => wanted(node.field, text, false));
    case 'prefix':
      return [{ fields: node.fields, whole: node.value, phrases: [node.value], prefix: true }];
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

function sequencesOf(texts: readonly WantedText[]): NonNullable<ReturnType<typeof sequenceOf>>[] {
  return texts.flatMap(({ phrases, prefix }) => phrases.flatMap((phrase) => sequenceOf(phrase, prefix) ?? []));
}

function markWhole(value: string, texts: readonly WantedText[], { preTag, postTag }: HighlightOptions): string[] {
  const found = texts.some(({ whole, prefix }) => (prefix ? value.startsWith(whole) : value === whole));
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
  return { fields: [{ name: field, weight: 1 }], whole: text, phrases: [text], prefix };
}

/** The texts of a dotted name, through lists and keys that hold dots themselves. */
function textsAt(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => textsAt(item, path));
  if (path === '') return isText(value) ? [String(value)] : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (path === key) return textsAt(member, '');
    return path.startsWith(`${key}.`) ? textsAt(member, path.slice(key.length + 1)) : [];
  });
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
