import { expect, test } from '@jest/globals';
import { tempDir } from '../../support/temp-dir.js';
import { startWriting } from './writing-process.js';

test('a process ends although SQLite does not return from a search', async () => {
  const { child, ended } = startWriting(tempDir(), 'stuck');
  expect(await ended).toBe('timed_out, closed\n');
  expect(child.signalCode).toBe('SIGTERM');
});
