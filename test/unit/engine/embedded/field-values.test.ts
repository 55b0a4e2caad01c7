import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fieldValues } from '../../../../src/engine/embedded/fields/field-values.js';
import { IndexFields } from '../../../../src/engine/embedded/fields/index-fields.js';
import { mappingShape } from '../../../../src/engine/embedded/fields/mapping-shape.js';
import { tablesOf } from '../../../../src/engine/embedded/store/schema.js';

describe('a document is refused with a sentence that names the field', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'a date that is none',
      { file: { created: 'yesterday' } },
      '[file.created] must be a date such as 2024-05-31T10:30:00Z, but it is "yesterday".',
    ],
    ['a date that is a number', { meta: { date: 5 } }, '[meta.date] must be a date'],
    ['a number that is none', { file: { filesize: 'big' } }, '[file.filesize] must be a long number, but it is "big".'],
    ['a number out of range', { file: { filesize: 1e300 } }, '[file.filesize]'],
    ['an object for a text', { content: { text: 'x' } }, '[content] must be a text, but it is an object.'],
    ['an object for a keyword', { file: { extension: {} } }, '[file.extension] must be a keyword'],
    ['a text for an object', { file: 'x' }, '[file] must be an object, but it is "x".'],
    ['a keyword that is a text', { path: { real: 'x'.repeat(9000) } }, '[path.real] is longer than'],
    ['one value of a list', { file: { created: ['2024-01-01', 'x'] } }, '[file.created]'],
  ])('%s', (_what, source, message) => {
    expect(() => fieldValues(source)).toThrow(message);
  });

  test('too many levels', () => {
    let source: Record<string, unknown> = {};
    for (let level = 0; level < 200; level += 1) source = { a: source };
    source = { external: source };
    expect(() => fieldValues({ external: nested(200) })).toThrow('deeper than 100 levels');
    expect(() => fieldValues(source)).toThrow('deeper than 100 levels');
  });
});

describe('values', () => {
  test('known fields go to their columns, lists further to the exact values', () => {
    const { cells, exact, texts } = fieldValues({
      content: 'text',
      file: { filename: 'a.txt', filesize: '12', created: '2024-01-01', extension: ['txt', 'text'] },
      path: { real: '/a.txt' },
      meta: { title: 'T', rating: 4.7 },
    });
    expect({ ...cells }).toEqual({
      content_chars: 4,
      filename: 'a.txt',
      filesize: 12,
      created: Date.parse('2024-01-01'),
      extension: 'txt',
      real_path: '/a.txt',
    });
    expect(exact).toEqual([
      { name: 'file.extension', kind: 'keyword', type: 'keyword', value: 'text' },
      { name: 'meta.title', kind: 'keyword', type: 'text', value: 'T' },
      { name: 'meta.rating', kind: 'number', type: 'byte', value: 4 },
    ]);
    expect({ ...texts }).toEqual({ content: 'text', filename: 'a.txt', real_path: '/a.txt', title: 'T' });
  });

  test('dynamic fields keep each value under its own kind', () => {
    const { exact, scoped } = fieldValues({
      external: { a: ['x', 1, true, '2024-05-01', null, 'y'.repeat(300)], 'b.c': 0.5 },
    });
    expect(exact.map(({ name, kind, type, value }) => [name, kind, type, value])).toEqual([
      ['external.a', 'keyword', 'text', 'x'],
      ['external.a', 'number', 'long', 1],
      ['external.a', 'boolean', 'boolean', 1],
      ['external.a', 'date', 'date', Date.parse('2024-05-01')],
      ['external.a', 'keyword', 'date', '2024-05-01'],
      ['external.a', 'text', 'text', 1],
      ['external.b.c', 'number', 'float', 0.5],
    ]);
    expect(scoped.get('external.a')).toBe(`x\n1\ntrue\n2024-05-01\n${'y'.repeat(300)}`);
  });

  test('names that objects inherit are names like any other', () => {
    const source = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}') as Record<string, unknown>;
    const { exact } = fieldValues(source);
    expect(exact.map(({ name }) => name)).toEqual(['__proto__.a', 'constructor']);
    const fields = new IndexFields(tablesOf(1), [
      { id: 1, name: '__proto__.a', kind: 'number', type: 'long' },
      { id: 2, name: 'constructor', kind: 'keyword', type: 'text' },
    ]);
    const { properties } = mappingShape(fields);
    expect(Object.hasOwn(properties, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test('raw metadata is text, however much it looks like a date', () => {
    const { exact } = fieldValues({ meta: { raw: { 'dcterms:created': '2024-05-01' } } });
    expect(exact).toEqual([{ name: 'meta.raw.dcterms:created', kind: 'keyword', type: 'text', value: '2024-05-01' }]);
  });

  test('any JSON below external is taken', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (external) => {
        expect(fieldValues({ external }).exact.every(({ value }) => value !== null)).toBe(true);
      }),
    );
  });
});

test('the mapping of an empty index is the one that a real engine is given', () => {
  const folder = join(process.cwd(), 'settings/templates/component');
  const wanted: Record<string, unknown> = {};
  for (const name of readdirSync(folder)) {
    const { body } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      body: { template: { mappings?: { properties?: object } } };
    };
    const semantic = name.includes('semantic');
    if (!semantic) Object.assign(wanted, body.template.mappings?.properties);
  }
  const { properties } = mappingShape(new IndexFields(tablesOf(1), []));
  expect(withoutStoreOption(properties)).toEqual(withoutStoreOption(wanted));
});

/** `store: true` concerns how a real engine reads the field. */
function withoutStoreOption(properties: unknown): unknown {
  return JSON.parse(JSON.stringify(properties), (key, value: unknown) => (key === 'store' ? undefined : value));
}

function nested(levels: number): unknown {
  let list: unknown = 1;
  for (let level = 0; level < levels; level += 1) list = [list];
  return list;
}
