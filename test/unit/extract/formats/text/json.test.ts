import { expect, test } from '@jest/globals';
import { extractInProcess } from '../../../../support/extract-in-process.js';

test.each([
  ['{"content": "look at me"}', '{"content": "look at me"}'],
  [String.raw`{"a":"caf\u00e9 \u65e5\u672c \ud83d\ude00"}`, '{"a":"café 日本 😀"}'],
  [String.raw`{"a":"\u0022 \u000a \n \\u00e9"}`, String.raw`{"a":"\u0022 \u000a \n \\u00e9"}`],
  ['{"broken": [1, 2', '{"broken": [1, 2'],
])('%s is text as it is written, with letters for escapes', async (json, text) => {
  const extraction = await extractInProcess('a.json', json);
  expect(extraction).toMatchObject({ contentType: 'application/json; charset=ISO-8859-1', problem: undefined });
  expect(extraction.text.trim()).toBe(text);
});

test('escapes are found wherever a long file is cut into pieces', async () => {
  const json = JSON.stringify('x'.repeat(10))
    .repeat(30_000)
    .replaceAll('x"', String.raw`\u00e9"`);
  const { text } = await extractInProcess('long.json', json);
  expect(text).not.toContain('u00e9');
  expect(text.match(/é/g)).toHaveLength(30_000);
});
