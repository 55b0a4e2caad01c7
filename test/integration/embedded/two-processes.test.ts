import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../../support/temp-dir.js';
import { checkFile, startWriting } from './writing-process.js';

const SIGNAL = new AbortController().signal;

test('two processes create one index and write to it at once, while a third searches', async () => {
  const directory = tempDir();
  const writers = [startWriting(directory, 'batches', 'left'), startWriting(directory, 'batches', 'right')];
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0', logger: silentLogger });
  const { identity } = await engine.prepare(SIGNAL);
  const ended = Promise.all(writers.map((writer) => writer.ended));
  const running = new Set(writers);
  for (const writer of writers) void writer.ended.then(() => running.delete(writer));
  let last = 0;
  while (running.size > 0) {
    const [summary] = await engine.indices(SIGNAL);
    if (summary === undefined) continue;
    const found = await engine.count('docs', { match: { content: 'common' } }, SIGNAL);
    expect(found % 20).toBe(0);
    expect(found).toBeGreaterThanOrEqual(last);
    last = found;
  }
  expect(await ended).toEqual(['done\n', 'done\n']);
  expect(await engine.count('docs', { match: { content: 'left' } }, SIGNAL)).toBe(600);
  expect(await engine.count('docs', { match: { content: 'right' } }, SIGNAL)).toBe(600);
  expect(await engine.prepare(SIGNAL)).toEqual({ identity });
  await engine.close();
  expect(checkFile(join(directory, 'index.db'))).toEqual({
    integrity: 'ok',
    documents: 1200,
    bodies: 1200,
    texts: 1200,
  });
});
