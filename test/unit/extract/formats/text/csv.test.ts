import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { sniffDelimiter } from '../../../../../src/extract/formats/text/sniff-delimiter.js';
import { writeTable } from '../../../../../src/extract/formats/text/write-table.js';
import type { FormatExtractor } from '../../../../../src/extract/format.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { runFormat } from '../../../../support/format-harness.js';

function table(rows: number, delimiter: string): string {
  return Array.from({ length: rows }, (_, row) => [`a${row}`, `b${row}`, `c${row}`].join(delimiter)).join('\n') + '\n';
}

describe('a table is distinguished from text', () => {
  test.each([
    ['commas', table(11, ','), ','],
    ['tabs', table(11, '\t'), '\t'],
    ['semicolons', table(11, ';'), ';'],
    ['bars', table(11, '|'), '|'],
    ['few rows with quotes', '"a","b"\n"c","d"\n"e","f"\n', ','],
    ['few rows', table(5, ','), undefined],
    ['prose with commas', 'One, two.\nThree.\nFour, five, six, and so on.\n'.repeat(10), undefined],
    ['no delimiter in the first row', `title\n${table(30, ',')}`, undefined],
    ['quotes in the middle of words', 'a "b", c\n'.repeat(30), undefined],
    ['one line', 'a,b,c', undefined],
    ['nothing', '', undefined],
  ])('%s', (_what, text, delimiter) => {
    expect(sniffDelimiter(text)).toBe(delimiter);
  });
});

test.each([
  ['table.csv', table(12, ','), 'text/csv; charset=ISO-8859-1; delimiter=comma'],
  ['table.csv', table(12, ';').replaceAll('\n', '\r\n'), 'text/csv; charset=windows-1252; delimiter=semicolon'],
  ['table.tsv', table(12, '\t'), 'text/tsv; charset=ISO-8859-1; delimiter=tab'],
  ['table.txt', table(12, '|'), 'text/csv; charset=ISO-8859-1; delimiter=pipe'],
  ['only-in-name.csv', 'Just a sentence.\n', 'text/plain; charset=ISO-8859-1'],
  ['only-in-name.tsv', 'Two\trows\nof\ttext\n', 'text/tab-separated-values; charset=ISO-8859-1'],
])('%s is written as a table when it is one (%#)', async (name, text, contentType) => {
  const extraction = await extractInProcess(name, text);
  expect(extraction.contentType).toBe(contentType);
  expect(extraction.problem).toBeUndefined();
});

test('cells lose their quotes and keep their words, rows stand on lines', async () => {
  const text = `name,text\n${'"Miller, John","said ""hi"" and\nleft"\n'.repeat(12)}`;
  const extraction = await extractInProcess('quoted.csv', text);
  expect(extraction.text.split('\n').slice(0, 3)).toEqual(['\tname\ttext', '\tMiller, John\tsaid "hi" and', 'left']);
  expect(extraction.metadata).toMatchObject({
    'csv:delimiter': ['comma'],
    'csv:num_columns': ['2'],
    'csv:num_rows': ['13'],
  });
});

test('a large table is cut at the limit of characters', async () => {
  const extraction = await extractInProcess('large.csv', table(200_000, ','), { maxCharacters: 5_000 });
  expect(extraction).toMatchObject({ truncated: true, contentType: 'text/csv; charset=ISO-8859-1; delimiter=comma' });
  expect(extraction.text).toHaveLength(5_000);
});

test('a table reads the same in whatever pieces it comes, and every cell is in it', async () => {
  const cell = fc.stringMatching(/^[a-z "\n,]{0,6}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 6 }),
      fc.nat(9),
      async (rows, step) => {
        const text = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')).join('\n');
        const expected = rows.map((row) => row.map((each) => `\t${each}`).join('') + '\n').join('');
        expect(await written([text])).toBe(expected);
        expect(await written(text.match(new RegExp(`[^]{1,${step + 1}}`, 'g')) ?? [])).toBe(expected);
      },
    ),
  );
});

async function written(pieces: readonly string[]): Promise<string> {
  const format: FormatExtractor = {
    extract: (_input, context) =>
      writeTable({ charset: 'UTF-8', beginning: '', pieces: () => Readable.from(pieces) }, ',', context),
  };
  return (await runFormat(format, { name: 'a.csv', mediaType: 'text/csv', bytes: new Uint8Array() })).text;
}
