import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IdDigest } from '../../../src/operations/verify/id-digest.js';

function digestOf(ids: Iterable<string>): IdDigest {
  const digest = new IdDigest();
  for (const id of ids) digest.add(id);
  return digest;
}

const ids = fc.uniqueArray(fc.string({ maxLength: 40 }), { maxLength: 200 });

describe('a digest of ids', () => {
  test('is the same for the same ids in any order', () => {
    fc.assert(
      fc.property(ids, (some) => {
        expect(digestOf(some).equals(digestOf(some.toReversed()))).toBe(true);
      }),
    );
  });

  test('points at every id that only one side has', () => {
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        const [one, other] = [digestOf(left), digestOf(right)];
        const isSuspect = one.differences(other);
        const onlyOne = [...left.filter((id) => !right.includes(id)), ...right.filter((id) => !left.includes(id))];
        expect(onlyOne.every(isSuspect)).toBe(true);
        expect(one.equals(other)).toBe(onlyOne.length === 0);
      }),
      // Each digest has three megabytes: enough of them to find a fault, few enough to be quick.
      { numRuns: 40 },
    );
  });

  test('points at few ids besides: of 100,000, two missing ones make fewer than twenty suspects', () => {
    const all = Array.from({ length: 100_000 }, (_, at) => `document-${at}`);
    const isSuspect = digestOf(all).differences(digestOf(all.slice(1, -1)));
    const suspects = all.filter(isSuspect);
    expect(suspects).toEqual(expect.arrayContaining(['document-0', 'document-99999']));
    expect(suspects.length).toBeLessThan(20);
  });

  test('tells an id that is there twice', () => {
    expect(digestOf(['a', 'a']).equals(digestOf(['a']))).toBe(false);
  });
});
