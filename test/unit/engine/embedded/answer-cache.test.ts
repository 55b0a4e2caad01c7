import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Database } from '../../../../src/base/sqlite.js';
import { AnswerCache } from '../../../../src/engine/embedded/search/answer-cache.js';
import { parseSearch } from '../../../../src/engine/embedded/search/search-request.js';
import { Statements } from '../../../../src/engine/embedded/store/statements.js';
import { tempDir } from '../../../support/temp-dir.js';

const path = join(tempDir(), 'index.db');
const writer = new Database(path);
writer.exec('CREATE TABLE t(v)');
const reader = new Database(path, { readOnly: true });
const cache = new AnswerCache(new Statements(reader));
afterAll(() => {
  reader.close();
  writer.close();
});

const AGGS = { types: { terms: { field: 'file.extension' } } };
const FACETS = { size: 0, aggs: AGGS };
const SLOW_MS = 25;
let worked = 0;

/** The number of the work that the answer comes from. */
function answerTo(body: object, { ms = SLOW_MS, index = 'docs' } = {}): unknown {
  const { hits } = cache.answer(parseSearch(body), { index, body, timeMs: 1000 }, () => {
    worked += 1;
    for (const end = performance.now() + ms; performance.now() < end;);
    return { timed_out: false, hits: { total: { value: worked, relation: 'eq' }, max_score: null, hits: [] } };
  });
  return hits.total.value;
}

test('what a search without hits has counted is told again until something is written', () => {
  const first = answerTo(FACETS);
  expect(answerTo(FACETS)).toBe(first);
  const others = [
    answerTo(FACETS, { index: 'others' }),
    answerTo({ ...FACETS, query: { term: { 'file.extension': 'pdf' } } }),
  ];
  expect(new Set([first, ...others]).size).toBe(3);
  expect(answerTo(FACETS)).toBe(first);
  writer.exec('INSERT INTO t VALUES(1)');
  const later = answerTo(FACETS);
  expect(later).not.toBe(first);
  expect(answerTo(FACETS)).toBe(later);
});

test.each([
  ['with hits', { size: 1, aggs: AGGS }],
  ['without aggregations', { size: 0 }],
  ['with a limit of its own', { ...FACETS, timeout: '5s' }],
  ['of the present', { ...FACETS, query: { range: { 'file.indexing_date': { gte: 'now-1d' } } } }],
  ['of the present in a query string', { ...FACETS, query: { query_string: { query: 'created:[now-1d TO now]' } } }],
  ['of the present with an escape', { ...FACETS, query: { query_string: { query: String.raw`created:>n\ow-1d` } } }],
])('a search %s is carried out each time', (_, body) => {
  expect(answerTo(body)).not.toBe(answerTo(body));
});

test('what is fast is not kept, and of the rest the last 32 answers are', () => {
  const fast = { ...FACETS, min_score: 0.5 };
  expect(answerTo(fast, { ms: 0 })).not.toBe(answerTo(fast, { ms: 0 }));
  const answers = Array.from({ length: 33 }, (_, at) => answerTo({ ...FACETS, min_score: at + 1 }));
  expect(answerTo({ ...FACETS, min_score: 33 })).toBe(answers[32]);
  expect(answerTo({ ...FACETS, min_score: 2 })).toBe(answers[1]);
  expect(answerTo({ ...FACETS, min_score: 1 })).not.toBe(answers[0]);
});
