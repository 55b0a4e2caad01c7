import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutRepeats } from '../../../../../src/extract/formats/pdf/without-repeats.js';

test.each([
  [
    'a line that the page says as text is left out',
    'Hello there\nGeneral Kenobi',
    'Well. Hello there!',
    'General Kenobi',
  ],
  ['case, marks and blanks do not matter', 'HELLO,  there', '"hello there"', ''],
  ['a line that continues in the text over the end of a line is left out', 'one two three', 'one\ntwo three four', ''],
  ['words that stand in another order are kept', 'there hello', 'hello there', 'there hello'],
  ['parts of words are not words', 'the', 'there', 'the'],
  ['a page without text leaves everything', 'one\n\ntwo', '', 'one\n\ntwo'],
  ['letters of all scripts count', 'привет мир\n日本語', 'Привет, мир', '日本語'],
  ['what is left out leaves one empty line', 'a\n\nsame\n\nb', 'same', 'a\n\nb'],
])('%s', (_promise, recognised, text, left) => {
  expect(withoutRepeats(recognised, text)).toBe(left);
});

test('every word that was recognised is there afterwards, in the text or in what is left', () => {
  const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'Größe', '12');
  const text = fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 6 });
  const written = (lines: string[][]): string => lines.map((line) => line.join(' ')).join('\n');
  fc.assert(
    fc.property(text, text, (recognised, known) => {
      const left = withoutRepeats(written(recognised), written(known));
      const all = new Set(`${left} ${written(known)}`.split(/\s+/));
      expect(recognised.flat().filter((each) => !all.has(each))).toEqual([]);
    }),
  );
});
