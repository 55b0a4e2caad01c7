import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CrawlerError } from '../../../../src/base/errors.js';
import { openLibrary } from './library.js';

const library = openLibrary();

const MANY = Array.from({ length: 1000 }, (_, at) => at);

test.each<[string, unknown, string[]]>([
  [
    'a thousand optional words',
    { bool: { should: MANY.map((n) => ({ match: { content: `w${n}` } })).concat({ match: { content: 'festival' } }) } },
    ['tokyo'],
  ],
  [
    'a thousand optional values',
    { bool: { should: MANY.map((n) => ({ term: { 'file.filesize': n } })) } },
    ['empty', 'letter', 'mail', 'tokyo'],
  ],
  [
    'a thousand filters',
    { bool: { filter: MANY.map((n) => ({ range: { 'file.filesize': { gte: n } } })) } },
    ['budget', 'report'],
  ],
  [
    'a thousand exclusions',
    { bool: { must_not: MANY.map((n) => ({ term: { 'file.filesize': n } })) } },
    ['budget', 'report'],
  ],
  [
    'ten thousand terms',
    { terms: { 'file.filesize': Array.from({ length: 10_000 }, (_, at) => at + 50) } },
    ['letter', 'mail', 'report', 'tokyo'],
  ],
  [
    'ten thousand ids',
    { ids: { values: [...Array.from({ length: 10_000 }, (_, at) => `id${at}`), 'mail'] } },
    ['mail'],
  ],
  [
    'a share of many words',
    {
      match: {
        content: {
          query: `${MANY.slice(0, 100)
            .map((n) => `w${n}`)
            .join(' ')} annual profit`,
          minimum_should_match: 2,
        },
      },
    },
    ['report'],
  ],
  [
    'values and words, two of many',
    {
      bool: {
        should: [...MANY.map((n) => ({ term: { 'file.filesize': n } })), { match: { content: 'festival' } }],
        minimum_should_match: 2,
      },
    },
    ['tokyo'],
  ],
])('%s', async (_what, query, ids) => {
  expect(await library.find(query)).toEqual(ids);
});

test('parts of too many different weights are refused', async () => {
  const should = MANY.slice(1, 100).map((boost) => ({ match: { content: { query: `w${boost}`, boost } } }));
  await expect(library.find({ bool: { should } })).rejects.toMatchObject({ code: 'unsupported' });
});

const UNKNOWN = ['unsupported', 'corrupt'];

test('whatever a person types into a simple query string is answered', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...Array.from('ab東 "+-|()*\\')) }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('and', 'or'), async (query, default_operator) => {
      const answer = library.find({ simple_query_string: { query: query.replaceAll('~', ''), default_operator } });
      expect(Array.isArray(await answer)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a query string is answered, or refused with a sentence', async () => {
  const part = fc.constantFrom(
    'a',
    'report',
    'AND',
    'OR',
    'NOT',
    '+',
    '-',
    '(',
    ')',
    '"',
    ':',
    'file.filesize',
    '[',
    ']',
    '{',
    '}',
    'TO',
    '>',
    '=',
    '*',
    '?',
    '^',
    '2',
    '\\',
    '~',
    '/',
    '東京',
    ' ',
    '&&',
    '||',
    '!',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ').replace(/ (?=[:)\]*?^~])/g, '')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (query) => {
      await expectAnswered(library.find({ query_string: { query } }));
    }),
    { numRuns: 500 },
  );
});

test('any words are answered, in any field', async () => {
  const field = fc.constantFrom(
    'content',
    'meta.title',
    'meta.raw.dc:subject',
    'external.tags',
    'file.filename',
    'path.virtual.fulltext',
    'path.virtual.tree',
  );
  const kind = fc.constantFrom('match', 'match_phrase', 'match_phrase_prefix', 'term', 'prefix');
  await fc.assert(
    fc.asyncProperty(kind, field, fc.string({ unit: 'binary' }), async (name, on, text) => {
      expect(Array.isArray(await library.find({ [name]: { [on]: text } }))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('any JSON as a body is answered, or refused with a sentence', async () => {
  const key = fc.constantFrom(
    'query',
    'size',
    'sort',
    'bool',
    'must',
    'match',
    'content',
    'term',
    'aggs',
    'terms',
    'field',
    'highlight',
    'fields',
    '_source',
  );
  const body = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 1 }),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  })).object;
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      await expectAnswered(library.search(value));
    }),
    { numRuns: 500 },
  );
});

async function expectAnswered(answer: Promise<unknown>): Promise<void> {
  const refusal: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal === undefined) return;
  expect(refusal).toBeInstanceOf(CrawlerError);
  expect(UNKNOWN).toContain((refusal as CrawlerError).code);
  expect((refusal as CrawlerError).message).toMatch(/\.$/);
}
