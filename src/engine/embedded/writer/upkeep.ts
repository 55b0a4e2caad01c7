import type { Database, Statement } from '../../../base/sqlite.js';
import { tablesOf } from '../store/schema.js';

/**
 * What is done when nobody writes: the segments that bulk loading left are merged in small steps, so that searching has few of
 * them to read, then the write-ahead log is brought into the file and emptied. Each step is short; the writer looks for
 * work between them.
 */
const MERGE_PAGES = 100;

export class Upkeep {
  readonly #database: Database;
  readonly #indices: Statement<{ id: number }>;
  readonly #changes: Statement<{ changes: number }>;
  #unmerged: string[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#indices = database.prepare('SELECT id FROM idx');
    this.#changes = database.prepare('SELECT total_changes() AS changes');
  }

  /** Something was written: there may be something to merge. */
  begin(): void {
    this.#unmerged = this.#indices.all().map(({ id }) => tablesOf(id).fts);
  }

  /** One step. False when there is nothing left to do. */
  step(): boolean {
    const table = this.#unmerged[0];
    if (table === undefined) return false;
    const before = this.#changesSoFar();
    this.#database.exec(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ${MERGE_PAGES})`);
    // FTS5 counts its own insert as a change; nothing beyond it means that nothing was merged.
    if (this.#changesSoFar() - before < 2) this.#unmerged.shift();
    if (this.#unmerged.length > 0) return true;
    this.#emptyLog();
    return false;
  }

  /** Gives way at once when somebody reads: the log is then emptied another time. */
  #emptyLog(): void {
    this.#database.exec('PRAGMA busy_timeout=0');
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.#database.exec('PRAGMA busy_timeout=5000');
    }
  }

  #changesSoFar(): number {
    return this.#changes.get()?.changes ?? 0;
  }
}
