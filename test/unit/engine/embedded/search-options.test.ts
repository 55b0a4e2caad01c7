import { describe, expect, test } from '@jest/globals';
import { INDEX, LIBRARY, openLibrary, SIGNAL } from './library.js';

const library = openLibrary();
const { search, ranked } = library;

describe('order', () => {
  test('the better hit comes first: in the title, more often, in the shorter text', async () => {
    const query = { multi_match: { query: 'budget', fields: ['content', 'meta.title^3'] } };
    const { hits } = await search({ query });
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['budget', 'mail']);
    expect(hits.max_score).toBe(hits.hits[0]?._score);
    expect(hits.hits[0]?._score).toBeGreaterThan(hits.hits[1]?._score ?? 0);
  });

  test.each([
    [
      'an optional clause lifts what has it',
      { must: { match: { content: 'profit' } }, should: { match: { content: 'board' } } },
    ],
    [
      'a boosted clause weighs more',
      { should: [{ match: { content: 'annual' } }, { match: { content: { query: 'board', boost: 50 } } }] },
    ],
    [
      'an optional value too',
      { must: { match: { content: 'profit' } }, should: { term: { 'file.extension': { value: 'eml', boost: 9 } } } },
    ],
    [
      'also through constant_score',
      {
        must: { match: { content: 'profit' } },
        should: { constant_score: { filter: { match: { content: 'board' } }, boost: 9 } },
      },
    ],
  ])('%s', async (_what, bool) => {
    expect((await ranked({ query: { bool } }))[0]).toBe('mail');
  });

  test('boosts of a query string weigh', async () => {
    expect((await ranked({ query: { query_string: { query: 'gemini festival^50' } } }))[0]).toBe('tokyo');
    expect((await ranked({ query: { query_string: { query: 'gemini^50 festival' } } }))[0]).toBe('letter');
  });

  test('a part that does not match as a whole adds nothing', async () => {
    const both = { bool: { must: [{ match: { content: 'profit' } }, { match: { content: 'nothing' } }], boost: 100 } };
    const query = { bool: { must: { match: { content: 'profit' } }, should: [both, { match: { content: 'board' } }] } };
    expect((await ranked({ query }))[0]).toBe('mail');
  });

  test('filters and exact values score a constant', async () => {
    const { hits } = await search({ query: { bool: { must: { term: { 'file.extension': 'txt' } }, boost: 2 } } });
    expect(hits.hits.map(({ _score }) => _score)).toEqual([2, 2]);
    const filtered = await search({ query: { bool: { filter: { term: { 'file.extension': 'txt' } } } } });
    expect(filtered.hits.hits.map(({ _score }) => _score)).toEqual([0, 0]);
  });

  test.each<[string, unknown, string[], unknown[][]]>([
    ['a field', ['file.filesize'], ['empty', 'tokyo', 'letter'], [[0], [52], [71]]],
    ['descending', [{ 'file.filesize': 'desc' }], ['budget', 'report', 'mail'], [[10_240], [2048], [900]]],
    [
      'a date',
      [{ 'file.last_modified': { order: 'desc' } }],
      ['mail', 'tokyo', 'letter'],
      [[1_735_776_000_000], [1_716_163_200_000], [1_711_958_400_000]],
    ],
    [
      'missing values last',
      [{ 'file.extension': 'asc' }, '_id'],
      ['mail', 'report', 'letter'],
      [
        ['eml', 'mail'],
        ['pdf', 'report'],
        ['txt', 'letter'],
      ],
    ],
    [
      'missing values first',
      [{ 'file.extension': { order: 'desc', missing: '_first' } }],
      ['empty', 'budget', 'letter'],
      [[null], ['xlsx'], ['txt']],
    ],
    [
      'missing values as',
      [{ 'external.project.code': { order: 'desc', missing: 10 } }, '_id'],
      ['letter', 'empty', 'report'],
      [
        [12, 'letter'],
        [10, 'empty'],
        [10, 'report'],
      ],
    ],
    [
      'a dynamic field',
      [{ 'external.due': 'desc' }],
      ['letter', 'budget', 'report'],
      [[Date.parse('2024-12-31')], [Date.parse('2024-06-30')], [null]],
    ],
    [
      'the least of a list',
      [{ 'external.tags.keyword': 'asc' }],
      ['budget', 'letter', 'report'],
      [['draft'], ['final'], [null]],
    ],
    [
      'the greatest of a list',
      [{ 'external.tags.keyword': 'desc' }],
      ['budget', 'letter', 'report'],
      [['internal'], ['final'], [null]],
    ],
    ['the order of indexing', ['_doc'], ['report', 'budget', 'letter'], [[1], [2], [3]]],
    [
      'an unmapped field',
      [{ 'external.nothing': { unmapped_type: 'long' } }, { _id: 'desc' }],
      ['tokyo', 'report', 'mail'],
      [
        [null, 'tokyo'],
        [null, 'report'],
        [null, 'mail'],
      ],
    ],
  ])('sort by %s', async (_what, sort, ids, values) => {
    const { hits } = await search({ sort, size: 3 });
    expect(hits.hits.map(({ _id }) => _id)).toEqual(ids);
    expect(hits.hits.map((hit) => hit.sort)).toEqual(values);
    expect(hits.hits.every(({ _score }) => _score === null)).toBe(true);
    expect(hits.max_score).toBeNull();
  });

  test('scores are reported beside a sort when asked for', async () => {
    const { hits } = await search({
      query: { match: { content: 'annual' } },
      sort: ['file.filesize'],
      track_scores: true,
    });
    expect(hits.hits.every(({ _score }) => typeof _score === 'number')).toBe(true);
    const byScore = await search({ query: { match: { content: 'profit' } }, sort: ['_score'] });
    expect(byScore.hits.hits[0]?.sort?.[0]).toBe(byScore.hits.max_score);
  });
});

describe('pages', () => {
  test('from and size', async () => {
    const sort = ['_id'];
    expect(await ranked({ sort, from: 2, size: 2 })).toEqual(['letter', 'mail']);
    expect(await ranked({ sort, from: 5, size: 10 })).toEqual(['tokyo']);
    expect((await search({ size: 0 })).hits).toEqual({
      total: { value: 6, relation: 'eq' },
      max_score: null,
      hits: [],
    });
  });

  test.each<[string, unknown]>([
    ['one key', ['file.filesize']],
    ['keys of both directions', [{ 'file.extension': 'desc' }, { 'file.filesize': 'asc' }]],
    ['missing values in between', [{ 'external.due': 'asc' }, { _id: 'asc' }]],
    ['missing values first', [{ 'external.due': { order: 'desc', missing: '_first' } }, { _id: 'desc' }]],
    ['a list of values', [{ 'external.tags.keyword': 'asc' }, '_id']],
    ['score and id', ['_score', '_id']],
  ])('search_after visits every hit once: %s', async (_what, sort) => {
    const query = { bool: { should: [{ match_all: {} }, { match: { content: 'profit' } }] } };
    const all = await ranked({ query, sort });
    const seen: string[] = [];
    let after: unknown;
    for (;;) {
      const { hits } = await search({ query, sort, size: 1, ...(after === undefined ? {} : { search_after: after }) });
      const [hit] = hits.hits;
      if (hit === undefined) break;
      seen.push(hit._id);
      after = hit.sort;
    }
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(6);
  });

  test('search_after takes a date as text', async () => {
    const body = { sort: ['file.last_modified'], search_after: ['2024-04-01'] };
    expect(await ranked(body)).toEqual(['letter', 'tokyo', 'mail']);
  });

  test.each([
    [undefined, { value: 3, relation: 'eq' }],
    [true, { value: 3, relation: 'eq' }],
    [2, { value: 2, relation: 'gte' }],
    [3, { value: 3, relation: 'eq' }],
    [false, { value: 1, relation: 'gte' }],
  ])('track_total_hits: %s', async (track, total) => {
    const query = { match: { content: 'profit' } };
    const body = { query, size: 1, ...(track === undefined ? {} : { track_total_hits: track }) };
    expect((await search(body)).hits.total).toEqual(total);
  });

  test('count', async () => {
    const { engine } = library;
    expect(await engine.count(INDEX, undefined, SIGNAL)).toBe(6);
    expect(await engine.count(INDEX, { match: { content: 'profit' } }, SIGNAL)).toBe(3);
    expect(await engine.count(INDEX, { term: { 'file.extension': 'txt' } }, SIGNAL)).toBe(2);
  });
});

describe('_source', () => {
  test.each<[string, unknown, unknown]>([
    ['everything', true, LIBRARY['tokyo']],
    ['one field', 'file.filename', { file: { filename: '手紙.txt' } }],
    ['some fields', ['file.filesize', 'meta'], { file: { filesize: 52 }, meta: { language: 'ja' } }],
    ['a pattern', 'file.file*', { file: { filename: '手紙.txt', filesize: 52 } }],
    ['without a field', { excludes: ['content', 'file', 'path'] }, { meta: { language: 'ja' } }],
    [
      'with and without',
      { includes: ['file'], excludes: ['*.last_modified', 'file.ext*'] },
      { file: { filename: '手紙.txt', filesize: 52 } },
    ],
    ['old names of the keys', { include: 'meta', exclude: 'meta.x' }, { meta: { language: 'ja' } }],
    ['nothing that fits', ['nothing'], {}],
  ])('%s', async (_what, _source, expected) => {
    const { hits } = await search({ query: { ids: { values: ['tokyo'] } }, _source });
    expect(hits.hits[0]?._source).toEqual(expected);
  });

  test('nothing at all', async () => {
    const { hits } = await search({ query: { ids: { values: ['tokyo'] } }, _source: false });
    expect(hits.hits[0]).not.toHaveProperty('_source');
  });
});

describe('highlight', () => {
  async function marks(query: unknown, highlight: object, id: string): Promise<unknown> {
    const { hits } = await search({ query, highlight });
    return hits.hits.find(({ _id }) => _id === id)?.highlight;
  }

  test.each<[string, unknown, object, string, unknown]>([
    [
      'words',
      { match: { content: 'budget board' } },
      { content: {} },
      'mail',
      { content: ['Jane, please send the <em>budget</em> report to the <em>board</em>. It is about profit.'] },
    ],
    [
      'the whole text',
      { match: { content: 'strasse' } },
      { content: { number_of_fragments: 0 } },
      'report',
      {
        content: [
          'The annual report of the <em>Straße</em> company shows a profit of twelve million euro. Annual means yearly.',
        ],
      },
    ],
    [
      'a run of Japanese',
      { match: { content: '東京' } },
      { content: {} },
      'tokyo',
      { content: ['<em>東京</em>都に住んでいる人々の annual festival'] },
    ],
    [
      'a prefix',
      { prefix: { content: 'festi' } },
      { content: {} },
      'tokyo',
      { content: ['東京都に住んでいる人々の annual <em>festival</em>'] },
    ],
    [
      'a phrase, not its words elsewhere',
      { match_phrase: { content: 'annual report' } },
      { content: { number_of_fragments: 0 } },
      'report',
      {
        content: [
          'The <em>annual</em> <em>report</em> of the Straße company shows a profit of twelve million euro. Annual means yearly.',
        ],
      },
    ],
    [
      'a keyword as a whole',
      { term: { 'file.extension': 'txt' } },
      { 'file.extension': {} },
      'tokyo',
      { 'file.extension': ['<em>txt</em>'] },
    ],
    [
      'a list',
      { match: { 'meta.keywords': 'finance' } },
      { 'meta.keywords': {} },
      'report',
      { 'meta.keywords': ['<em>finance</em>'] },
    ],
    ['only fields that were looked in', { match: { content: 'annual' } }, { 'meta.title': {} }, 'report', undefined],
    [
      'other fields when asked',
      { match: { content: 'annual' } },
      { 'meta.title': { require_field_match: false } },
      'report',
      { 'meta.title': ['<em>Annual</em> Report 2023'] },
    ],
    [
      'a pattern of fields',
      { multi_match: { query: 'annual', fields: ['meta.*'] } },
      { 'meta.*': {} },
      'report',
      { 'meta.title': ['<em>Annual</em> Report 2023'] },
    ],
    [
      'a view of a path',
      { match: { 'path.virtual.fulltext': 'ja' } },
      { 'path.virtual.fulltext': {} },
      'tokyo',
      { 'path.virtual.fulltext': ['/letters/<em>ja</em>/手紙.txt'] },
    ],
    [
      'a query without fields',
      { query_string: { query: 'gemini' } },
      { 'external.project.name': {} },
      'letter',
      { 'external.project.name': ['<em>Gemini</em>'] },
    ],
    [
      'not what must not be',
      { bool: { must: { match: { content: 'annual' } }, must_not: { match: { content: 'board' } } } },
      { content: {} },
      'tokyo',
      { content: ['東京都に住んでいる人々の <em>annual</em> festival'] },
    ],
    [
      'the beginning where nothing matches',
      { match_all: {} },
      { content: { no_match_size: 10 } },
      'budget',
      { content: ['Budget'] },
    ],
  ])('%s', async (_what, query, fields, id, expected) => {
    expect(await marks(query, { fields }, id)).toEqual(expected);
  });

  test('tags, escaping and options of one field', async () => {
    const highlight = {
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      encoder: 'html',
      fields: [{ content: { pre_tags: '«', post_tags: '»' } }, { 'meta.author': {} }],
    };
    const query = { multi_match: { query: 'jane', fields: ['content', 'meta.author'] } };
    expect(await marks(query, highlight, 'mail')).toMatchObject({
      content: [expect.stringMatching(/^«Jane», please/)],
    });
    expect(await marks(query, highlight, 'report')).toEqual({ 'meta.author': ['<b>Jane</b> Doe'] });
  });
});
