import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { writeOle } from '../../../../../src/extract/containers/ole/ole-writer.js';
import * as docExtractor from '../../../../../src/extract/formats/doc/doc-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { propertySet } from '../../../../support/property-set-builder.js';
import { endsRow, inList, wordDocument, type WordOptions, type WordStories } from '../../../../support/word-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/msword';

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(docExtractor, { name: 'x.doc', mediaType: TYPE, bytes }, options);
}

async function textOf(stories: WordStories, options: WordOptions = {}): Promise<string> {
  return (await extract(wordDocument(stories, options))).text;
}

function paragraphs(...texts: string[]): { text: string }[] {
  return texts.map((text) => ({ text: `${text}\r` }));
}

describe('text', () => {
  test('keeps its paragraphs', async () => {
    expect(await textOf({ main: paragraphs('One Ünï 日本', '', 'Two') })).toBe('One Ünï 日本\nTwo\n');
  });

  test('is joined from pieces of 8-bit and 16-bit characters', async () => {
    const main = paragraphs('Café au lait', 'Zweiter Absatz, größer', 'third');
    expect(await textOf({ main }, { pieceLength: 7 })).toBe('Café au lait\nZweiter Absatz, größer\nthird\n');
  });

  test('leaves out what is marked as deleted', async () => {
    const main = paragraphs('keep gone keep', 'next');
    expect(await textOf({ main }, { deleted: [[5, 10]] })).toBe('keep keep\nnext\n');
  });

  test('of tables has a tab behind each cell and a line for each row', async () => {
    const row = { text: '\u0007', sprms: endsRow };
    const main = [{ text: 'A1\u0007' }, { text: 'B1\u0007' }, row, { text: 'A2\u0007' }, { text: 'B2\u0007' }, row];
    expect(await textOf({ main })).toBe('A1\tB1\t\nA2\tB2\t\n');
  });

  test('stops when there is enough of it', async () => {
    const main = paragraphs(...Array.from({ length: 500 }, (_, index) => `paragraph ${index}`));
    const { text } = await extract(wordDocument({ main }), { maxCharacters: 50 });
    expect(text).toHaveLength(50);
  });

  test.each([
    ['\u0013 HYPERLINK "http://x.example/" \u0014label\u0015', 'label'],
    ['a \u0013 PAGE \u001499\u0015 b', 'a 99 b'],
    ['a\u0013 XE "term" \u0015b', 'a XE "term" b'],
    ['\u0013 IF \u0013 PAGE \u00141\u0015 = 1 \u0014yes\u0015.', 'yes.'],
    ['open \u0013 TOC \u0014first line', 'open first line'],
    ['non\u001ebreaking opt\u001fional', 'non\u2011breaking optional'],
  ])('of fields %j shows %j', async (field, shown) => {
    expect(await textOf({ main: paragraphs(field) })).toBe(`${shown}\n`);
  });
});

describe('stories', () => {
  test('follow in the order of Tika', async () => {
    const separators = ['', '', '', '', '', ''];
    const stories: WordStories = {
      main: paragraphs('Body'),
      footnotes: paragraphs('Footnote \u0013 HYPERLINK "http://f.example/" \u0014here\u0015'),
      headers: [
        ...separators,
        'Even header\r',
        'Odd header\r',
        'Even footer\r',
        'Odd footer\r',
        'First header\r',
        'First footer\r',
      ],
      comments: paragraphs('Comment'),
      endnotes: paragraphs('Endnote'),
      textBoxes: paragraphs('Text box'),
    };
    const lines = (await textOf(stories)).split('\n').map((line) => line.trim());
    expect(lines.filter((line) => line !== '')).toEqual([
      'First header',
      'Even header',
      'Odd header',
      'Body',
      'Text box',
      'Footnote',
      'HYPERLINK "http://f.example/"',
      'here',
      'Comment',
      'Endnote',
      'First footer',
      'Even footer',
      'Odd footer',
    ]);
  });
});

describe('lists', () => {
  test('have numbers, which start anew below a higher level', async () => {
    const items = [0, 1, 1, 0, 1].map((level, index) => ({ text: `item ${index}\r`, sprms: inList(level) }));
    expect(await textOf({ main: items }, { lists: true })).toBe(
      '1. item 0\n1.a) item 1\n1.b) item 2\n2. item 3\n2.a) item 4\n',
    );
  });

  test('have bullets, and a paragraph outside counts for nothing', async () => {
    const main = [
      { text: 'first\r', sprms: inList(0) },
      { text: 'between\r' },
      { text: 'point\r', sprms: inList(2) },
      { text: 'second\r', sprms: inList(0) },
    ];
    expect(await textOf({ main }, { lists: true })).toBe('1. first\nbetween\n· point\n2. second\n');
  });
});

describe('embedded objects', () => {
  test('are handed over with the names of Tika', async () => {
    const native = nativeObject('report.txt', 'native text');
    const streams = [
      { path: 'ObjectPool/_1/Package', bytes: Buffer.from('PK..') },
      { path: 'ObjectPool/_2/Workbook', bytes: Buffer.from('workbook') },
      { path: 'ObjectPool/_3/\u0001Ole10Native', bytes: native },
      { path: 'ObjectPool/_4/CONTENTS', bytes: Buffer.from('%PDF-1.4') },
      { path: 'ObjectPool/_4/\u0001CompObj', bytes: Buffer.alloc(4) },
      { path: 'ObjectPool/_5/Equation Native', bytes: Buffer.alloc(4) },
    ];
    const { parts } = await extract(wordDocument({ main: paragraphs('Text') }, { streams }));
    expect(parts.map((part) => part.name)).toEqual(['', '_2.xls', '_3/report.txt', '_4.pdf', '_5.unknown']);
    expect(Buffer.from(parts[2]!.bytes).toString()).toBe('native text');
    expect(parts[0]).toMatchObject({ printName: false });
  });

  test('and properties survive together', async () => {
    const bytes = propertySet({ format: 'summary', properties: { 2: { type: 'ansi', text: 'Title' } } });
    const streams = [{ path: '\u0005SummaryInformation', bytes }];
    const { metadata, text } = await extract(wordDocument({ main: paragraphs('Text') }, { streams }));
    expect(metadata['dc:title']).toEqual(['Title']);
    expect(text).toBe('Text\n');
  });
});

describe('Word 6 and 95', () => {
  test.each([
    ['windows-1252', 0, 'Crème brûlée'],
    ['windows-1251', 204, 'Привет мир'],
    ['shift_jis', 128, '日本語テキスト'],
  ])('text in %s is recognised by the font', async (encoding, charset, sample) => {
    const { text } = await extract(oldDocument(iconv.encode(`${sample}\rnext\r`, encoding), charset, false));
    expect(text).toMatch(new RegExp(`^${sample}\nnext\n\n?$`));
  });

  test('a document that was saved fast is read by its pieces', async () => {
    expect((await extract(oldDocument(Buffer.from('piece text\r'), 0, true))).text).toBe('piece text\n');
  });
});

describe('damage', () => {
  test.each([
    ['no container', Buffer.from('no container at all')],
    ['no text stream', writeOle({ streams: [{ path: 'Other', bytes: Buffer.alloc(10) }] })],
    ['a header that is no header', writeOle({ streams: [{ path: 'WordDocument', bytes: Buffer.alloc(5000) }] })],
  ])('with %s ends as corrupt', async (_, bytes) => {
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('never brings anything but a result or a clear error', async () => {
    const main = [
      { text: 'One \u0013 PAGE \u00141\u0015\r', sprms: inList(0) },
      { text: 'A1\u0007' },
      { text: 'Two\r' },
    ];
    const options = { lists: true, pieceLength: 5, deleted: [[1, 2]] as const };
    const bytes = wordDocument({ main, footnotes: paragraphs('Note'), textBoxes: paragraphs('Box') }, options);
    await expectNoSurprises(docExtractor, TYPE, Buffer.from(bytes), 400);
  });
});

function nativeObject(label: string, content: string): Buffer {
  const size = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const body = Buffer.concat([
    Buffer.from([2, 0]),
    Buffer.from(`${label}\0C:\\${label}\0`),
    Buffer.from([0, 0, 3, 0]),
    size(2),
    Buffer.from('x\0'),
    size(content.length),
    Buffer.from(content),
  ]);
  return Buffer.concat([size(body.length), body]);
}

/** A header, the text, a font table with one font, and a piece table for documents that were saved fast. */
function oldDocument(text: Buffer, charset: number, fast: boolean): Uint8Array {
  const start = 0x300;
  const font = Buffer.concat([Buffer.from([13, 0, 10, 0, 0, 0, charset, 0]), Buffer.from('Arial\0')]);
  const uint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const descriptor = Buffer.concat([Buffer.alloc(2), uint32(start), Buffer.alloc(2)]);
  const pieces = Buffer.concat([Buffer.from([2]), uint32(16), uint32(0), uint32(text.length), descriptor]);
  const header = Buffer.alloc(start);
  header.writeUInt16LE(0xa5dc, 0);
  header.writeUInt16LE(104, 2);
  header.writeUInt16LE(fast ? 4 : 0, 10);
  header.writeUInt32LE(start, 24);
  header.writeUInt32LE(start + text.length, 28);
  [start + text.length, font.length].forEach((value, index) => header.writeUInt32LE(value, 0xd0 + index * 4));
  [start + text.length + font.length, pieces.length].forEach((value, index) =>
    header.writeUInt32LE(value, 0x160 + index * 4),
  );
  return writeOle({ streams: [{ path: 'WordDocument', bytes: Buffer.concat([header, text, font, pieces]) }] });
}
