import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shellQuoted } from '../../../src/base/shell-quote.js';

test.each([
  ['docs', 'docs'],
  ['./docs/2025_a-b.txt', './docs/2025_a-b.txt'],
  ['Übersicht', 'Übersicht'],
  ['fs.url=/data', 'fs.url=/data'],
  ['My Files (2)', "'My Files (2)'"],
  ['', "''"],
  ['~', "'~'"],
  ["it's", `'it'\\''s'`],
  ['$(rm -rf x)`!*?', "'$(rm -rf x)`!*?'"],
  ['two\nlines \u001b[1m', "$'two\\nlines \\x1b[1m'"],
  ['one\u0086two\\x86', "$'one\\u0086two\\\\x86'"],
  ["back\\slash\n'", "$'back\\\\slash\\n\\''"],
])('%j is written %s', (word, quoted) => {
  expect(shellQuoted(word)).toBe(quoted);
});

test('bash reads back every word as it was', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .filter((text) => !text.includes('\0') && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const script = `printf '%s\\0' ${words.map(shellQuoted).join(' ')}`;
      const read = execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
      expect(read.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 50 },
  );
});
