import type { Database, Statement } from '../../../base/sqlite.js';
import { writeIndexSummary } from '../store/index-summary.js';
import { tablesOf } from '../store/schema.js';
import { Statements } from '../store/statements.js';
import { WordChecksums } from './word-checksums.js';

/**
 * What is done when nobody writes: the segments that bulk loading left are merged in small steps, so that searching has few of
 * them to read, and those that are new get their checksums; then the write-ahead log is brought into the file and emptied.
 * Each step is short; the writer looks for work between them.
 */
const MERGE_PAGES = 100;

export class Maintenance {
  readonly #database: Database;
  readonly #checksums: WordChecksums;
  readonly #indices: Statement<{ id: number }>;
  readonly #changes: Statement<{ changes: number }>;
  #unmerged: number[] = [];
  #unchecked: number[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#checksums = new WordChecksums(database, new Statements(database));
    this.#indices = database.prepare('SELECT id FROM idx');
    this.#changes = database.prepare('SELECT total_changes() AS changes');
  }

  /** Something was written: there may be something to merge. */
  begin(): void {
    const indices = this.#indices.all().map(({ id }) => id);
    this.#unmerged = [...indices];
    this.#unchecked = indices;
  }

  /** One step. False when there is nothing left to do. */
  step(): boolean {
    if (this.#merge() || this.#check()) return true;
    writeIndexSummary(this.#database);
    this.#emptyLog();
    return false;
  }

  /** What must not be left for the next time: as many checksums as there is time for, and the summary. */
  finish(timeMs: number): void {
    const endMs = performance.now() + timeMs;
    this.begin();
    while (performance.now() < endMs && this.#check());
    writeIndexSummary(this.#database);
  }

  #merge(): boolean {
    const [index] = this.#unmerged;
    if (index === undefined) return false;
    const { fts } = tablesOf(index);
    const before = this.#changesSoFar();
    this.#database.exec(`INSERT INTO ${fts}(${fts}, rank) VALUES('merge', ${MERGE_PAGES})`);
    // FTS5 counts its own insert as a change; nothing beyond it means that nothing was merged.
    if (this.#changesSoFar() - before < 2) this.#unmerged.shift();
    return true;
  }

  #check(): boolean {
    const [index] = this.#unchecked;
    if (index === undefined) return false;
    if (!this.#checksums.step(index)) this.#unchecked.shift();
    return true;
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
