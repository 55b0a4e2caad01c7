import type { Database, Statement } from '../../../base/sqlite.js';

/**
 * Numbers for the fields that live in kv_N and in the scoped tokens of fts_N. A name has one number a kind, because a dynamic
 * field may hold "12", 12 and "2024-05-01" in different documents, and each is found by its own kind of query:
 *
 *   text     marks the scoped tokens; in kv_N it marks that a value exists which is too long to be an exact one
 *   keyword  text as it is          number   number
 *   date     milliseconds           boolean  0 or 1
 *
 * `type` is the mapping type of the value that was seen first. Numbers are never taken back, so what was read once stays true
 * in every thread and process.
 */
export type FieldKind = 'text' | 'keyword' | 'number' | 'date' | 'boolean';

export interface RegisteredField {
  readonly id: number;
  readonly name: string;
  readonly kind: FieldKind;
  readonly type: string;
}

/**
 * Elasticsearch stops at 2,000 names by default; raw metadata of a large tree needs more. Most names need two numbers. Beyond
 * the limit keys are data, not names.
 */
const MAX_NUMBERS = 20_000;

export class TooManyFields extends Error {}

/** The writer's side: finds or gives numbers, inside the transaction that needs them. */
export class FieldRegistry {
  readonly #known = new Map<string, number>();
  readonly #index: number;
  readonly #find: Statement<{ id: number }>;
  readonly #add: Statement;
  readonly #count: Statement<{ fields: number }>;
  /** How many numbers the index has; undefined until it matters. */
  #numbers: number | undefined;

  constructor(database: Database, index: number) {
    this.#index = index;
    this.#find = database.prepare('SELECT id FROM field WHERE idx = ? AND name = ? AND kind = ?');
    this.#add = database.prepare('INSERT INTO field(idx, name, kind, type) VALUES(?, ?, ?, ?)');
    this.#count = database.prepare('SELECT count(*) AS fields FROM field WHERE idx = ?');
  }

  numberOf(name: string, kind: FieldKind, type: string): number {
    const key = `${kind} ${name}`;
    let id = this.#known.get(key);
    if (id === undefined) {
      id = this.#find.get(this.#index, name, kind)?.id ?? this.#register(name, kind, type);
      this.#known.set(key, id);
    }
    return id;
  }

  /** After a rollback, numbers given in that transaction are void. */
  forget(): void {
    this.#known.clear();
    this.#numbers = undefined;
  }

  #register(name: string, kind: FieldKind, type: string): number {
    const numbers = this.#numbers ?? this.#count.get(this.#index)?.fields ?? 0;
    if (numbers >= MAX_NUMBERS) {
      const advice = 'Use fixed names, and put what varies into values.';
      throw new TooManyFields(`The index has too many different field names to add [${name}]. ${advice}`);
    }
    this.#numbers = numbers + 1;
    return this.#add.run(this.#index, name, kind, type).lastInsertRowid;
  }
}
