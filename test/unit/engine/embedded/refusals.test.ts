import { describe, expect, test } from '@jest/globals';
import { INDEX, openLibrary, SIGNAL } from './library.js';

const library = openLibrary();
const MATCH = { match: { content: 'budget' } };

async function refusal(body: unknown): Promise<{ code: string; message: string }> {
  const error: unknown = await library.search(body as Record<string, unknown>).then(
    () => new Error('The search was answered.'),
    (reason: unknown) => reason,
  );
  return error as { code: string; message: string };
}

type Row = [what: string, body: unknown, named: string];

describe('what is not supported is refused by its name', () => {
  test.each<Row>([
    ['an option of a fuzzy query', { query: { fuzzy: { content: { value: 'x', analyzer: 'a' } } } }, '[analyzer]'],
    ['a document that is not stored', { query: { more_like_this: { like: { doc: { content: 'x' } } } } }, '[doc]'],
    ['a document of another index', { query: { more_like_this: { like: { _index: 'other', _id: '1' } } } }, '[other]'],
    [
      'a comparison of numbers',
      { query: { more_like_this: { fields: ['file.filesize'], like: 'x' } } },
      '[file.filesize]',
    ],
    ['regexp', { query: { regexp: { content: 'x' } } }, '[regexp]'],
    ['nested', { query: { nested: { path: 'external', query: MATCH } } }, '[nested]'],
    ['script_score', { query: { script_score: {} } }, '[script_score]'],
    [
      'an option of match',
      { query: { match: { content: { query: 'x', zero_terms_query: 'all' } } } },
      '[zero_terms_query]',
    ],
    ['an analyzer', { query: { match_phrase: { content: { query: 'x', analyzer: 'english' } } } }, '[analyzer]'],
    [
      'an option of match_phrase_prefix',
      { query: { match_phrase_prefix: { content: { query: 'x', max_expansions: 5 } } } },
      '[max_expansions]',
    ],
    ['an option of multi_match', { query: { multi_match: { query: 'x', tie_breaker: 0.3 } } }, '[tie_breaker]'],
    ['a type of multi_match', { query: { multi_match: { query: 'x', type: 'bool_prefix' } } }, '[type: bool_prefix]'],
    ['slop of words', { query: { multi_match: { query: 'x', slop: 1 } } }, '[slop]'],
    ['an operator', { query: { match: { content: { query: 'x', operator: 'xor' } } } }, '[operator: xor]'],
    [
      'a combined minimum',
      { query: { match: { content: { query: 'x', minimum_should_match: '2<75%' } } } },
      '[minimum_should_match: 2<75%]',
    ],
    [
      'term ignoring case',
      { query: { term: { 'file.extension': { value: 'PDF', case_insensitive: true } } } },
      '[case_insensitive]',
    ],
    [
      'a terms look-up',
      { query: { terms: { 'file.extension': { index: 'a', id: '1', path: 'x' } } } },
      'another document',
    ],
    ['a format', { query: { range: { 'file.created': { gte: '01/02/2024', format: 'dd/MM/yyyy' } } } }, '[format]'],
    [
      'a named zone',
      { query: { range: { 'file.created': { gte: '2024', time_zone: 'Europe/Paris' } } } },
      '[time_zone: Europe/Paris]',
    ],
    ['a range of words', { query: { range: { content: { gte: 'a' } } } }, '[content]'],
    ['a wildcard in words', { query: { wildcard: { content: '*port' } } }, '[*port]'],
    ['a wildcard in words of a query string', { query: { query_string: { query: 're*rt' } } }, '[re*rt]'],
    ['a regular expression', { query: { query_string: { query: '/bud.*/' } } }, 'regular expressions'],
    [
      'an option of query_string',
      { query: { query_string: { query: 'x', analyze_wildcard: true } } },
      '[analyze_wildcard]',
    ],
    ['flags', { query: { simple_query_string: { query: 'x', flags: 'ALL' } } }, '[flags]'],
    ['a named query', { query: { bool: { must: MATCH, _name: 'first' } } }, '[_name]'],
    ['a clause of bool', { query: { bool: { musst: MATCH } } }, '[musst]'],
    ['an index field', { query: { term: { _index: 'library' } } }, '[_index]'],
    ['a field that is only stored', { query: { term: { 'file.url': 'x' } } }, '[file.url]'],
    ['a binary field', { query: { match: { attachment: 'x' } } }, '[attachment]'],
    ['a key of the body', { query: MATCH, rescore: {} }, '[rescore]'],
    ['fields', { fields: ['content'] }, '[fields]'],
    ['a suggested phrase', { suggest: { a: { text: 'x', phrase: { field: 'content' } } } }, '[phrase]'],
    ['a completion', { suggest: { a: { prefix: 'x', completion: { field: 'content' } } } }, '[prefix]'],
    [
      'an option of suggest',
      { suggest: { a: { text: 'x', term: { field: 'content', analyzer: 'a' } } } },
      '[analyzer]',
    ],
    ['a suggestion of nothing known', { suggest: { a: { text: 'x', term: { field: 'none' } } } }, '[none]'],
    ['hits within groups', { collapse: { field: 'file.extension', inner_hits: { name: 'a' } } }, '[inner_hits]'],
    ['groups of nothing known', { collapse: { field: 'external.none' } }, '[external.none]'],
    ['groups of several values', { collapse: { field: 'external.tags.keyword' } }, '[external.tags.keyword]'],
    ['groups of words', { collapse: { field: 'content' } }, '[content]'],
    ['groups of dates', { collapse: { field: 'file.last_modified' } }, '[file.last_modified]'],
    [
      'groups behind a hit',
      { collapse: { field: 'file.extension' }, sort: ['file.extension'], search_after: ['a'] },
      '[search_after]',
    ],
    ['sort by words', { sort: ['content'] }, '[content]'],
    ['sort by nothing known', { sort: ['external.nothing'] }, '[external.nothing]'],
    ['a sort mode', { sort: [{ 'file.filesize': { mode: 'avg' } }] }, '[mode: avg]'],
    ['a sort option', { sort: [{ 'file.filesize': { nested: {} } }] }, '[nested]'],
    ['a deep page', { from: 9_999, size: 2 }, '10000'],
    ['a highlighter', { highlight: { type: 'fvh', fields: { content: {} } } }, '[type: fvh]'],
    ['a highlight option', { highlight: { fields: { content: { boundary_scanner: 'word' } } } }, '[boundary_scanner]'],
    ['an aggregation', { aggs: { a: { histogram: { field: 'file.filesize', interval: 10 } } } }, '[histogram]'],
    ['an option of terms', { aggs: { a: { terms: { field: 'file.extension', include: 'p.*' } } } }, '[include]'],
    [
      'an order by a metric',
      { aggs: { a: { terms: { field: 'file.extension', order: { size: 'desc' } } } } },
      '[size]',
    ],
    [
      'an option of date_histogram',
      { aggs: { a: { date_histogram: { field: 'file.created', calendar_interval: 'day', offset: '6h' } } } },
      '[offset]',
    ],
    [
      'the old interval',
      { aggs: { a: { date_histogram: { field: 'file.created', interval: 'day' } } } },
      'fixed_interval',
    ],
    [
      'a histogram of texts',
      { aggs: { a: { date_histogram: { field: 'file.extension', calendar_interval: 'day' } } } },
      '[file.extension]',
    ],
    ['terms of words', { aggs: { a: { terms: { field: 'content' } } } }, '[content]'],
    ['the average of texts', { aggs: { a: { avg: { field: 'file.extension' } } } }, '[avg]'],
  ])('%s', async (_what, body, named) => {
    const { code, message } = await refusal(body);
    expect(['unsupported', 'corrupt']).toContain(code);
    expect(message).toContain(named);
  });
});

describe('what is malformed is answered with what was expected', () => {
  test.each<Row>([
    ['two queries in one', { query: { match: {}, term: {} } }, 'exactly one key'],
    ['an empty query', { query: {} }, 'exactly one key'],
    ['a query that is a list', { query: [] }, 'an object'],
    ['a query of the wrong shape', { query: { match: 'budget' } }, 'an object'],
    ['a match without a text', { query: { match: { content: { operator: 'and' } } } }, '[query]'],
    ['a text that is a list', { query: { match: { content: ['a'] } } }, '[query]'],
    ['a number that is none', { query: { term: { 'file.filesize': 'big' } } }, '[file.filesize]'],
    ['a date that is none', { query: { range: { 'file.last_modified': { gte: 'soon' } } } }, '[soon]'],
    ['a day that is none', { query: { range: { 'file.last_modified': { gte: '2024-02-30' } } } }, '[2024-02-30]'],
    ['terms without a list', { query: { terms: { 'file.extension': 'pdf' } } }, 'a list'],
    ['a term that is an object', { query: { terms: { 'file.extension': [{}] } } }, 'a text'],
    ['an exists without a field', { query: { exists: {} } }, '[field]'],
    ['a boost', { query: { match: { content: { query: 'x', boost: 'high' } } } }, '[boost]'],
    ['a field weight', { query: { multi_match: { query: 'x', fields: ['content^x'] } } }, 'content^x'],
    ['an open parenthesis', { query: { query_string: { query: '(budget' } } }, 'parenthesis'],
    ['a closing parenthesis', { query: { query_string: { query: 'budget)' } } }, 'parenthesis'],
    ['an open quotation', { query: { query_string: { query: '"budget' } } }, 'quotation mark'],
    ['an operator at the end', { query: { query_string: { query: 'budget AND' } } }, 'operator'],
    ['a range that does not end', { query: { query_string: { query: 'file.filesize:[1 TO' } } }, 'range'],
    ['a size below zero', { size: -1 }, '[size]'],
    ['a fraction', { from: 1.5 }, '[from]'],
    ['a source filter', { _source: 5 }, '[_source]'],
    ['search_after without sort', { search_after: [1] }, '[sort]'],
    ['search_after of another length', { sort: ['file.filesize'], search_after: [1, 2] }, '[search_after]'],
    ['search_after beside from', { sort: ['file.filesize'], search_after: [1], from: 1 }, '[from]'],
    ['search_after of another type', { sort: ['file.filesize'], search_after: ['big'] }, '[search_after]'],
    ['a sort', { sort: [7] }, '[sort]'],
    ['a highlight without fields', { highlight: {} }, '[fields]'],
    ['an aggregation without a type', { aggs: { a: {} } }, '[a]'],
    ['an aggregation without a field', { aggs: { a: { terms: {} } } }, '[field]'],
    [
      'an interval',
      { aggs: { a: { date_histogram: { field: 'file.created', fixed_interval: '1M' } } } },
      'calendar_interval',
    ],
    [
      'a metric with aggregations',
      { aggs: { a: { avg: { field: 'file.filesize' }, aggs: { b: { avg: { field: 'file.filesize' } } } } } },
      '[a]',
    ],
    ['true or false', { track_scores: 'maybe' }, '[track_scores]'],
  ])('%s', async (_what, body, named) => {
    const { code, message } = await refusal(body);
    expect(code).toBe('corrupt');
    expect(message).toContain(named);
    expect(message).toMatch(/^[A-Z[].*\.$/s);
  });

  test('a query that is nested too deep', async () => {
    let query: unknown = MATCH;
    for (let level = 0; level < 40; level += 1) query = { bool: { must: query } };
    expect(await refusal({ query })).toMatchObject({ code: 'corrupt', message: expect.stringContaining('30 levels') });
  });

  test('a query that cannot even be handed on', async () => {
    let query: unknown = MATCH;
    for (let level = 0; level < 100_000; level += 1) query = { bool: { must: query } };
    expect(await refusal({ query })).toMatchObject({ code: 'corrupt' });
    await expect(library.find(MATCH)).resolves.toHaveLength(2);
  });

  test('too many words', async () => {
    const text = Array.from({ length: 1100 }, (_, at) => `w${at}`).join(' ');
    expect(await refusal({ query: { match: { content: text } } })).toMatchObject({ code: 'corrupt' });
  });

  test('many words are answered', async () => {
    const text = Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' ');
    await expect(library.find({ match: { content: `${text} festival` } })).resolves.toEqual(['tokyo']);
  });
});

test('a search, a count and a mapping of an index that does not exist are not found', async () => {
  const missing = expect.objectContaining({ code: 'not_found' });
  const { engine } = library;
  await expect(engine.search({ index: 'nothing', body: {} }, SIGNAL)).rejects.toEqual(missing);
  await expect(engine.count('nothing', undefined, SIGNAL)).rejects.toEqual(missing);
  await expect(engine.mapping('nothing', SIGNAL)).rejects.toEqual(missing);
  await expect(engine.get(INDEX, 'nothing', SIGNAL)).resolves.toBeUndefined();
});
