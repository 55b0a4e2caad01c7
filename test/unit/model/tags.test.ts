import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeTags } from '../../../src/model/tags.js';

const document = {
  content: 'extracted',
  file: { filename: 'x' },
  meta: {},
  external: { a: 1, arr: [1, 2, 3] },
};

describe('tags over a document', () => {
  test.each<[string, unknown, unknown]>([
    [
      'null removes the content',
      { content: null },
      { file: { filename: 'x' }, meta: {}, external: { a: 1, arr: [1, 2, 3] } },
    ],
    ['null removes external', { external: null }, { content: 'extracted', file: { filename: 'x' }, meta: {} }],
    ['arrays are replaced', { external: { arr: [9] } }, { ...document, external: { a: 1, arr: [9] } }],
    ['longer arrays too', { external: { arr: [9, 8, 7, 6] } }, { ...document, external: { a: 1, arr: [9, 8, 7, 6] } }],
    ['empty maps change nothing', { external: { b: {} } }, document],
    [
      'unknown members of a section are dropped',
      { file: { foo: 1, filename: 'y' } },
      { ...document, file: { filename: 'y' } },
    ],
    ['unknown sections are dropped', { foo: 1 }, document],
    ['an empty object', {}, document],
    ['an array', [], document],
    ['a text', 'str', document],
    ['null', null, document],
    ['raw metadata are texts', { meta: { raw: { k: 5 } } }, { ...document, meta: { raw: { k: '5' } } }],
    ['numbers become the text of a text field', { content: 7 }, { ...document, content: '7' }],
    [
      'numbers in text become numbers',
      { file: { filesize: '12' } },
      { ...document, file: { filename: 'x', filesize: 12 } },
    ],
    ['nested null removes the member', { external: { a: null } }, { ...document, external: { arr: [1, 2, 3] } }],
  ])('%s', (_, tags, expected) => {
    expect(mergeTags(document, tags)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['a text for a number', { file: { filesize: 'abc' } }],
    ['an object for a text', { content: { a: 1 } }],
    ['a bad date', { file: { created: 'yesterday' } }],
    ['a text for a section', { file: 'x' }],
    ['a list for external', { external: [1] }],
  ])('%s is refused', (_, tags) => {
    expect(() => mergeTags(document, tags)).toThrow('Error parsing tags:');
  });

  test('objects in arrays are merged element by element', () => {
    const base = { external: { people: [{ name: 'a', age: 1 }, { name: 'b' }] } };
    expect(mergeTags(base, { external: { people: [{ age: 2 }] } })).toEqual({
      external: { people: [{ name: 'a', age: 2 }] },
    });
  });

  test('free data of any shape survives under external, and never reaches the prototype', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (free) => {
        const merged = mergeTags({ content: 'c' }, { external: free });
        expect(merged.content).toBe('c');
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
    );
    const tags: unknown = JSON.parse('{"external":{"__proto__":{"polluted":true}}}');
    mergeTags({}, tags);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
