import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

/**
 * The SQLite binding behind a few methods, so that it can be replaced by `node:sqlite` once Node 20 is left behind.
 *
 * Facts about the binding (1.2.1) that callers rely on: text is cut at a NUL character, so text is cleaned before it is
 * bound (`toStorableText`); `undefined` parameters throw, so they become NULL here; integers beyond 2^53 throw when read,
 * so nothing that large is stored; rows have a null prototype.
 */
export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement<Row = SqlRow> {
  run(...parameters: readonly (SqlValue | undefined)[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...parameters: readonly (SqlValue | undefined)[]): Row | undefined;
  all(...parameters: readonly (SqlValue | undefined)[]): Row[];
  iterate(...parameters: readonly (SqlValue | undefined)[]): IterableIterator<Row>;
}

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** Page cache in KiB. */
  readonly cacheKib?: number;
  /** FULL survives a power cut, NORMAL survives a kill; both keep the file consistent. */
  readonly synchronous?: 'NORMAL' | 'FULL';
  /** Only used when the file is created. */
  readonly pageSize?: number;
  /** WAL (readers never block the writer) unless the file is only a lock. */
  readonly journal?: 'WAL' | 'DELETE';
  /** How long a statement waits for another connection's lock. Default 5 s. */
  readonly busyTimeoutMs?: number;
}

export class Database {
  readonly path: string;
  readonly #database: DatabaseSyncInstance;
  readonly #checkpointsOnClose: boolean;

  constructor(path: string, options: OpenOptions = {}) {
    this.path = path;
    this.#checkpointsOnClose = options.readOnly !== true && options.journal !== 'DELETE';
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
    try {
      this.#configure(options);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * The values of the one column of a query, read without a prepared statement. The binding cannot finalise a statement (that
   * is left to the garbage collector), and while one lives, `close` does not release the file. For looks at a file that
   * must be let go of at once.
   */
  values(sql: string): SqlValue[] {
    const found: SqlValue[] = [];
    this.define('collect', (value) => {
      found.push(value);
      return null;
    });
    this.exec(`WITH query(value) AS MATERIALIZED (${sql}) SELECT collect(value) FROM query`);
    return found;
  }

  /** A function for statements on this connection. What it throws ends the statement. */
  define(name: string, work: (...values: SqlValue[]) => SqlValue): void {
    this.#database.function(name, work);
  }

  prepare<Row = SqlRow>(sql: string): Statement<Row> {
    return new PreparedStatement<Row>(this.#database.prepare(sql));
  }

  /** Runs `work` in one IMMEDIATE transaction; rolls back and rethrows when it throws. Not re-entrant. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.exec('ROLLBACK');
      } catch {
        // SQLite has already rolled back (disk full, I/O error): the first error is the one to report.
      }
      throw error;
    }
  }

  #configure(options: OpenOptions): void {
    this.exec(`PRAGMA busy_timeout=${options.busyTimeoutMs ?? 5000}`);
    if (options.readOnly !== true) {
      if (options.pageSize !== undefined) this.exec(`PRAGMA page_size=${options.pageSize}`);
      this.exec(`PRAGMA journal_mode=${options.journal ?? 'WAL'}`);
      this.exec(`PRAGMA synchronous=${options.synchronous ?? 'NORMAL'}`);
      this.exec('PRAGMA journal_size_limit=67108864');
    }
    this.exec(`PRAGMA temp_store=MEMORY; PRAGMA cache_size=-${options.cacheKib ?? 16_384}`);
  }

  /** Statements that are not collected yet keep the log file alive, so its content is moved into the database first. */
  close(): void {
    if (!this.#database.isOpen) return;
    if (this.#checkpointsOnClose) this.#tryCheckpoint();
    this.#database.close();
  }

  #tryCheckpoint(): void {
    try {
      this.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A damaged or full disk: the log stays, and the next opening reads it.
    }
  }
}

class PreparedStatement<Row> implements Statement<Row> {
  readonly #statement: StatementSyncInstance;

  constructor(statement: StatementSyncInstance) {
    this.#statement = statement;
  }

  run(...parameters: readonly (SqlValue | undefined)[]): { changes: number; lastInsertRowid: number } {
    const result = this.#statement.run(...parameters.map(toBindable));
    return { changes: result.changes, lastInsertRowid: Number(result.lastInsertRowid) };
  }

  get(...parameters: readonly (SqlValue | undefined)[]): Row | undefined {
    return (this.#statement.get(...parameters.map(toBindable)) ?? undefined) as Row | undefined;
  }

  all(...parameters: readonly (SqlValue | undefined)[]): Row[] {
    return this.#statement.all(...parameters.map(toBindable)) as Row[];
  }

  iterate(...parameters: readonly (SqlValue | undefined)[]): IterableIterator<Row> {
    return this.#statement.iterate(...parameters.map(toBindable)) as IterableIterator<Row>;
  }
}

function toBindable(value: SqlValue | undefined): SqlValue {
  return value ?? null;
}

/** Text that SQLite stores whole: NUL becomes a space, lone surrogates become U+FFFD. */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', ' ') : wellFormed;
}
