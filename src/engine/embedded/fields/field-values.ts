import { toStorableText, type SqlValue } from '../../../base/sqlite.js';
import { DOC_COLUMNS, FTS_COLUMNS, type DocColumn, type FtsColumn } from '../store/schema.js';
import { parseDate } from './dates.js';
import type { FieldKind } from './field-registry.js';
import {
  EXACT_TEXT_LIMIT,
  KEYWORD_LIMIT,
  KNOWN_OBJECTS,
  knownField,
  type FieldType,
  type KnownField,
} from './known-fields.js';

/**
 * A document taken apart into what the index keeps of it: cells of doc_N, rows of kv_N, text for fts_N.
 *
 * Names are dotted paths (`external.customer.name`), lists are several values of one name, null is no value. A known field
 * takes only values of its type (a text for a number is read as a number, as Elasticsearch does); a dynamic one takes any,
 * each kept under its own kind. What cannot be taken throws `UnfitDocument` with a sentence for the person who sent it.
 */
export interface FieldValues {
  readonly cells: Readonly<Partial<Record<DocColumn, SqlValue>>>;
  readonly exact: readonly ExactValue[];
  readonly texts: Readonly<Partial<Record<FtsColumn, string>>>;
  /** Texts that go into `extra` and `scoped`, by field. */
  readonly scoped: ReadonlyMap<string, string>;
}

export interface ExactValue {
  readonly name: string;
  readonly kind: FieldKind;
  readonly type: FieldType;
  readonly value: SqlValue;
}

export class UnfitDocument extends Error {}

/** Objects within objects; Elasticsearch stops at 20, and a thousand would overflow the stack. */
const MAX_DEPTH = 100;

const WHOLE_NUMBER_TYPES: ReadonlySet<FieldType> = new Set<FieldType>(['long', 'byte']);

/** A text that Elasticsearch's date detection would take for a date: at least year, month and day. */
const LOOKS_LIKE_DATE = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

export function fieldValues(source: Readonly<Record<string, unknown>>): FieldValues {
  const collector = new Collector();
  for (const [name, value] of Object.entries(source)) collector.take(name, value, 1);
  return collector;
}

class Collector implements FieldValues {
  readonly cells: Partial<Record<DocColumn, SqlValue>> = {};
  readonly exact: ExactValue[] = [];
  readonly texts: Partial<Record<FtsColumn, string>> = {};
  readonly scoped = new Map<string, string>();

  take(name: string, value: unknown, depth: number): void {
    if (value === null || value === undefined) return;
    if (depth > MAX_DEPTH) throw new UnfitDocument(`[${shortened(name)}] lies deeper than ${MAX_DEPTH} levels.`);
    if (Array.isArray(value)) {
      for (const item of value) this.take(name, item, depth + 1);
    } else if (typeof value === 'object') {
      this.#object(name, value, depth);
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      this.#scalar(name, value);
    }
  }

  #object(name: string, value: object, depth: number): void {
    const known = knownField(name);
    if (known !== undefined) throw new UnfitDocument(`[${name}] must be a ${known.type}, but it is an object.`);
    for (const [key, member] of Object.entries(value)) this.take(`${name}.${key}`, member, depth + 1);
  }

  #scalar(name: string, value: string | number | boolean): void {
    if (KNOWN_OBJECTS.has(name))
      throw new UnfitDocument(`[${name}] must be an object, but it is ${shown(String(value))}.`);
    const known = knownField(name);
    if (known === undefined) this.#dynamic(name, value);
    else this.#known(name, known, value);
  }

  #known(name: string, known: KnownField, value: string | number | boolean): void {
    const { type, column } = known;
    if (known.unsearchable) {
      this.#present(name, type);
    } else if (type === 'text') {
      this.#text(name, known, String(value));
    } else {
      const exact = toExact(name, type, value);
      if (column !== undefined && this.cells[column] === undefined) this.cells[column] = exact;
      else this.exact.push({ name, kind: kindOf(type), type, value: exact });
      if (known.fullText !== undefined) this.#addText(known.fullText, String(value));
    }
  }

  /** Words go to the full text; a short one can be compared, sorted and counted as a whole too. */
  #text(name: string, { fullText, type }: KnownField, text: string): void {
    if (fullText === 'content') {
      this.#addText('content', text);
      this.cells.content_chars = Number(this.cells.content_chars ?? 0) + text.length;
      return;
    }
    if (fullText === undefined) this.#addScoped(name, text);
    else this.#addText(fullText, text);
    this.#exactText(name, type, text);
  }

  #dynamic(name: string, value: string | number | boolean): void {
    this.#addScoped(name, String(value));
    if (typeof value === 'boolean') {
      this.exact.push({ name, kind: 'boolean', type: 'boolean', value: Number(value) });
    } else if (typeof value === 'number') {
      this.exact.push({ name, kind: 'number', type: Number.isInteger(value) ? 'long' : 'float', value });
    } else {
      const date = LOOKS_LIKE_DATE.test(value) ? parseDate(value) : undefined;
      if (date !== undefined) this.exact.push({ name, kind: 'date', type: 'date', value: date });
      this.#exactText(name, date === undefined ? 'text' : 'date', value);
    }
  }

  #exactText(name: string, type: FieldType, text: string): void {
    if (text.length > EXACT_TEXT_LIMIT) this.#present(name, type);
    else this.exact.push({ name, kind: 'keyword', type, value: toStorableText(text) });
  }

  /** A value that only `exists` can see. */
  #present(name: string, type: FieldType): void {
    this.exact.push({ name, kind: 'text', type, value: 1 });
  }

  #addText(column: FtsColumn, text: string): void {
    const before = this.texts[column];
    this.texts[column] = before === undefined ? text : `${before}\n${text}`;
  }

  #addScoped(name: string, text: string): void {
    const before = this.scoped.get(name);
    this.scoped.set(name, before === undefined ? text : `${before}\n${text}`);
  }
}

/** The cells of doc_N in the order of its columns. */
export function cellsInOrder(cells: FieldValues['cells']): (SqlValue | undefined)[] {
  return DOC_COLUMNS.map((column) => cells[column]);
}

/** The texts of fts_N in the order of its columns. */
export function textsInOrder(texts: FieldValues['texts']): (string | undefined)[] {
  return FTS_COLUMNS.map((column) => texts[column]);
}

export function kindOf(type: FieldType): FieldKind {
  switch (type) {
    case 'long':
    case 'byte':
    case 'float':
      return 'number';
    case 'date':
    case 'boolean':
    case 'keyword':
      return type;
    default:
      return 'text';
  }
}

function toExact(name: string, type: FieldType, value: string | number | boolean): SqlValue {
  if (type === 'keyword') return toKeyword(name, String(value));
  if (type === 'date') {
    const date = typeof value === 'string' ? parseDate(value) : undefined;
    if (date === undefined) {
      throw new UnfitDocument(
        `[${name}] must be a date such as 2024-05-31T10:30:00Z, but it is ${shown(String(value))}.`,
      );
    }
    return date;
  }
  const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
  const exact = WHOLE_NUMBER_TYPES.has(type) ? Math.trunc(number) : number;
  if (!Number.isFinite(exact) || (WHOLE_NUMBER_TYPES.has(type) && !Number.isSafeInteger(exact))) {
    throw new UnfitDocument(`[${name}] must be a ${type} number, but it is ${shown(String(value))}.`);
  }
  return exact;
}

function toKeyword(name: string, text: string): string {
  if (text.length > KEYWORD_LIMIT) {
    throw new UnfitDocument(
      `[${name}] is longer than ${KEYWORD_LIMIT} characters, too long for a field of exact values.`,
    );
  }
  return toStorableText(text);
}

function shown(value: string): string {
  return `"${shortened(value)}"`;
}

/** Enough of a text to recognise it. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
