import type { Database } from '../../../base/sqlite.js';
import { SegmentChecksums } from '../store/segment-checksums.js';
import { sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';

/**
 * Keeps `word_sum` up to date: a checksum for each segment of the full text, none for those that are gone. An index without
 * documents has none at all: FTS5 gives its numbers anew when nothing is left, and a segment would get the name of another.
 */
export class WordChecksums {
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** Adds one checksum. False when every segment has its own. Throws `CorruptContent` when they cannot be listed. */
  step(index: number): boolean {
    const checksums = new SegmentChecksums(this.#statements, index);
    return this.#database.transaction(() => {
      const segments = this.#isEmpty(index) ? [] : checksums.segments();
      const known = this.#knownSegments(index);
      for (const name of known) {
        if (!segments.some((segment) => segment.name === name)) this.#forget(index, name);
      }
      const next = segments.find(({ name }) => !known.has(name));
      if (next === undefined) return false;
      const sum = checksums.checksum(next);
      this.#statements.run(sql`INSERT INTO word_sum(idx, segment, sum) VALUES(${index}, ${next.name}, ${sum})`);
      return true;
    });
  }

  #isEmpty(index: number): boolean {
    return this.#statements.get(sql`SELECT 1 FROM idx WHERE id = ${index} AND documents = 0`) !== undefined;
  }

  #knownSegments(index: number): Set<string> {
    const rows = this.#statements.all<{ segment: string }>(sql`SELECT segment FROM word_sum WHERE idx = ${index}`);
    return new Set(rows.map(({ segment }) => segment));
  }

  #forget(index: number, segment: string): void {
    this.#statements.run(sql`DELETE FROM word_sum WHERE idx = ${index} AND segment = ${segment}`);
  }
}
