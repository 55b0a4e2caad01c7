import { expect, test } from '@jest/globals';
import { grouped } from '../../../src/base/grouped.js';

test.each([0, 7, 999, 1000, 12_031, 1_234_567, -1, -12_031, 0.5, 1.23456, 12_031.25, 60, 1e15])('%d', (value) => {
  expect(grouped(value)).toBe(value.toLocaleString('en'));
});
