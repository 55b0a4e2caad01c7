import { describe, expect, test } from '@jest/globals';
import { openLibrary } from './library.js';

const library = openLibrary();

async function aggregate(work: unknown, query: unknown = { match_all: {} }): Promise<unknown> {
  const { aggregations } = await library.search({ size: 0, query, aggs: { result: work } });
  return aggregations?.['result'];
}

function buckets(...rows: [key: unknown, count: number][]): unknown {
  return expect.objectContaining({
    buckets: rows.map(([key, doc_count]) => expect.objectContaining({ key, doc_count })),
  });
}

describe('terms', () => {
  test.each<[string, object, unknown]>([
    ['most first, then by key', { field: 'file.extension' }, buckets(['txt', 2], ['eml', 1], ['pdf', 1], ['xlsx', 1])],
    [
      'by key',
      { field: 'file.extension', order: { _key: 'desc' } },
      buckets(['xlsx', 1], ['txt', 2], ['pdf', 1], ['eml', 1]),
    ],
    ['least first', { field: 'file.extension', order: [{ _count: 'asc' }], size: 2 }, buckets(['eml', 1], ['pdf', 1])],
    ['a minimum', { field: 'file.extension', min_doc_count: 2 }, buckets(['txt', 2])],
    [
      'a list counts a document once a value',
      { field: 'external.tags.keyword' },
      buckets(['draft', 1], ['final', 1], ['internal', 1]),
    ],
    ['text with an exact view', { field: 'meta.author' }, buckets(['Jane Doe', 1], ['John Roe', 1])],
    ['numbers', { field: 'external.project.code' }, buckets([7, 1], [7.5, 1], [12, 1])],
    ['booleans', { field: 'external.approved' }, buckets([0, 1], [1, 1])],
    ['a field that no document has', { field: 'external.nothing' }, buckets()],
  ])('%s', async (_what, terms, expected) => {
    expect(await aggregate({ terms })).toEqual(expected);
  });

  test('tells how many documents the buckets that are not shown have', async () => {
    expect(await aggregate({ terms: { field: 'file.extension', size: 1 } })).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 3,
      buckets: [{ key: 'txt', doc_count: 2 }],
    });
  });

  test('keys of booleans and dates are reported as texts too', async () => {
    expect(await aggregate({ terms: { field: 'external.approved', order: { _key: 'desc' }, size: 1 } })).toMatchObject({
      buckets: [{ key: 1, key_as_string: 'true' }],
    });
    expect(await aggregate({ terms: { field: 'external.due', order: { _key: 'asc' }, size: 1 } })).toMatchObject({
      buckets: [{ key: Date.parse('2024-06-30'), key_as_string: '2024-06-30T00:00:00.000Z' }],
    });
  });

  test('counts only what the query finds', async () => {
    const query = { match: { content: 'annual' } };
    expect(await aggregate({ terms: { field: 'file.extension' } }, query)).toEqual(buckets(['pdf', 1], ['txt', 1]));
  });
});

describe('date_histogram', () => {
  const field = 'file.last_modified';
  const since = { range: { [field]: { gte: '2024-01-01', lt: '2024-06-01' } } };

  test.each<[string, object, [string, number][]]>([
    [
      'months, empty ones too',
      { calendar_interval: 'month' },
      [
        ['2024-01-01T00:00:00.000Z', 1],
        ['2024-02-01T00:00:00.000Z', 0],
        ['2024-03-01T00:00:00.000Z', 1],
        ['2024-04-01T00:00:00.000Z', 1],
        ['2024-05-01T00:00:00.000Z', 1],
      ],
    ],
    [
      'only full ones',
      { calendar_interval: '1M', min_doc_count: 1 },
      [
        ['2024-01-01T00:00:00.000Z', 1],
        ['2024-03-01T00:00:00.000Z', 1],
        ['2024-04-01T00:00:00.000Z', 1],
        ['2024-05-01T00:00:00.000Z', 1],
      ],
    ],
    [
      'on the clock of a zone',
      { calendar_interval: 'month', time_zone: '+02:00', min_doc_count: 1 },
      [
        ['2024-01-01T00:00:00.000+02:00', 1],
        ['2024-04-01T00:00:00.000+02:00', 2],
        ['2024-05-01T00:00:00.000+02:00', 1],
      ],
    ],
    [
      'quarters',
      { calendar_interval: 'quarter' },
      [
        ['2024-01-01T00:00:00.000Z', 2],
        ['2024-04-01T00:00:00.000Z', 2],
      ],
    ],
    ['years', { calendar_interval: '1y' }, [['2024-01-01T00:00:00.000Z', 4]]],
    [
      'weeks begin on Monday',
      { calendar_interval: 'week', min_doc_count: 1 },
      [
        ['2024-01-15T00:00:00.000Z', 1],
        ['2024-03-25T00:00:00.000Z', 1],
        ['2024-04-01T00:00:00.000Z', 1],
        ['2024-05-20T00:00:00.000Z', 1],
      ],
    ],
    [
      'days',
      { calendar_interval: 'day', min_doc_count: 1 },
      [
        ['2024-01-15T00:00:00.000Z', 1],
        ['2024-03-31T00:00:00.000Z', 1],
        ['2024-04-01T00:00:00.000Z', 1],
        ['2024-05-20T00:00:00.000Z', 1],
      ],
    ],
    [
      'steps of equal length',
      { fixed_interval: '90d' },
      [
        ['2023-12-19T00:00:00.000Z', 1],
        ['2024-03-18T00:00:00.000Z', 3],
      ],
    ],
  ])('%s', async (_what, options, expected) => {
    const result = await aggregate({ date_histogram: { field, ...options } }, since);
    const { buckets: found } = result as { buckets: { key: number; key_as_string: string; doc_count: number }[] };
    expect(found.map(({ key_as_string, doc_count }) => [key_as_string, doc_count])).toEqual(expected);
    expect(found.map(({ key }) => key)).toEqual(expected.map(([text]) => Date.parse(text)));
  });

  test('too many buckets are refused', async () => {
    await expect(aggregate({ date_histogram: { field, fixed_interval: '1s' } })).rejects.toMatchObject({
      code: 'too_large',
    });
  });
});

describe('metrics', () => {
  test.each<[string, object, unknown]>([
    ['min', { min: { field: 'file.filesize' } }, { value: 0 }],
    ['max', { max: { field: 'file.filesize' } }, { value: 10_240 }],
    ['sum', { sum: { field: 'file.filesize' } }, { value: 13_311 }],
    ['avg', { avg: { field: 'external.project.code' } }, { value: 26.5 / 3 }],
    ['value_count', { value_count: { field: 'external.tags.keyword' } }, { value: 3 }],
    ['cardinality', { cardinality: { field: 'file.extension' } }, { value: 4 }],
    ['stats', { stats: { field: 'external.project.code' } }, { count: 3, min: 7, max: 12, avg: 26.5 / 3, sum: 26.5 }],
    [
      'a date',
      { max: { field: 'file.last_modified' } },
      { value: Date.parse('2025-01-02'), value_as_string: '2025-01-02T00:00:00.000Z' },
    ],
    ['nothing', { min: { field: 'external.nothing' } }, { value: null }],
    ['the sum of nothing', { sum: { field: 'external.nothing' } }, { value: 0 }],
  ])('%s', async (_what, work, expected) => {
    expect(await aggregate(work)).toEqual(expected);
  });
});

describe('buckets within buckets', () => {
  test('filter', async () => {
    const work = { filter: { match: { content: 'profit' } }, aggs: { size: { max: { field: 'file.filesize' } } } };
    expect(await aggregate(work)).toEqual({ doc_count: 3, size: { value: 10_240 } });
  });

  test('each bucket has its own documents', async () => {
    const aggs = { size: { sum: { field: 'file.filesize' } }, languages: { terms: { field: 'meta.language' } } };
    expect(await aggregate({ terms: { field: 'file.extension', size: 2 }, aggs })).toMatchObject({
      buckets: [
        { key: 'txt', doc_count: 2, size: { value: 123 }, languages: buckets(['de', 1], ['ja', 1]) },
        { key: 'eml', doc_count: 1, size: { value: 900 }, languages: buckets() },
      ],
    });
  });

  test('three levels, under the long name', async () => {
    const deep = { terms: { field: 'meta.language' } };
    const middle = { terms: { field: 'file.extension' }, aggregations: { deep } };
    const work = {
      date_histogram: { field: 'file.last_modified', calendar_interval: 'year' },
      aggregations: { middle },
    };
    expect(await aggregate(work, { match: { content: 'festival' } })).toMatchObject({
      buckets: [
        { doc_count: 1, middle: { buckets: [{ key: 'txt', deep: { buckets: [{ key: 'ja', doc_count: 1 }] } }] } },
      ],
    });
  });

  test('several at once, beside hits', async () => {
    const body = {
      query: { match: { content: 'annual' } },
      aggs: { a: { max: { field: 'file.filesize' } }, b: { terms: { field: 'meta.language' } } },
    };
    const { hits, aggregations } = await library.search(body);
    expect(hits.hits).toHaveLength(2);
    expect(aggregations).toEqual({ a: { value: 2048 }, b: buckets(['ja', 1]) });
  });
});
