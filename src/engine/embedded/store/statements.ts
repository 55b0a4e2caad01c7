import { setNewest } from '../../../base/set-newest.js';
import type { Database, SqlRow, Statement } from '../../../base/sqlite.js';
import type { Sql } from './sql.js';

/**
 * Prepared statements by their text, the ones used last. Searches of one shape differ only in their parameters, and the binding
 * frees a statement no sooner than the garbage collector finds it.
 */
const CAPACITY = 64;

export class Statements {
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  all<Row = SqlRow>({ text, values }: Sql): Row[] {
    return this.#statement(text).all(...values) as Row[];
  }

  get<Row = SqlRow>({ text, values }: Sql): ReturnType<Statement<Row>['get']> {
    return this.#statement(text).get(...values) as ReturnType<Statement<Row>['get']>;
  }

  /** Row by row; the statement must be used up before it is used again. */
  iterate<Row = SqlRow>({ text, values }: Sql): IterableIterator<Row> {
    return this.#statement(text).iterate(...values) as IterableIterator<Row>;
  }

  run({ text, values }: Sql): number {
    return this.#statement(text).run(...values).changes;
  }

  #statement(text: string): Statement {
    const statement = this.#prepared.get(text) ?? this.#database.prepare(text);
    setNewest(this.#prepared, text, statement, CAPACITY);
    return statement;
  }
}
