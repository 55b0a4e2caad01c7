import { Database, type SqlValue, type Statement } from '../../base/sqlite.js';

/** The file of the catalog as the roles share it: statements by their text, and transactions that may be nested. */
export class CatalogDatabase {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();
  #inBatch = false;

  constructor(path: string, options: { readonly readOnly?: boolean }) {
    this.database = new Database(path, { ...options, cacheKib: 4096 });
  }

  /** Each text is compiled once. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** The column `n` of the one row of a query. */
  number(sql: string, ...parameters: SqlValue[]): number {
    return (this.sql(sql).get(...parameters)?.['n'] ?? 0) as number;
  }

  batch(work: () => void): void {
    if (this.#inBatch) return work();
    this.#inBatch = true;
    try {
      this.database.transaction(work);
    } finally {
      this.#inBatch = false;
    }
  }
}
