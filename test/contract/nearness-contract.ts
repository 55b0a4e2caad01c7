import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SearchEngine, SearchResponse } from '../../src/engine/engine.js';

/**
 * Words near others, suggestions, groups and filters behind the aggregations: the same requests to every engine, the embedded
 * one and real servers, with the same answers. Scores are each engine's own; where their order is a promise, it is compared.
 */
const SIGNAL = new AbortController().signal;

const DOCUMENTS = {
  one: { content: 'lighthouse keeper report', file: { extension: 'pdf', filesize: 1 } },
  two: { content: 'lighthouses and reports', file: { extension: 'pdf', filesize: 2 } },
  three: { content: 'lighthose typo', file: { extension: 'txt', filesize: 3 } },
  four: { content: 'lighthouse lighthouse', file: { filesize: 4 } },
  five: { content: 'lighthouse again', file: { filesize: 5 } },
  six: { content: 'else', file: { filesize: 6 }, external: { tags: ['x', 'y'] } },
};

export function nearnessContract(name: string, open: (index: string) => Promise<SearchEngine>): void {
  describe(`${name} finds what is near`, () => {
    const index = `contract-${Date.now().toString(36)}-near`;
    let engine: SearchEngine;

    beforeAll(async () => {
      engine = await open(index);
      await engine.prepare(SIGNAL);
      const operations = Object.entries(DOCUMENTS).map(([id, document]) => {
        return { kind: 'index', index, id, document } as const;
      });
      const outcomes = await engine.write(operations, SIGNAL);
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
    });
    afterAll(() => engine.close());

    const search = (body: Readonly<Record<string, unknown>>): Promise<SearchResponse> =>
      engine.search({ index, body }, SIGNAL);
    const idsOf = ({ hits }: SearchResponse): string[] => hits.hits.map(({ _id }) => _id);

    const content = (options: object): object => ({ match: { content: options } });
    test.each<[string, object, string[]]>([
      ['a word by AUTO', content({ query: 'lighthuose', fuzziness: 'AUTO' }), ['five', 'four', 'one', 'three', 'two']],
      ['one edit', content({ query: 'lighthuose', fuzziness: 1 }), ['five', 'four', 'one', 'three']],
      ['no edit', content({ query: 'lighthuose', fuzziness: 0 }), []],
      ['more than two edits', content({ query: 'lighthuose', fuzziness: 7 }), ['five', 'four', 'one', 'three', 'two']],
      ['short words by AUTO', content({ query: 'elso an', fuzziness: 'AUTO' }), ['six']],
      [
        'lengths of its own',
        content({ query: 'lighthuose', fuzziness: 'AUTO:4,12' }),
        ['five', 'four', 'one', 'three'],
      ],
      ['exchanged letters', content({ query: 'tpyo', fuzziness: 1 }), ['three']],
      ['but not where they count twice', content({ query: 'tpyo', fuzziness: 1, fuzzy_transpositions: false }), []],
      ['behind a beginning', content({ query: 'xighthouse', fuzziness: 1, prefix_length: 1 }), []],
      ['the nearest only', content({ query: 'lighthose', fuzziness: 2, max_expansions: 1 }), ['three']],
      ['all words', content({ query: 'lighthuose kepeer', fuzziness: 'AUTO', operator: 'and' }), ['one']],
      [
        'several fields',
        { multi_match: { query: 'tipo', fields: ['content', 'meta.title'], fuzziness: 1 } },
        ['three'],
      ],
      ['a fuzzy query', { fuzzy: { content: 'lighthuose' } }, ['five', 'four', 'one', 'three', 'two']],
      [
        'with options',
        { fuzzy: { content: { value: 'lighthuose', fuzziness: 1, prefix_length: 3, transpositions: false } } },
        ['three'],
      ],
      ['a keyword', { fuzzy: { 'file.extension': { value: 'pfd', fuzziness: 1 } } }, ['one', 'two']],
      ['a keyword in a match', { match: { 'file.extension': { query: 'tx', fuzziness: 1 } } }, ['three']],
      ['a tilde', { query_string: { query: 'lighthuose~ AND kepeer~', fields: ['content'] } }, ['one']],
      ['a tilde and a number', { query_string: { query: 'lightXousY~1', fields: ['content'] } }, []],
      ['a number below one', { query_string: { query: 'lighthuose~0.8', fields: ['content'] } }, []],
      ['a tilde with a field and a boost', { query_string: { query: 'content:tipo~1^3' } }, ['three']],
      [
        'a tilde of two',
        { simple_query_string: { query: 'lightXousY~', fields: ['content'] } },
        ['five', 'four', 'one'],
      ],
      ['one of one', { simple_query_string: { query: 'lightXousY~1 + else', fields: ['content'] } }, []],
      [
        'the words of a document',
        { more_like_this: { fields: ['content'], like: { _id: 'four' }, min_term_freq: 1, min_doc_freq: 1 } },
        ['five', 'one'],
      ],
      [
        'the words of a document, and the document',
        {
          more_like_this: {
            fields: ['content'],
            like: { _id: 'four' },
            min_term_freq: 1,
            min_doc_freq: 1,
            include: true,
          },
        },
        ['five', 'four', 'one'],
      ],
      [
        'the words of a text',
        { more_like_this: { fields: ['content'], like: 'keeper typo', min_term_freq: 1, min_doc_freq: 1 } },
        ['one', 'three'],
      ],
      [
        'most of its words',
        {
          more_like_this: {
            fields: ['content'],
            like: 'lighthouse keeper',
            min_term_freq: 1,
            min_doc_freq: 1,
            minimum_should_match: '100%',
          },
        },
        ['one'],
      ],
      [
        'its words but for some',
        {
          more_like_this: {
            fields: ['content'],
            like: 'lighthouse keeper typo',
            unlike: 'keeper',
            stop_words: ['typo'],
            min_term_freq: 1,
            min_doc_freq: 1,
          },
        },
        ['five', 'four', 'one'],
      ],
      ['words that are rare in the text', { more_like_this: { fields: ['content'], like: 'keeper typo' } }, []],
      ['a document that is not there', { more_like_this: { fields: ['content'], like: { _id: 'none' } } }, []],
    ])('by %s', async (_what, query, ids) => {
      expect(idsOf(await search({ query })).sort()).toEqual(ids);
      expect(await engine.count(index, query as Record<string, unknown>, SIGNAL)).toBe(ids.length);
    });

    test('a misspelling is not ranked before the word for being rare', async () => {
      const found = await search({ query: content({ query: 'lighthuose', fuzziness: 'AUTO' }) });
      // What is as long and as near counts about the same.
      expect(idsOf(found)[0]).toBe('four');
      expect(idsOf(found)[4]).toBe('two');
    });

    test('marks the words that were near enough', async () => {
      const query = content({ query: 'lighthuose', fuzziness: 'AUTO' });
      const found = await search({ query, highlight: { fields: { content: {} } }, sort: ['file.filesize'] });
      expect(found.hits.hits.map(({ highlight }) => highlight?.['content']?.[0])).toEqual([
        '<em>lighthouse</em> keeper report',
        '<em>lighthouses</em> and reports',
        '<em>lighthose</em> typo',
        '<em>lighthouse</em> <em>lighthouse</em>',
        '<em>lighthouse</em> again',
      ]);
    });

    test.each<[string, object]>([
      ['that is no number', content({ query: 'x', fuzziness: 'x' })],
      ['of a number', { match: { 'file.filesize': { query: '1', fuzziness: 1 } } }],
      ['across fields', { multi_match: { query: 'x', fields: ['content'], type: 'cross_fields', fuzziness: 1 } }],
      ['of a phrase', { match_phrase: { content: { query: 'x y', fuzziness: 1 } } }],
    ])('fuzziness %s is refused', async (_what, query) => {
      await expect(search({ query })).rejects.toMatchObject({ name: 'CrawlerError' });
    });

    const lighthouse = content({ query: 'lighthouse' });
    const types = { types: { terms: { field: 'file.extension' } } };

    test('shows the first hit of each group, and counts them all', async () => {
      const collapse = { field: 'file.extension' };
      const byScore = await search({
        query: { match_all: {} },
        sort: [{ 'file.filesize': 'desc' }],
        collapse,
        aggs: types,
      });
      expect(byScore.hits.total.value).toBe(6);
      expect(byScore.hits.hits.map(({ _id, fields, sort }) => [_id, fields, sort])).toEqual([
        ['six', undefined, [6]],
        ['three', { 'file.extension': ['txt'] }, [3]],
        ['two', { 'file.extension': ['pdf'] }, [2]],
      ]);
      expect(byScore.aggregations).toMatchObject({
        types: { buckets: [{ key: 'pdf', doc_count: 2 }, { key: 'txt' }] },
      });
      const best = await search({ query: lighthouse, collapse });
      expect(idsOf(best)).toEqual(['four', 'one']);
      expect(best.hits.total.value).toBe(3);
      expect(idsOf(await search({ query: lighthouse, collapse, from: 1, size: 1 }))).toEqual(['one']);
      expect(idsOf(await search({ collapse: { field: 'file.filesize' }, sort: ['file.filesize'], size: 2 }))).toEqual([
        'one',
        'two',
      ]);
    });

    test.each<[string, object]>([
      ['words', { field: 'content' }],
      ['several values', { field: 'external.tags.keyword' }],
      ['nothing known', { field: 'external.none' }],
    ])('groups by %s are refused', async (_what, collapse) => {
      await expect(search({ collapse })).rejects.toMatchObject({ name: 'CrawlerError' });
    });

    test('a filter behind the aggregations concerns hits only', async () => {
      const found = await search({ query: lighthouse, post_filter: { term: { 'file.filesize': 4 } }, aggs: types });
      expect(idsOf(found)).toEqual(['four']);
      expect(found.hits.total.value).toBe(1);
      expect(found.hits.max_score).toBe(found.hits.hits[0]?._score);
      expect(found.aggregations).toMatchObject({ types: { buckets: [{ key: 'pdf', doc_count: 1 }] } });
    });

    test('a least score concerns hits and aggregations', async () => {
      const { hits } = await search({ query: lighthouse });
      expect(idsOf({ hits } as SearchResponse)).toEqual(['four', 'five', 'one']);
      const between = ((hits.hits[1]?._score ?? 0) + (hits.hits[2]?._score ?? 0)) / 2;
      const found = await search({ query: lighthouse, min_score: between, aggs: types });
      expect(idsOf(found)).toEqual(['four', 'five']);
      expect(found.hits.total).toEqual({ value: 2, relation: 'eq' });
      expect(found.aggregations).toMatchObject({ types: { buckets: [] } });
      const sorted = await search({ query: lighthouse, min_score: between, sort: [{ 'file.filesize': 'desc' }] });
      expect(idsOf(sorted)).toEqual(['five', 'four']);
    });

    test('suggests words of the index', async () => {
      const text = 'Lighthuse repport else xyzzyq';
      const a = { term: { field: 'content' } };
      const { suggest, hits } = await search({ suggest: { text, a } });
      expect(hits).toMatchObject({ total: { value: 0 }, hits: [] });
      const shown = suggest?.['a']?.map((word) => ({
        ...word,
        options: word.options.map((option) => ({ ...option, score: option.score.toFixed(4) })),
      }));
      expect(shown).toEqual([
        {
          text: 'lighthuse',
          offset: 0,
          length: 9,
          options: [
            { text: 'lighthouse', score: '0.8889', freq: 3 },
            { text: 'lighthose', score: '0.8889', freq: 1 },
            { text: 'lighthouses', score: '0.7778', freq: 1 },
          ],
        },
        {
          text: 'repport',
          offset: 10,
          length: 7,
          options: [
            { text: 'report', score: '0.8333', freq: 1 },
            { text: 'reports', score: '0.7143', freq: 1 },
          ],
        },
        { text: 'else', offset: 18, length: 4, options: [] },
        { text: 'xyzzyq', offset: 23, length: 6, options: [] },
      ]);
    });

    test.each<[string, string, object, string[]]>([
      ['for a word that is known', 'lighthose', {}, []],
      ['always', 'lighthose', { suggest_mode: 'always' }, ['lighthouse', 'lighthouses']],
      ['only what is more frequent', 'lighthose', { suggest_mode: 'popular' }, ['lighthouse']],
      ['by frequency', 'lighthuses', { sort: 'frequency' }, ['lighthouse', 'lighthouses', 'lighthose']],
      ['few', 'lighthuse', { size: 1 }, ['lighthouse']],
      ['one edit', 'repport', { max_edits: 1 }, ['report']],
      ['behind a beginning', 'xighthouse', {}, []],
      ['without one', 'xighthouse', { prefix_length: 0, max_edits: 1 }, ['lighthouse']],
      ['short words', 'tipo', { min_word_length: 5 }, []],
      ['frequent words', 'lighthuse', { min_doc_freq: 2 }, ['lighthouse']],
    ])('suggests %s', async (_what, text, options, expected) => {
      const { suggest } = await search({ suggest: { a: { text, term: { field: 'content', ...options } } } });
      expect(suggest?.['a']?.[0]?.options.map((option) => option.text)).toEqual(expected);
    });

    test('suggests beside the hits of a search', async () => {
      const a = { text: 'repport', term: { field: 'content' } };
      const found = await search({ query: lighthouse, suggest: { a } });
      expect(found.hits.total.value).toBe(3);
      expect(found.suggest?.['a']).toHaveLength(1);
    });
  });
}
