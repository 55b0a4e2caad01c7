import { describe, expect, test } from '@jest/globals';
import { filterSource, parseSourceFilter } from '../../../src/engine/source-filter.js';

const DOCUMENT = {
  a: {},
  b: { c: 1 },
  list: [{ x: 1, y: 1 }, { y: 2 }, {}, 'z', null],
  nested: [[{ x: 1 }], [{ y: 1 }], []],
  none: [],
  'd.e': 5,
  f: { 'g.h': 6 },
};

/** What Elasticsearch answers. */
test.each<[string, unknown, unknown]>([
  ['everything', true, DOCUMENT],
  ['an object without members', ['a'], { a: {} }],
  ['an object and all in it', ['b'], { b: { c: 1 } }],
  ['something in an object', 'b.c', { b: { c: 1 } }],
  ['nothing in an object', ['b.x', 'a.x'], {}],
  ['a list as it is', ['list', 'none', 'nested'], pick('list', 'none', 'nested')],
  ['something in a list', ['list.x'], { list: [{ x: 1 }] }],
  ['something in lists of lists', ['nested.x'], { nested: [[{ x: 1 }]] }],
  ['a name with a dot, by what stands before it', ['d', 'f.g'], { 'd.e': 5, f: { 'g.h': 6 } }],
  ['without a name with a dot', { includes: ['d', 'f'], excludes: ['d', 'f.g'] }, { f: {} }],
  [
    'an object that is left without members',
    { excludes: ['b.c', 'list', 'nested', 'none', 'd', 'f'] },
    { a: {}, b: {} },
  ],
  [
    'objects in a list that are left without members, which go',
    { includes: ['list', 'none'], excludes: ['list.y'] },
    { list: [{ x: 1 }, 'z', null], none: [] },
  ],
  ['a list that is left without items', { includes: ['nested'], excludes: ['*.x', '*.y'] }, { nested: [] }],
  ['a pattern', ['*.c', '*ne'], { b: { c: 1 }, none: [] }],
  ['the exclude wins', { includes: ['b'], excludes: ['b*'] }, {}],
])('%s', (_what, filter, expected) => {
  expect(filterSource(DOCUMENT, parseSourceFilter(filter))).toEqual(expected);
});

function pick(...names: (keyof typeof DOCUMENT)[]): unknown {
  return Object.fromEntries(names.map((name) => [name, DOCUMENT[name]]));
}

test('a member that is called like a prototype stays a member', () => {
  const source = JSON.parse('{"__proto__": {"a": 1, "b": 2}, "c": 3}') as Record<string, unknown>;
  const filtered = filterSource(source, parseSourceFilter({ excludes: ['*.b'] }));
  expect(JSON.stringify(filtered)).toBe('{"__proto__":{"a":1},"c":3}');
});

describe('what is no filter is refused', () => {
  test.each<[unknown, string]>([
    [3, '[_source] must be true, false, or names of fields, not 3.'],
    [['a', {}], '[_source] must be true, false, or names of fields'],
    [{ includes: ['a'], only: ['b'] }, '[only] in [_source]'],
  ])('%j', (value, message) => {
    expect(() => parseSourceFilter(value)).toThrow(message);
  });
});
