import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startEngineRest } from './engine-harness.js';
import type { EngineHarness } from './engine-harness.js';

/** Groups and suggestions over several indices, and the limits of what is expensive. */
let api: EngineHarness;

beforeAll(async () => {
  api = await startEngineRest();
  await api.write({
    a: { content: 'lighthouse keeper', file: { extension: 'pdf', filesize: 1 } },
    b: { content: 'lighthose', file: { extension: 'txt', filesize: 2 } },
  });
  await api.write(
    {
      c: { content: 'lighthouse lighthouse', file: { extension: 'pdf', filesize: 3 } },
      d: { content: 'lighthouse', file: { filesize: 4 } },
    },
    'job_folder',
  );
});

afterAll(() => api.close());

test('hits of several indices are collapsed together', async () => {
  const { body } = await api.post('/job_*/_search', {
    sort: [{ 'file.filesize': 'desc' }],
    collapse: { field: 'file.extension' },
  });
  expect(body).toMatchObject({
    hits: {
      total: { value: 4 },
      hits: [
        { _id: 'd' },
        { _id: 'c', fields: { 'file.extension': ['pdf'] } },
        { _id: 'b', fields: { 'file.extension': ['txt'] } },
      ],
    },
  });
});

test('suggestions of several indices are one list', async () => {
  const suggest = { text: 'lighthuse', a: { term: { field: 'content' } }, b: { term: { field: 'content', size: 1 } } };
  const { body } = await api.post('/job_*/_search', { suggest });
  expect(body).toMatchObject({
    hits: { total: { value: 0 } },
    suggest: {
      a: [
        {
          text: 'lighthuse',
          options: [
            { text: 'lighthouse', freq: 3 },
            { text: 'lighthose', freq: 1 },
          ],
        },
      ],
      b: [{ options: [{ text: 'lighthouse', freq: 3 }] }],
    },
  });
});

test('a point in time shows what a filter and a least score let pass', async () => {
  const opened = await api.ask('/job_docs/_pit?keep_alive=1m', { method: 'POST' });
  const { body } = await api.post('/_search', {
    pit: { id: opened.body['id'] },
    query: { match: { content: { query: 'lighthouse', fuzziness: 1 } } },
    post_filter: { term: { 'file.extension': 'txt' } },
    min_score: 0,
  });
  expect(body).toMatchObject({ hits: { total: { value: 1 }, hits: [{ _id: 'b' }] } });
});

const words = Array.from({ length: 1100 }, (_, at) => `w${at}`).join(' ');
describe('within the limits of a search', () => {
  test.each<[string, object, string]>([
    ['fuzzy words', { query: { match: { content: { query: words, fuzziness: 1 } } } }, '1,024'],
    ['fuzzy words of a query string', { query: { query_string: { query: words.replaceAll(' ', '~ ') } } }, '1,024'],
    ['words to be suggested for', { suggest: { a: { text: words, term: { field: 'content' } } } }, '1,024'],
    ['words that tell most', { query: { more_like_this: { like: 'x', max_query_terms: 2000 } } }, '1,024'],
    ['clauses of a filter behind', { post_filter: { match: { content: words } } }, '1,024'],
    ['text to be compared', { query: { more_like_this: { like: 'x'.repeat(100_001) } } }, '100,000'],
    [
      'text to be suggested for',
      { suggest: { a: { text: 'x'.repeat(100_001), term: { field: 'content' } } } },
      '100,000',
    ],
  ])('too many or too long: %s', async (_what, body, limit) => {
    expect(await api.post('/job_docs/_search', body)).toMatchObject({
      status: 400,
      body: { error: { reason: expect.stringContaining(limit) } },
    });
  });
});
