import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bulkItems } from '../../../../src/engine/elastic/bulk-answer.js';

const answer = JSON.stringify({
  took: 3,
  errors: true,
  items: [
    { index: { _id: 'a', status: 201 } },
    {
      index: {
        _id: 'b"}]',
        status: 400,
        error: {
          type: 'mapper_parsing_exception',
          reason: 'no {date}',
          caused_by: { type: 'x', reason: 'really not' },
        },
      },
    },
    { delete: { _id: 'c', status: 404 } },
  ],
});

describe('the items of a bulk answer', () => {
  test('carry id, status and the reason down to its cause', () => {
    expect(bulkItems(answer)).toEqual([
      { id: 'a', status: 201, error: undefined },
      { id: 'b"}]', status: 400, error: { type: 'mapper_parsing_exception', reason: 'no {date}: really not' } },
      { id: 'c', status: 404, error: undefined },
    ]);
  });

  test.each([
    ['a page of a proxy', '<html><body>Bad gateway</body></html>'],
    ['an error instead of items', '{"error":{"type":"x","reason":"y"},"status":400}'],
    ['nothing', ''],
    ['items that are no list', '{"items":{"index":{"status":201}}}'],
    ['an item without a status', '{"items":[{"index":{"_id":"a"}}]}'],
  ])('are none in %s', (_, text) => {
    expect(bulkItems(text)).toEqual([]);
  });

  test('end where an item is missing its status, so that the rest is not taken for the wrong documents', () => {
    const text = '{"items":[{"index":{"_id":"a","status":201}},null,{"index":{"_id":"c","status":201}}]}';
    expect(bulkItems(text)).toEqual([{ id: 'a', status: 201, error: undefined }]);
  });

  test('of an answer torn anywhere are the first ones of the whole answer', () => {
    const whole = bulkItems(answer);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: answer.length }), (length) => {
        const torn = bulkItems(answer.slice(0, length));
        expect(torn).toEqual(whole.slice(0, torn.length));
      }),
    );
  });

  test('are read from whatever ids and reasons a torn answer holds', () => {
    const item = fc.record({ _id: fc.string(), status: fc.integer({ min: 200, max: 599 }), error: fc.string() });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (items) => {
        const text = JSON.stringify({ took: 1, items: items.map((each) => ({ index: each })) });
        expect(bulkItems(text.slice(0, -2)).map(({ id, status }) => [id, status])).toEqual(
          items.map(({ _id, status }) => [_id, status]),
        );
      }),
    );
  });
});
