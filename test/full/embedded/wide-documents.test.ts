import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { searchFields } from '../../../src/engine/search-fields.js';
import { tempDir } from '../../support/temp-dir.js';
import { openEmbedded, SIGNAL } from '../../unit/engine/embedded/library.js';

/** Keys that documents bring along are data: however many there are, everything can be searched. */
const engine = openEmbedded(tempDir());

async function put(id: string, document: Record<string, unknown>): Promise<void> {
  await expect(engine.write([{ kind: 'index', index: 'docs', id, document }], SIGNAL)).resolves.toMatchObject([
    { ok: true },
  ]);
}

async function find(query: object, index = 'docs'): Promise<string[]> {
  const { hits } = await engine.search({ index, body: { query } }, SIGNAL);
  return hits.hits.map(({ _id }) => _id);
}

const MANY = Array.from({ length: 2000 }, (_, at) => at);
const TEN_WORDS = 'one two three four five six seven eight nine sunflower';

beforeAll(async () => {
  await put('wide', { external: Object.fromEntries(MANY.map((at) => [`key ${at}`, `value ${at} sunflower`])) });
  await put('deep', { object: { list: MANY.map((at) => ({ [`name${at}`]: { text: `moonflower ${at}` } })) } });
  await put('named', { content: 'nothing of it', file: { filename: 'sunflower.txt' } });
  await put('plain', { content: 'a sunflower in a plain document' });
});
afterAll(() => engine.close());

describe.each<[string, readonly string[]]>([
  ['the fields that the crawler searches', searchFields('text')],
  ['those and every other', searchFields('raw')],
  ['patterns', ['content', 'file.filename', 'external.*', 'object.*']],
  ['every field', ['*']],
])('%s', (_what, fields) => {
  test.each(['simple_query_string', 'query_string', 'multi_match'])('can be searched by %s', async (type) => {
    const found = async (query: string): Promise<string[]> => (await find({ [type]: { query, fields } })).sort();
    expect(await found('sunflower')).toEqual(['named', 'plain', 'wide']);
    expect(await found('moonflower')).toEqual(['deep']);
    expect(await found(TEN_WORDS)).toEqual(['named', 'plain', 'wide']);
    expect(await found(Array.from({ length: 100 }, (_, at) => `word${at}`).join(' '))).toEqual([]);
  });
});

test('a word in a name counts more than one in the text, and that more than one of many values', async () => {
  const padding = 'and a few more words so that all of them are of one length';
  await put('in-a-value', { external: { key: `snowdrop ${padding}` }, content: 'other' });
  await put('in-the-text', { content: `snowdrop ${padding} other` });
  await put('in-the-name', { content: `other ${padding}`, file: { filename: 'snowdrop.txt' } });
  const fields = searchFields('raw');
  const ranked = ['in-the-name', 'in-the-text', 'in-a-value'];
  expect(await find({ simple_query_string: { query: 'snowdrop', fields } })).toEqual(ranked);
});

test('prefixes and phrases are found in them, too', async () => {
  const fields = ['external.*'];
  expect(await find({ query_string: { query: 'sunfl*', fields } })).toEqual(['wide']);
  expect(await find({ query_string: { query: '"1234 sunflower"', fields } })).toEqual(['wide']);
  expect(await find({ multi_match: { query: '1234 sunflower', fields, operator: 'and' } })).toEqual(['wide']);
});

test('a single field of them is searched exactly', async () => {
  expect(await find({ match: { 'external.key 7': 'sunflower' } })).toEqual(['wide']);
  expect(await find({ match: { 'external.key 7': '8' } })).toEqual([]);
  expect(await find({ term: { 'object.list.name7.text.keyword': 'moonflower 7' } })).toEqual(['deep']);
});

test('few fields are searched exactly, also by a pattern', async () => {
  const external = { note: 'primrose' };
  const operation = { kind: 'index', index: 'narrow', id: 'external', document: { external } } as const;
  const other = { ...operation, id: 'object', document: { object: { note: 'primrose' } } };
  await engine.write([operation, other], SIGNAL);
  expect(await find({ multi_match: { query: 'primrose', fields: ['external.*'] } }, 'narrow')).toEqual(['external']);
});

test('names that look like patterns or markup are names', async () => {
  const names = ['*', 'a*b', '.*', '12q', '__proto__', 'constructor', '"', "'); DROP TABLE doc_1; --", 'ä ö\u0000'];
  const object = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}: "hostile"`).join(',')}}`) as object;
  await engine.write([{ kind: 'index', index: 'hostile', id: 'x', document: { object } }], SIGNAL);
  for (const fields of [['object.*'], ['*'], ['ob*ct.**b*'], ["object.'); DROP*"]]) {
    expect(await find({ multi_match: { query: 'hostile', fields } }, 'hostile')).toEqual(['x']);
  }
  const long = { multi_match: { query: 'hostile', fields: [`${'*a'.repeat(500)}*b`] } };
  expect(await find(long, 'hostile')).toEqual([]);
});
