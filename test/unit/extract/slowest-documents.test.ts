import { expect, test } from '@jest/globals';
import { SlowestDocuments } from '../../../src/extract/slowest-documents.js';

test('the longest come first, each document once with its longest time', () => {
  const slowest = new SlowestDocuments(3);
  for (const [document, elapsedMs] of [
    ['a', 10],
    ['b', 30],
    ['c', 20],
    ['a', 40],
    ['a', 5],
    ['d', 1],
    ['e', 25],
  ] as const) {
    slowest.add(document, elapsedMs);
  }
  expect(slowest.list).toEqual([
    { document: 'a', elapsedMs: 40 },
    { document: 'b', elapsedMs: 30 },
    { document: 'e', elapsedMs: 25 },
  ]);
});
