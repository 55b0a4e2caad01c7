import { describe, expect, test } from '@jest/globals';
import { INDEX, openLibrary, SIGNAL } from './library.js';

const library = openLibrary();

function words(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
}

function nested(levels: number, around: (query: unknown) => unknown): unknown {
  let query: unknown = { match: { content: 'profit' } };
  for (let level = 0; level < levels; level += 1) query = around(query);
  return query;
}

const MATCH = { match: { content: 'budget' } };

describe('a query of any type has at most 1,024 clauses', () => {
  test.each<[string, (count: number) => unknown]>([
    ['match', (count) => ({ match: { content: words(count) } })],
    ['match_phrase', (count) => ({ match_phrase: { content: words(count) } })],
    ['match_phrase_prefix', (count) => ({ match_phrase_prefix: { content: words(count) } })],
    ['multi_match', (count) => ({ multi_match: { query: words(count), fields: ['content'] } })],
    ['query_string', (count) => ({ query_string: { query: words(count) } })],
    ['query_string with AND', (count) => ({ query_string: { query: words(count).replaceAll(' ', ' AND ') } })],
    ['simple_query_string', (count) => ({ simple_query_string: { query: words(count) } })],
    ['simple_query_string with +', (count) => ({ simple_query_string: { query: words(count).replaceAll(' ', '+') } })],
    ['bool', (count) => ({ bool: { should: Array.from({ length: count }, (_, at) => ({ term: { x: at } })) } })],
    ['bool in bool', (count) => ({ bool: { must: [MATCH, { match: { content: words(count - 1) } }] } })],
    ['constant_score', (count) => ({ constant_score: { filter: { match: { content: words(count) } } } })],
  ])('%s', async (_what, query) => {
    await expect(library.find(query(1024))).resolves.toEqual(expect.any(Array));
    await expect(library.find(query(1025))).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('may have 1,024 clauses'),
    });
  });

  test('words count once for each field that is named', async () => {
    const multiMatch = (count: number): unknown => ({
      multi_match: { query: words(count), fields: ['content', 'meta.title'] },
    });
    await expect(library.find(multiMatch(512))).resolves.toEqual([]);
    await expect(library.find(multiMatch(513))).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('so do counts, and the filters of aggregations', async () => {
    const query = { match: { content: words(1025) } };
    await expect(library.engine.count(INDEX, query, SIGNAL)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(library.search({ aggs: { a: { filter: query } } })).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('a list of values is one clause', async () => {
    const values = Array.from({ length: 20_000 }, (_, at) => `v${at}`);
    await expect(library.find({ terms: { 'file.extension': [...values, 'pdf'] } })).resolves.toEqual(['report']);
  });

  test.each(['match', 'query_string', 'simple_query_string'])(
    '200,000 words in %s are refused at once',
    async (type) => {
      const text = words(200_000);
      const query = type === 'match' ? { match: { content: text } } : { [type]: { query: text } };
      await expect(library.find(query)).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringMatching(/longer than 100,000 characters\.$/),
      });
    },
  );
});

describe('a query of any type is nested at most 30 levels deep', () => {
  test.each<[string, (levels: number) => unknown]>([
    ['bool', (levels) => nested(levels, (query) => ({ bool: { must: [query, MATCH] } }))],
    ['bool on alternating sides', (levels) => nested(levels, alternating())],
    ['must_not', (levels) => nested(levels, (query) => ({ bool: { must_not: [query] } }))],
    ['constant_score', (levels) => nested(levels, (query) => ({ constant_score: { filter: query } }))],
    ['query_string', (levels) => ({ query_string: { query: `${'(a AND '.repeat(levels)}b${')'.repeat(levels)}` } })],
    [
      'parentheses of simple_query_string',
      (levels) => ({ simple_query_string: { query: `${'(a|'.repeat(levels - 1)}b|c${')'.repeat(levels - 1)}` } }),
    ],
    [
      'operators of simple_query_string',
      (levels) => ({ simple_query_string: { query: `${'a+b|'.repeat(levels / 2)}c` } }),
    ],
  ])('%s', async (_what, query) => {
    await expect(library.find(query(30))).resolves.toEqual(expect.any(Array));
    for (const levels of [32, 100, 1000]) {
      await expect(library.find(query(levels))).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringMatching(/(nested more than \d+ levels deep|more than 30 parentheses).*\.$/),
      });
    }
  });

  test('a body that no thread could read is refused with a sentence', async () => {
    for (const levels of [100, 2000, 50_000]) {
      const query = nested(levels, (inner) => ({ bool: { must: [inner] } }));
      await expect(library.find(query)).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringMatching(/nested more than \d+ levels deep/),
      });
      const body = library.engine.count(INDEX, query as Readonly<Record<string, unknown>>, SIGNAL);
      await expect(body).rejects.toMatchObject({ code: 'corrupt' });
    }
  });
});

test('minimums within minimums do not multiply', async () => {
  const around = (query: unknown): unknown => ({
    bool: { should: [query, MATCH, { match: { content: 'profit' } }], minimum_should_match: 2 },
  });
  expect(await library.find(nested(29, around))).toEqual(['budget', 'mail', 'report']);
  const mixed = (query: unknown): unknown => ({
    bool: { should: [query, MATCH, { term: { 'meta.language': 'en' } }], minimum_should_match: 2 },
  });
  expect(await library.find(nested(29, mixed))).toEqual(['budget', 'mail']);
});

/** `must` and `should` in turn, the inner query first and last in turn. */
function alternating(): (query: unknown) => unknown {
  let level = 0;
  return (query) => {
    level += 1;
    const clauses = level % 4 < 2 ? [query, MATCH] : [MATCH, query];
    return { bool: { [level % 2 === 0 ? 'must' : 'should']: clauses } };
  };
}
