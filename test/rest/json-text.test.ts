import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { excessOf, parseJson } from '../../src/rest/json-text.js';

/** Members of all objects, and everything that is a value inside another one. */
function sizeOf(value: unknown): { members: number; inner: number } {
  if (typeof value !== 'object' || value === null) return { members: 0, inner: 0 };
  const below = Object.values(value).map((each) => sizeOf(each));
  return {
    members: (Array.isArray(value) ? 0 : below.length) + below.reduce((sum, { members }) => sum + members, 0),
    inner: below.length + below.reduce((sum, { inner }) => sum + inner, 0),
  };
}

describe('what JSON may cost', () => {
  test('members are counted, whatever texts look like', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6, stringUnit: 'binary' }), async (text) => {
        const { members } = sizeOf(JSON.parse(text));
        expect(await excessOf(text, { members, values: Infinity })).toBeUndefined();
        if (members > 0) {
          const why = `has more than ${members - 1} members`;
          expect(await excessOf(text, { members: members - 1, values: Infinity })).toBe(why);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('no value is parsed that has more values than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), fc.nat(20), async (text, values) => {
        const parsed = await parseJson(text, { members: Infinity, values });
        if (parsed.ok) expect(sizeOf(parsed.value).inner).toBeLessThanOrEqual(values);
        else expect(parsed.why).toBe(`has more than ${values} values`);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['quotation marks, brackets and colons inside of a text', String.raw`{"a\"{:,[": "\\\"}:,{[\\"}`, 1],
    ['a text that ends in backslashes', String.raw`{"a": "\\\\", "b": ["\\", "\\\""]}`, 2],
  ])('%s', async (_name, text, members) => {
    expect(await excessOf(text, { members, values: 5 })).toBeUndefined();
    expect(await excessOf(text, { members: members - 1, values: 5 })).toBe(`has more than ${members - 1} members`);
  });

  test('a million members are refused before they are parsed', async () => {
    const text = `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',')}}`;
    expect(await parseJson(text)).toEqual({ ok: false, why: 'has more than 10000 members' });
  });

  test('a nesting of a million levels, complete or not', async () => {
    const why = 'is nested deeper than 100 levels';
    expect(await parseJson('['.repeat(1_000_000))).toEqual({ ok: false, why });
    expect(await parseJson(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)).toEqual({ ok: false, why });
    expect(await parseJson(`${'['.repeat(100)}${']'.repeat(100)}`)).toMatchObject({ ok: true });
  });

  test('a long text lets others through while it is looked at', async () => {
    const text = JSON.stringify(Array.from({ length: 90_000 }, () => 'some letters'));
    let turns = 0;
    const count = (): void => {
      turns += 1;
    };
    setImmediate(count);
    expect(await parseJson(text)).toMatchObject({ ok: true });
    expect(turns).toBe(1);
  });

  test('one text of 30 MB is no excess', async () => {
    const long = 'x"\\'.repeat(10_000_000);
    expect(await parseJson(JSON.stringify({ content: long }))).toEqual({ ok: true, value: { content: long } });
  });
});
