import { expect, test } from '@jest/globals';
import { romanNumeral } from '../../../../../src/extract/containers/numerals/roman-numeral.js';

test.each([
  [1, 'i'],
  [4, 'iv'],
  [1949, 'mcmxlix'],
  [3999, 'mmmcmxcix'],
])('%d is %s', (number, text) => {
  expect(romanNumeral(number, 3999)).toBe(text);
});

test('numbers that a program does not write in Roman numerals come out in decimal', () => {
  expect([0, -3, 4000].map((number) => romanNumeral(number, 3999))).toEqual(['0', '-3', '4000']);
  expect(romanNumeral(4000, 32_767)).toBe('mmmm');
});
