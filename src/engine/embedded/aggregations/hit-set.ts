import type { Database } from '../../../base/sqlite.js';
import type { Statements } from '../store/statements.js';
import { raw, sql, type Sql } from '../store/sql.js';

/**
 * The documents that an aggregation counts: a temporary table of row ids, kept in memory by SQLite. A bucket with aggregations
 * of its own has its set one level deeper; a level is emptied and filled again for each bucket.
 */
export class HitSets {
  readonly #database: Database;
  readonly #statements: Statements;
  #levels = 0;

  constructor(database: Database, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** Fills the set of this level with the ids that `select` (column id) gives; answers how many there are. */
  fill(level: number, select: Sql): number {
    for (; this.#levels <= level; this.#levels += 1) {
      this.#database.exec(`CREATE TEMP TABLE ${tableOf(this.#levels)}(id INTEGER PRIMARY KEY)`);
    }
    this.#statements.run(sql`DELETE FROM ${this.table(level)}`);
    return this.#statements.run(sql`INSERT INTO ${this.table(level)} ${select}`);
  }

  /** Memory goes back when the request is done. */
  clear(): void {
    for (let level = 0; level < this.#levels; level += 1) this.#statements.run(sql`DELETE FROM ${this.table(level)}`);
  }

  table(level: number): Sql {
    return raw(tableOf(level));
  }
}

function tableOf(level: number): string {
  return `temp.hits_${level}`;
}
