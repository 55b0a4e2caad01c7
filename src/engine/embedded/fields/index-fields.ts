import { setNewest } from '../../../base/set-newest.js';
import { wildcard } from '../../../base/wildcard.js';
import type { DocColumn, FtsColumn, IndexTables } from '../store/schema.js';
import { allOf, anyOf, raw, sql, type Sql } from '../store/sql.js';
import { whileWanted } from '../store/work-limit.js';
import type { FieldKind, RegisteredField } from './field-registry.js';
import { kindOf } from './field-values.js';
import { KNOWN_FIELDS, knownField, type FieldType, type KnownField } from './known-fields.js';

/**
 * The fields of one index from the reader's side: where the values of a name are kept, and how a condition on them is said in
 * SQL. Conditions speak of the row `d` of doc_N.
 *
 * A name may be a view of a field: `.tree` and `.fulltext` of a path, `.keyword` (the whole value) of a text.
 */
export interface FieldView {
  readonly name: string;
  readonly type: FieldType;
  readonly stores: readonly ValueStore[];
  /** Where its words are, when it has any. */
  readonly text: TextColumn | undefined;
  /** Values are folders: a value matches itself and everything above it. */
  readonly tree: boolean;
  readonly unsearchable: boolean;
}

export type ExactKind = Exclude<FieldKind, 'text'>;

export interface ValueStore {
  readonly kind: ExactKind;
  readonly place: { readonly column: DocColumn } | { readonly field: number };
}

export interface TextColumn {
  readonly column: FtsColumn;
  /** Number that marks the field's tokens in `scoped`. */
  readonly scope: number | undefined;
}

/** Patterns of fields. */
const REMEMBERED = 16;

const VIEW = /^(.+)\.(tree|fulltext|keyword)$/;

export class IndexFields {
  readonly tables: IndexTables;
  readonly #registered = new Map<string, RegisteredField[]>();
  readonly #matching = new Map<string, readonly string[]>();

  constructor(tables: IndexTables, registered: readonly RegisteredField[]) {
    this.tables = tables;
    for (const field of registered) {
      const same = this.#registered.get(field.name);
      if (same === undefined) this.#registered.set(field.name, [field]);
      else same.push(field);
    }
  }

  /** Undefined for a name that no document has and no rule knows. */
  view(name: string): FieldView | undefined {
    return this.#field(name) ?? this.#viewOf(name);
  }

  /** Names that fit a pattern with `*`. The latest patterns are remembered: one query asks for them once a word. */
  matching(pattern: string): readonly string[] {
    const known = this.#matching.get(pattern);
    if (known !== undefined) return known;
    const names = this.names().filter(wildcard(pattern));
    setNewest(this.#matching, pattern, names, REMEMBERED);
    return names;
  }

  names(): string[] {
    return [...new Set([...KNOWN_FIELDS.keys(), ...this.#registered.keys()])];
  }

  /** Type of a dynamic field: the one of the value that was seen first. */
  dynamicTypes(): Map<string, string> {
    const types = new Map<string, string>();
    for (const [name, [first]] of this.#registered) {
      if (!KNOWN_FIELDS.has(name) && first !== undefined) types.set(name, first.type);
    }
    return types;
  }

  /** Some value of the field, or of a field below the name, satisfies `test`. */
  some(stores: readonly ValueStore[], test: (value: Sql) => Sql): Sql {
    return anyOf(stores.map((store) => this.#condition(store, test)));
  }

  exists(name: string): Sql {
    const below = this.names().filter((each) => each === name || each.startsWith(`${name}.`));
    const view = this.view(name);
    const names = below.length > 0 || view === undefined ? below : [view.name];
    const columns = names.flatMap((each) => columnsOf(each)).map((column) => sql`${columnName(column)} IS NOT NULL`);
    const fields = JSON.stringify(names.flatMap((each) => this.#registered.get(each) ?? []).map(({ id }) => id));
    const within = sql`field IN (SELECT value FROM json_each(${fields})) AND ${whileWanted(raw('id'))}`;
    const rows = sql`SELECT id FROM ${raw(this.tables.kv)} WHERE ${within}`;
    return anyOf([...columns, sql`d.id IN (${rows})`]);
  }

  #field(name: string): FieldView | undefined {
    const known = knownField(name);
    const registered = this.#registered.get(name) ?? [];
    if (known === undefined && registered.length === 0) return undefined;
    return {
      name,
      type: known?.type ?? (registered[0]?.type as FieldType),
      stores: [...columnStores(known), ...registered.flatMap(storeOf)],
      text: textColumn(known, registered),
      tree: false,
      unsearchable: known?.unsearchable ?? false,
    };
  }

  #viewOf(name: string): FieldView | undefined {
    const [, base = '', suffix] = VIEW.exec(name) ?? [];
    const field = this.#field(base);
    if (field === undefined) return undefined;
    const known = knownField(base);
    if (suffix === 'keyword') {
      if (known !== undefined && known.type !== 'text') return undefined;
      const stores = field.stores.filter(({ kind }) => kind === 'keyword');
      return { ...field, type: 'keyword', stores, text: undefined };
    }
    if (known?.path === undefined || known.fullText === undefined) return undefined;
    if (suffix === 'tree') return { ...field, type: 'text', tree: true };
    return { ...field, type: 'text', text: { column: known.fullText, scope: undefined } };
  }

  #condition({ place }: ValueStore, test: (value: Sql) => Sql): Sql {
    if ('column' in place) return test(columnName(place.column));
    const matching = allOf([sql`field = ${place.field}`, test(raw('val')), whileWanted(raw('id'))]);
    return sql`d.id IN (SELECT id FROM ${raw(this.tables.kv)} WHERE ${matching})`;
  }
}

export function columnName(column: DocColumn): Sql {
  return raw(`d.${column}`);
}

function columnsOf(name: string): DocColumn[] {
  if (name === 'content') return ['content_chars'];
  const column = KNOWN_FIELDS.get(name)?.column;
  return column === undefined ? [] : [column];
}

function columnStores(known: KnownField | undefined): ValueStore[] {
  return known?.column === undefined ? [] : [{ kind: exactKind(known.type), place: { column: known.column } }];
}

/** The words of a path belong to its `.fulltext` view only. */
function textColumn(known: KnownField | undefined, registered: readonly RegisteredField[]): TextColumn | undefined {
  if (known?.path) return undefined;
  if (known?.fullText !== undefined) return { column: known.fullText, scope: undefined };
  const scope = registered.find(({ kind }) => kind === 'text')?.id;
  return scope === undefined || known?.unsearchable ? undefined : { column: 'scoped', scope };
}

function storeOf({ id, kind }: RegisteredField): ValueStore[] {
  return kind === 'text' ? [] : [{ kind, place: { field: id } }];
}

function exactKind(type: FieldType): ExactKind {
  const kind = kindOf(type);
  return kind === 'text' ? 'keyword' : kind;
}
