import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { openOle } from '../../../../../src/extract/containers/ole/ole.js';
import { writeOle } from '../../../../../src/extract/containers/ole/ole-writer.js';
import type { FormatExtractor } from '../../../../../src/extract/format.js';
import { readPropertySets } from '../../../../../src/extract/containers/ole/property-sets.js';
import { runFormat } from '../../../../support/format-harness.js';
import { fileTime, propertySet, type PropertySection } from '../../../../support/property-set-builder.js';

const reader: FormatExtractor = {
  extract: (input, context) => readPropertySets(openOle(input.bytes), context),
};

async function metadataOf(streams: Readonly<Record<string, Uint8Array>>): Promise<Record<string, string[]>> {
  const bytes = writeOle({ streams: Object.entries(streams).map(([path, content]) => ({ path, bytes: content })) });
  return (await runFormat(reader, { name: 'x.doc', mediaType: 'application/msword', bytes })).metadata;
}

const summary: PropertySection = {
  format: 'summary',
  properties: {
    2: { type: 'ansi', text: 'The title' },
    3: { type: 'ansi', text: 'The subject' },
    4: { type: 'ansi', text: 'Ada; Grace' },
    5: { type: 'ansi', text: 'one, two' },
    6: { type: 'ansi', text: 'A comment' },
    8: { type: 'ansi', text: 'Last Author' },
    9: { type: 'ansi', text: '7' },
    10: { type: 'time', value: 600_000_000n },
    12: { type: 'time', value: new Date('2020-01-02T03:04:05Z') },
    13: { type: 'time', value: new Date('2021-02-03T04:05:06Z') },
    14: { type: 'int', value: 3 },
    15: { type: 'int', value: 1234 },
    16: { type: 'int', value: 0 },
    18: { type: 'ansi', text: 'Writer' },
  },
};

describe('readPropertySets', () => {
  test('gives title, people, dates and counts under the keys of Tika', async () => {
    expect(await metadataOf({ '\u0005SummaryInformation': propertySet(summary) })).toEqual({
      'dc:title': ['The title'],
      'dc:creator': ['Ada', ' Grace'],
      'meta:keyword': ['one, two'],
      'dc:subject': ['one, two', 'The subject'],
      'w:Comments': ['A comment'],
      'meta:last-author': ['Last Author'],
      'cp:revision': ['7'],
      'dcterms:created': ['2020-01-02T03:04:05Z'],
      'dcterms:modified': ['2021-02-03T04:05:06Z'],
      'meta:page-count': ['3'],
      'xmpTPg:NPages': ['3'],
      'meta:word-count': ['1234'],
      'extended-properties:Application': ['Writer'],
      'extended-properties:TotalTime': ['600000000'],
    });
  });

  test('gives what a person has defined, with its type', async () => {
    const user: PropertySection = {
      format: 'user',
      dictionary: { 2: 'Client', 3: 'Count', 4: 'Ratio', 5: 'Done', 6: 'Due', 7: 'Language', 8: 'Empty' },
      properties: {
        2: { type: 'wide', text: 'ACME' },
        3: { type: 'int', value: 42 },
        4: { type: 'real', value: 2 },
        5: { type: 'flag', value: true },
        6: { type: 'time', value: new Date('2030-01-01T00:00:00Z') },
        7: { type: 'ansi', text: 'de' },
        8: { type: 'ansi', text: ' ' },
      },
    };
    const document: PropertySection = {
      format: 'document',
      properties: {
        2: { type: 'ansi', text: 'Reports' },
        7: { type: 'int', value: 12 },
        15: { type: 'ansi', text: 'Co' },
      },
    };
    expect(await metadataOf({ '\u0005DocumentSummaryInformation': propertySet(document, user) })).toEqual({
      'cp:category': ['Reports'],
      'meta:slide-count': ['12'],
      'xmpTPg:NPages': ['12'],
      'extended-properties:Company': ['Co'],
      'custom:Client': ['ACME'],
      'custom:Count': ['42'],
      'custom:Ratio': ['2.0'],
      'custom:Done': ['true'],
      'custom:Due': ['2030-01-01T00:00:00Z'],
      'custom:Language': ['de'],
      'dc:language': ['de'],
    });
  });

  test.each([
    [1251, 'cp1251', 'Привет'],
    [932, 'shift_jis', '日本語'],
    [65001, 'utf-8', 'Ünï — 日本'],
    [10000, 'macroman', 'Café'],
  ])('reads strings in code page %d', async (codePage, encoding, text) => {
    const stream = propertySet({
      format: 'summary',
      codePage,
      encode: (value) => iconv.encode(value, encoding),
      properties: { 2: { type: 'ansi', text } },
    });
    expect(await metadataOf({ '\u0005SummaryInformation': stream })).toMatchObject({ 'dc:title': [text] });
  });

  test('reads UTF-16 strings and names', async () => {
    const stream = propertySet({
      format: 'summary',
      codePage: 1200,
      encode: (value) => Buffer.from(`${value}\0`, 'utf16le'),
      properties: { 2: { type: 'ansi', text: 'Überschrift' } },
    });
    expect(await metadataOf({ '\u0005SummaryInformation': stream })).toMatchObject({ 'dc:title': ['Überschrift'] });
  });

  test('says nothing of times beyond what a date can hold', async () => {
    const stream = propertySet({ format: 'summary', properties: { 12: { type: 'time', value: 2n ** 64n - 1n } } });
    expect(await metadataOf({ '\u0005SummaryInformation': stream })).toEqual({
      'extended-properties:TotalTime': ['0'],
    });
    expect(fileTime(new Date('1601-01-01T00:00:00Z'))).toBe(0n);
  });

  test('takes damaged sets for what is left of them', async () => {
    const stream = propertySet(summary);
    const at = fc.nat(stream.length - 1);
    const changes = fc.array(fc.record({ at, value: fc.nat(255) }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(stream.length), async (list, end) => {
        const damaged = Buffer.from(stream);
        for (const change of list) damaged[change.at] = change.value;
        const metadata = await metadataOf({ '\u0005SummaryInformation': damaged.subarray(0, end) });
        expect(Object.keys(metadata).length).toBeLessThan(20);
      }),
      { numRuns: 300 },
    );
  });
});
