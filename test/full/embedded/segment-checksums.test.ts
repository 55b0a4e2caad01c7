import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Database } from '../../../src/base/sqlite.js';
import { openIndexFile } from '../../../src/engine/embedded/store/index-file.js';
import { SegmentChecksums } from '../../../src/engine/embedded/store/segment-checksums.js';
import { Statements } from '../../../src/engine/embedded/store/statements.js';
import { IndexWriter } from '../../../src/engine/embedded/writer/index-writer.js';
import { tempDir } from '../../support/temp-dir.js';

interface Step {
  readonly what: 'put' | 'remove' | 'merge';
  readonly from: number;
  readonly count: number;
}

const directory = tempDir();
let round = 0;

/** A false alarm would have a sound index rebuilt: nothing of a segment may change while its name stays, or comes back. */
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
  round += 1;
  const path = join(directory, `${round}.db`);
  openIndexFile(path);
  const database = new Database(path);
  const writer = new IndexWriter(database);
  const checksums = new SegmentChecksums(new Statements(database), 1);
  const known = new Map<string, number>();
  let written = 0;
  apply(writer, 0, 20, (written += 1));
  for (const { what, from, count } of steps) {
    if (what === 'put') apply(writer, from, count, (written += 1));
    else if (what === 'remove') remove(writer, from, count);
    else database.exec(`INSERT INTO fts_1(fts_1, rank) VALUES('merge', ${from})`);
    for (const segment of checksums.segments()) {
      const sum = checksums.checksum(segment);
      expect(known.get(segment.name) ?? sum).toBe(sum);
      known.set(segment.name, sum);
    }
  }
  database.close();
}

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
