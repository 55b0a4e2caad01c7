import { describe, expect, test } from '@jest/globals';
import { editsBetween, nearest } from '../../../src/base/nearest.js';

describe('the edits between two words', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', '', 3],
    ['abc', 'acb', 1.5],
    ['langauge', 'language', 1.5],
    ['xecludes', 'excludes', 1.5],
    ['kitten', 'sitting', 3],
  ])('%j and %j: %d', (from, to, edits) => {
    expect(editsBetween(from, to)).toBe(edits);
    expect(editsBetween(to, from)).toBe(edits);
  });
});

describe('the nearest of several words', () => {
  const commands = ['search', 'why', 'verify', 'failures', 'plan', 'doctor', 'extract', 'approve', 'push'];

  test.each([
    ['serach', 'search'],
    ['SEARCH', 'search'],
    ['falures', 'failures'],
    ['verfy', 'verify'],
    ['docter', 'doctor'],
    ['plna', 'plan'],
    ['wyh', 'why'],
    ['lighthouse', undefined],
    ['docs', undefined],
    ['my_job', undefined],
    ['', undefined],
  ])('%j: %j', (word, found) => {
    expect(nearest(word, commands)).toBe(found);
  });
});
