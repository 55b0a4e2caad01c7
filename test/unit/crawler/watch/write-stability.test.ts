import { expect, test } from '@jest/globals';
import {
  needsOpenWriters,
  isStable,
  newWriteStability,
  observe,
} from '../../../../src/crawler/watch/write-stability.js';
import type { FileStat, OpenWriters } from '../../../../src/source/tree-watch.js';

const STABILITY_MS = 2000;

function stat(size: number): FileStat {
  return { size, modifiedMs: size, changedMs: size, createdMs: 0, inode: 1, owner: 1000 };
}

test.each<[string, OpenWriters | undefined, boolean, number, boolean]>([
  ['nobody writes: after 200 ms', 'none', false, 199, false],
  ['nobody writes: after 200 ms', 'none', false, 200, true],
  ['somebody writes: after fs.stability', 'some', false, 1999, false],
  ['somebody writes: after fs.stability', 'some', false, 2000, true],
  ['nobody knows: after a second', 'unknown', false, 999, false],
  ['nobody knows: after a second', 'unknown', false, 1000, true],
  ['written again after a rest: after fs.stability, even when closed', 'none', true, 1999, false],
  ['written again after a rest: after fs.stability, even when closed', 'none', true, 2000, true],
  ['not asked yet: not before fs.stability', undefined, false, 1999, false],
])('%s (%s, again: %s, unchanged for %i ms: at rest is %s)', (_, writers, wasRewritten, quietMs, expected) => {
  const stability = { ...newWriteStability(stat(1), 10_000, wasRewritten), writers };
  expect(isStable(stability, 10_000 + quietMs, STABILITY_MS)).toBe(expected);
});

test('what is not there any more, or is a folder, is at rest at once', () => {
  expect(isStable(newWriteStability(undefined, 10_000, false), 10_000, STABILITY_MS)).toBe(true);
});

test('a change begins the wait anew, and the answer about writers is asked for again', () => {
  const stability = { ...newWriteStability(stat(1), 0, false), writers: 'some' as const };
  observe(stability, stat(2), 500);
  expect(stability).toMatchObject({ sinceMs: 500, wasRewritten: false, writers: undefined });
  observe(stability, stat(2), 600);
  expect(stability.sinceMs).toBe(500);
});

test('a file that was closed and is written again is restless', () => {
  const stability = { ...newWriteStability(stat(1), 0, false), writers: 'none' as const };
  observe(stability, stat(2), 500);
  expect(stability.wasRewritten).toBe(true);
});

test('a stability below the short rests wins over them', () => {
  expect(isStable(newWriteStability(stat(1), 0, true), 50, 50)).toBe(true);
});

test('writers are asked for only while the answer matters', () => {
  const stability = newWriteStability(stat(1), 0, false);
  expect([100, 200, 1999, 2000].map((at) => needsOpenWriters(stability, at, STABILITY_MS))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(needsOpenWriters(newWriteStability(stat(1), 0, true), 500, STABILITY_MS)).toBe(false);
});
