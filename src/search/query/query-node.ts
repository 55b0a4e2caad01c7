/** What a person has typed, as a tree. `at` is the place in the text, counted from 0, for messages. */
export type QueryNode =
  | { readonly kind: 'everything' }
  /** A word, phrase, beginning of a word or word with a tilde, in the syntax of `simple_query_string`. */
  | { readonly kind: 'words'; readonly text: string }
  /** A word with `*` before its end. */
  | { readonly kind: 'pattern'; readonly text: string }
  | FieldNode
  | { readonly kind: 'not'; readonly node: QueryNode }
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly QueryNode[] };

export interface FieldNode {
  readonly kind: 'field';
  /** As it was typed. */
  readonly name: string;
  readonly value: FieldValue;
  readonly at: number;
}

export type FieldValue =
  | { readonly kind: 'word' | 'phrase'; readonly text: string; readonly source: string }
  /** `[2024 TO 2025]`, `>=10`: only fields of exact values take it. */
  | { readonly kind: 'range'; readonly source: string };

/** Words of a query that are looked for in the text of documents, without those that must not occur. */
export function wordsOf(node: QueryNode): readonly string[] {
  switch (node.kind) {
    case 'words':
    case 'pattern':
      return [node.text];
    case 'and':
    case 'or':
      return node.nodes.flatMap(wordsOf);
    default:
      return [];
  }
}

export function fieldsOf(node: QueryNode): readonly FieldNode[] {
  switch (node.kind) {
    case 'field':
      return [node];
    case 'not':
      return fieldsOf(node.node);
    case 'and':
    case 'or':
      return node.nodes.flatMap(fieldsOf);
    default:
      return [];
  }
}
