import type { Database } from '../../../base/sqlite.js';
import type { Statements } from '../store/statements.js';
import { raw, sql, TRUE, type Sql } from '../store/sql.js';

/**
 * The documents that an aggregation counts: a temporary table of row ids, kept in memory by SQLite. A bucket with aggregations
 * of its own has its set one level deeper; a level is emptied and filled again for each bucket. A set of every document is not
 * written down: the outermost one may be that.
 */
export class HitSets {
  readonly #database: Database;
  readonly #statements: Statements;
  #levels = 0;
  readonly #sizes: number[] = [];
  #isOfAll = false;

  constructor(database: Database, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** The outermost set is that of every document. */
  takeAll(): void {
    this.#isOfAll = true;
  }

  /** Fills the set of this level with the ids that `select` (column id) gives; answers how many there are. */
  fill(level: number, select: Sql): number {
    if (level === 0) this.#isOfAll = false;
    for (; this.#levels <= level; this.#levels += 1) {
      this.#database.exec(`CREATE TEMP TABLE ${tableOf(this.#levels)}(id INTEGER PRIMARY KEY)`);
    }
    this.#statements.run(sql`DELETE FROM ${this.table(level)}`);
    const size = this.#statements.run(sql`INSERT INTO ${this.table(level)} ${select}`);
    this.#sizes[level] = size;
    return size;
  }

  /** Documents in the set of this level, which was filled. */
  size(level: number): number {
    return this.#sizes[level] ?? 0;
  }

  /** Memory goes back when the request is done. */
  clear(): void {
    this.#isOfAll = false;
    for (let level = 0; level < this.#levels; level += 1) this.#statements.run(sql`DELETE FROM ${this.table(level)}`);
  }

  table(level: number): Sql {
    return raw(tableOf(level));
  }

  isOfAll(level: number): boolean {
    return level === 0 && this.#isOfAll;
  }

  /** Rows `d` of the table `doc` that are in the set, each read by its id. */
  documents(level: number, doc: string): Sql {
    if (this.isOfAll(level)) return sql`${raw(doc)} d`;
    return sql`${this.table(level)} h CROSS JOIN ${raw(doc)} d ON d.id = h.id`;
  }

  /** Whether the document of this id is in the set. */
  has(level: number, id: Sql): Sql {
    return this.isOfAll(level) ? TRUE : sql`${id} IN (SELECT id FROM ${this.table(level)})`;
  }
}

function tableOf(level: number): string {
  return `temp.hits_${level}`;
}
