import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { settleAll } from '../../../../src/engine/elastic/settle-all.js';

test('the results come in the order of the works', async () => {
  const slow = turn().then(() => 'slow');
  await expect(settleAll([slow, Promise.resolve('quick')])).resolves.toEqual(['slow', 'quick']);
  await expect(settleAll([])).resolves.toEqual([]);
});

test('the first failure by order is thrown, but only when all have ended', async () => {
  const ended: string[] = [];
  const quick = Promise.reject(new Error('second'));
  const slow = turn().then(() => {
    ended.push('slow');
    throw new Error('first');
  });
  await expect(settleAll([slow, quick])).rejects.toThrow('first');
  expect(ended).toEqual(['slow']);
});
