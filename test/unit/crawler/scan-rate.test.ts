import { describe, expect, test } from '@jest/globals';
import { NO_PROGRESS } from '../../../src/crawler/run-record.js';
import { ScanRate } from '../../../src/crawler/scan-rate.js';

const at = (seen: number, more = {}): typeof NO_PROGRESS => ({ ...NO_PROGRESS, seen, ...more });

describe('the rest of a scan', () => {
  function rate(seen: number, elapsedMs: number, total: number | undefined): number | undefined {
    const one = new ScanRate();
    one.total = total;
    one.add(at(0), 1000);
    one.add(at(seen), 1000 + elapsedMs);
    return one.remainingMs(1000 + elapsedMs);
  }

  test.each<[string, number, number, number | undefined, number | undefined]>([
    ['as long again at half', 1000, 10_000, 2000, 10_000],
    ['unknown before the tree is counted', 1000, 60_000, undefined, undefined],
    ['unknown in the first seconds', 1000, 1000, 4000, undefined],
    ['unknown before a twentieth is done', 1000, 60_000, 100_000, undefined],
    ['unknown when there was more than was counted', 1000, 60_000, 900, undefined],
  ])('is %s', (_, seen, elapsedMs, total, expected) => {
    expect(rate(seen, elapsedMs, total)).toBe(expected);
  });

  test('is unknown for a scan that goes on where an earlier process was: nobody knows what that one saw', () => {
    const one = new ScanRate();
    one.total = 2000;
    one.add(at(0, { completedFolders: 50 }), 0);
    one.add(at(1000, { completedFolders: 60 }), 10_000);
    expect(one.remainingMs(10_000)).toBeUndefined();
  });

  test('begins anew with the next scan', () => {
    const one = new ScanRate();
    one.total = 2000;
    one.add(at(2000), 100_000);
    one.add(at(0), 200_000);
    one.add(at(1000), 210_000);
    expect(one.remainingMs(210_000)).toBe(10_000);
  });
});

test('a scan advances when a count does, not when it is merely reported', () => {
  const one = new ScanRate();
  one.add(at(10), 1000);
  one.add(at(10, { currentPath: '/other' }), 2000);
  expect(one.advancedMs).toBe(1000);
  one.add(at(10, { failed: 1 }), 3000);
  expect(one.advancedMs).toBe(3000);
});
