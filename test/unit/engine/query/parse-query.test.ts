import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '../../../../src/engine/query/parse-query.js';
import { leavesOf } from '../../../../src/engine/query/query-limits.js';
import { boolOf, textOf, type QueryNode } from '../../../../src/engine/query/query-tree.js';

const inContent = [{ name: 'content', weight: 1 }];

describe('a query is read to a tree that knows nothing of an index', () => {
  test.each<[string, unknown, QueryNode]>([
    ['match', { match: { content: 'red fox' } }, textOf(inContent, 'red fox')],
    [
      'multi_match with weights',
      { multi_match: { query: 'fox', fields: ['meta.title^3', 'file.*'] } },
      textOf(
        [
          { name: 'meta.title', weight: 3 },
          { name: 'file.*', weight: 1 },
        ],
        'fox',
      ),
    ],
    [
      'range with a zone',
      { range: { 'file.created': { gte: '2024-01-01', time_zone: '+01:30' } } },
      {
        kind: 'range',
        field: 'file.created',
        bounds: [{ side: 'gte', value: '2024-01-01' }],
        offsetMs: 5_400_000,
        boost: 1,
        lenient: false,
      },
    ],
    [
      'bool around others',
      { bool: { filter: { term: { 'file.extension': 'pdf' } }, must_not: [{ match_all: {} }], boost: 2 } },
      boolOf({
        filter: [{ kind: 'terms', field: 'file.extension', values: ['pdf'], boost: 1 }],
        mustNot: [{ kind: 'all', boost: 1 }],
        boost: 2,
      }),
    ],
  ])('%s', (_name, query, tree) => {
    expect(parseQuery(query)).toEqual(tree);
  });

  test.each<[string, unknown, unknown]>([
    [
      'query_string with AND NOT',
      { query_string: { query: 'content:fox AND NOT content:dog' } },
      { bool: { must: [{ match: { content: 'fox' } }], must_not: [{ match: { content: 'dog' } }] } },
    ],
    [
      'simple_query_string with a phrase',
      { simple_query_string: { query: '"red fox"', fields: ['content'] } },
      { match_phrase: { content: 'red fox' } },
    ],
  ])('%s asks for the same as its long form', (_name, short, long) => {
    expect([...leavesOf(parseQuery(short))].map(essence)).toEqual([...leavesOf(parseQuery(long))].map(essence));
  });

  function essence(leaf: QueryNode): unknown {
    if (leaf.kind !== 'text') return leaf;
    const { fields, text, mode } = leaf;
    return { fields, text, mode };
  }
});

describe('what is not understood is refused by name', () => {
  test.each<[unknown, string, string]>([
    [{ regexp: { content: 'a.*' } }, 'unsupported', '[regexp] queries'],
    [{ match: { content: { query: 'x', analyzer: 'stop' } } }, 'unsupported', '[analyzer] in a [match] query'],
    [{ term: { a: ['x'] } }, 'corrupt', '[value] in a [term] query must be a text, a number, true or false'],
    [{ match: {}, term: {} }, 'corrupt', 'must have exactly one key'],
    [nested(40), 'corrupt', 'nested more than 30 levels deep'],
  ])('%j', (query, code, message) => {
    expect(() => parseQuery(query)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  function nested(levels: number): unknown {
    return levels === 0 ? { match_all: {} } : { bool: { must: [nested(levels - 1)] } };
  }
});

test('the leaves of a tree are found without recursion, up to the same depth', () => {
  let deep: QueryNode = { kind: 'all', boost: 1 };
  for (let level = 0; level < 100_000; level += 1) deep = boolOf({ must: [deep] });
  expect(() => [...leavesOf(deep)]).toThrow('nested more than 30 levels deep');
});
