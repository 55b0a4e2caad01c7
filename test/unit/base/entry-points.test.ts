import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { entryPoint, entryPoints } from '../../../src/base/entry-points.js';

test.each(entryPoints)('the file that %s starts with exists', (name) => {
  expect([name, existsSync(entryPoint(name))]).toEqual([name, true]);
});
