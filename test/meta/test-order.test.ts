import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { SLOW } from '../support/slow-first.mjs';

test('the suites that begin first are there', () => {
  expect(SLOW.filter((name) => !existsSync(`test/${name}.test.ts`))).toEqual([]);
  expect(new Set(SLOW).size).toBe(SLOW.length);
});
