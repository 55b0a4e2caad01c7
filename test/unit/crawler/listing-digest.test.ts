import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ListingDigest } from '../../../src/crawler/scan/listing-digest.js';
import type { Entry } from '../../../src/model/entry.js';

const entries = fc.array(
  fc.record({
    name: fc.string({ minLength: 1 }),
    kind: fc.constantFrom('file' as const, 'folder' as const),
    size: fc.nat(),
    modifiedMs: fc.double({ min: 0, max: 2e12, noNaN: true }),
    changedMs: fc.double({ min: 0, max: 2e12, noNaN: true }),
    inode: fc.nat(),
  }),
  { maxLength: 30 },
);

function full(part: Pick<Entry, 'name' | 'kind' | 'size' | 'modifiedMs' | 'changedMs' | 'inode'>): Entry {
  return { ...part, path: `/${part.name}`, createdMs: 1, accessedMs: Math.random(), device: 1, version: undefined };
}

function digestOf(parts: readonly Entry[], seed = 'seed'): string {
  const digest = new ListingDigest();
  for (const entry of parts) digest.add(entry);
  return digest.value(seed);
}

test('does not depend on the order, nor on access times', () => {
  fc.assert(
    fc.property(entries, (parts) => {
      const reversed = [...parts].reverse();
      expect(digestOf(reversed.map(full))).toBe(digestOf(parts.map(full)));
    }),
  );
});

const base = { name: 'a.txt', kind: 'file' as const, size: 5, modifiedMs: 1000.5, changedMs: 1000.5, inode: 7 };

test.each<[string, Partial<Entry>]>([
  ['name', { name: 'b.txt' }],
  ['size', { size: 6 }],
  ['modification time, by a microsecond', { modifiedMs: 1000.501 }],
  ['change time', { changedMs: 1001 }],
  ['inode', { inode: 8 }],
  ['kind', { kind: 'symlink' }],
  ['version', { version: 'etag' }],
])('changes with the %s', (_, change) => {
  expect(digestOf([{ ...full(base), ...change }])).not.toBe(digestOf([full(base)]));
});

test('changes with the rules, and when an entry comes or goes', () => {
  expect(digestOf([full(base)], 'other')).not.toBe(digestOf([full(base)]));
  expect(digestOf([full(base), full({ ...base, name: 'b' })])).not.toBe(digestOf([full(base)]));
  expect(digestOf([])).not.toBe(digestOf([full(base)]));
});

test('two files that swap their names are a change', () => {
  const one = [full({ ...base, name: 'a', inode: 1 }), full({ ...base, name: 'b', inode: 2 })];
  const other = [full({ ...base, name: 'a', inode: 2 }), full({ ...base, name: 'b', inode: 1 })];
  expect(digestOf(other)).not.toBe(digestOf(one));
});
