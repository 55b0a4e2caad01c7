import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { indexPath } from '../../../../src/engine/embedded/index-path.js';
import { WorkLimit } from '../../../../src/engine/embedded/store/work-limit.js';
import { EngineThread } from '../../../../src/engine/embedded/threads/engine-thread.js';
import { ReaderPool } from '../../../../src/engine/embedded/threads/reader-pool.js';
import { tempDir } from '../../../support/temp-dir.js';
import { openEmbedded, SIGNAL } from './library.js';

const directory = tempDir();
const WORDS = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
const DOCUMENTS = 1000;

beforeAll(async () => {
  const engine = openEmbedded(directory);
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => {
    return { kind: 'index', index: 'docs', id: `d${at}`, document: { content: WORDS } } as const;
  });
  await engine.write(documents, SIGNAL);
  await engine.close();
});

const pool = new ReaderPool([new EngineThread('index-reader', indexPath(directory))]);
afterAll(() => pool.close());

test('an abort that comes with the answer does not end the next call of the thread', async () => {
  const limits = { signal: SIGNAL, timeMs: undefined };
  const answered = new AbortController();
  const all = { index: 'docs', query: { match_all: {} }, timeMs: 60_000 };
  const words = { index: 'docs', body: { query: { match: { content: WORDS } } }, timeMs: 60_000 };
  const first = pool.call((reader) => reader.count(all), { ...limits, signal: answered.signal });
  const next = pool.call((reader) => reader.search(words), limits);
  void first.then(() => answered.abort());
  expect(await first).toBe(DOCUMENTS);
  expect((await next).hits.total.value).toBe(DOCUMENTS);
});

test('work that is to end is not forgotten when a later call is to end as well', () => {
  const cancelled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const number = new Int32Array(cancelled);
  const limit = new WorkLimit(number);
  limit.begin(1);
  expect(() => limit.check()).not.toThrow();
  number[0] = 2;
  expect(() => limit.check()).toThrow('The work was cancelled.');
  limit.begin(3);
  expect(() => limit.check()).not.toThrow();
});

test('work that is to end before it has begun ends at once', () => {
  const limit = new WorkLimit(new Int32Array([7]));
  limit.begin(7);
  expect(() => limit.check()).toThrow('The work was cancelled.');
});
