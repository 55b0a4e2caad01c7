import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Database } from '../../../src/base/sqlite.js';
import { openIndexFile } from '../../../src/engine/embedded/store/index-file.js';
import { SegmentChecksums } from '../../../src/engine/embedded/store/segment-checksums.js';
import { Statements } from '../../../src/engine/embedded/store/statements.js';
import { IndexWriter } from '../../../src/engine/embedded/writer/index-writer.js';
import { WordChecksums } from '../../../src/engine/embedded/writer/word-checksums.js';
import { tempDir } from '../../support/temp-dir.js';

interface Step {
  readonly what: 'put' | 'remove' | 'merge';
  readonly from: number;
  readonly count: number;
}

const directory = tempDir();
let files = 0;

/**
 * A false alarm would have a sound index rebuilt: nothing of a segment may change while its name stays, or comes back as long as
 * the index holds documents.
 */
describe('a segment never changes under its name', () => {
  test('whatever is written, deleted and merged', () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant('put' as const), from: fc.nat(60), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ what: fc.constant('remove' as const), from: fc.nat(60), count: fc.integer({ min: 1, max: 40 }) }),
      fc.record({
        what: fc.constant('merge' as const),
        from: fc.constantFrom(1, 2, 5, -2, 500),
        count: fc.constant(0),
      }),
    );
    fc.assert(fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), expectLastingNames), { numRuns: 25 });
  });

  test('not even where two merges have written as much so far', () => {
    expectLastingNames([
      { what: 'put', from: 0, count: 1 },
      { what: 'merge', from: -2, count: 0 },
      { what: 'put', from: 8, count: 20 },
      { what: 'merge', from: -2, count: 0 },
      { what: 'put', from: 0, count: 1 },
      { what: 'remove', from: 0, count: 22 },
      { what: 'remove', from: 0, count: 23 },
      { what: 'merge', from: -2, count: 0 },
    ]);
  });
});

function expectLastingNames(steps: readonly Step[]): void {
  const { database, writer, checksums } = openIndex();
  const known = new Map<string, number>();
  let written = 0;
  apply(writer, 0, 20, (written += 1));
  for (const { what, from, count } of steps) {
    if (what === 'put') apply(writer, from, count, (written += 1));
    else if (what === 'remove') remove(writer, from, count);
    else database.exec(`INSERT INTO fts_1(fts_1, rank) VALUES('merge', ${from})`);
    if (isEmpty(database)) known.clear();
    for (const segment of isEmpty(database) ? [] : checksums.segments()) {
      const sum = checksums.checksum(segment);
      expect(known.get(segment.name) ?? sum).toBe(sum);
      known.set(segment.name, sum);
    }
  }
  database.close();
}

interface OpenIndex {
  readonly database: Database;
  readonly writer: IndexWriter;
  readonly checksums: SegmentChecksums;
  readonly words: WordChecksums;
  /** The checksums that the file has. */
  readonly kept: () => readonly unknown[];
}

/** A new file, whose first index is the one of all tests. */
function openIndex(): OpenIndex {
  const path = join(directory, `${(files += 1)}.db`);
  openIndexFile(path);
  const database = new Database(path);
  const statements = new Statements(database);
  return {
    database,
    writer: new IndexWriter(database),
    checksums: new SegmentChecksums(statements, 1),
    words: new WordChecksums(database, statements),
    kept: () => database.prepare('SELECT segment FROM word_sum').all(),
  };
}

function isEmpty(database: Database): boolean {
  return database.prepare<{ documents: number }>('SELECT documents FROM idx WHERE id = 1').get()?.documents === 0;
}

test('an index without documents has no checksums, as the names of its segments may come back', () => {
  const { database, writer, checksums, words, kept } = openIndex();
  const names = (): string[] => checksums.segments().map(({ name }) => name);
  apply(writer, 0, 20, 1);
  const first = names();
  while (words.step(1));
  expect(kept()).toHaveLength(1);
  remove(writer, 0, 20);
  // Also when somebody asks for them before the segments are merged.
  expect(words.step(1)).toBe(false);
  expect(kept()).toEqual([]);
  for (let at = 0; at < 2; at += 1) database.exec(`INSERT INTO fts_1(fts_1, rank) VALUES('merge', 100)`);
  apply(writer, 0, 20, 2);
  expect(names()).toEqual(first);
  expect(kept()).toEqual([]);
  database.close();
});

test('the transaction that removes the last document takes the checksums with it', () => {
  const { database, writer, words, kept } = openIndex();
  apply(writer, 0, 20, 1);
  while (words.step(1));
  remove(writer, 0, 19);
  expect(kept()).toHaveLength(1);
  remove(writer, 19, 1);
  expect(kept()).toEqual([]);
  database.close();
});

function apply(writer: IndexWriter, from: number, count: number, round: number): void {
  const operations = Array.from({ length: count }, (_, at) => {
    const words = Array.from({ length: 400 }, (__, word) => `w${(word * (at + round)) % 3000} x${word}y${round}`);
    const json = JSON.stringify({ content: words.join(' ') });
    return { kind: 'index', index: 'docs', id: `d${from + at}`, json, create: false } as const;
  });
  writer.apply(operations);
}

function remove(writer: IndexWriter, from: number, count: number): void {
  writer.apply(Array.from({ length: count }, (_, at) => ({ kind: 'delete', index: 'docs', id: `d${from + at}` })));
}
