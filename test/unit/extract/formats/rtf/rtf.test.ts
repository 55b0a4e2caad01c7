import { describe, expect, test } from '@jest/globals';
import * as rtfExtractor from '../../../../../src/extract/formats/rtf/rtf-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/rtf';
const FONTS = String.raw`{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fnil\fcharset204 Cyr;}{\f2\fnil\fcharset128 Mincho;}}`;

function extract(body: string, options: FormatRunOptions = {}): Promise<FormatResult> {
  const bytes = Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252\deff0${FONTS}${body}}`, 'latin1');
  return runFormat(rtfExtractor, { name: 'letter.rtf', mediaType: TYPE, bytes }, options);
}

describe('text', () => {
  test.each([
    [
      'paragraphs, breaks and tabs',
      String.raw`\pard one\par two\line three\tab four\page five`,
      'one\ntwo\nthree\tfour\nfive',
    ],
    ['line ends in the file mean nothing', 'one\r\n two', 'one two'],
    ['bytes in the encoding of the document', String.raw`caf\'e9 \'80`, 'café €'],
    ['bytes in the encoding of the font', String.raw`{\f1 \'cf\'f0\'e8} {\f2 \'93\'fa\'96\'7b} \'e9`, 'При 日本 é'],
    [
      'code points, with their substitutes left out',
      String.raw`\u8364?\u-10179?\u-8703? \uc2\u20013\'d6\'d0x \uc0\u65 B`,
      '€😁 中x AB',
    ],
    ['symbols', String.raw`\{\}\\ a\~b c\_d \emdash\lquote x\rquote\bullet`, '{}\\ a\u00a0b c\u2011d —‘x’•'],
    [
      'results of fields, not their instructions',
      String.raw`{\field{\*\fldinst HYPERLINK "http://x/"}{\fldrslt link}} {\field{\*\fldinst PAGE}{\fldrslt 7}}`,
      'link 7',
    ],
    [
      'headers, footers and notes where they stand',
      String.raw`{\header head\par}{\footer foot\par}text{\footnote  note} end`,
      'head\nfoot\ntext note end',
    ],
    [
      'remarks with their author',
      String.raw`a{\*\atnid AB}{\*\atnauthor Ann}{\*\annotation\pard remark}`,
      'a AB Annremark',
    ],
    [
      'shapes, which stand in a group that may be skipped',
      String.raw`{\shp{\*\shpinst{\sp{\sn name}{\sv 202}}{\shptxt in shape\par}}}`,
      'in shape\n',
    ],
    ['table cells behind tabs', String.raw`\trowd a\cell b\cell\row c\cell\row`, 'a\tb\t\nc\t\n'],
    ['the Unicode form of what is given twice', String.raw`{\upr{ansi}{\*\ud{unicode\u228?}}}`, 'unicodeä'],
    [
      'no fonts, colours, styles, list texts and unknown destinations',
      String.raw`{\colortbl;\red0;}{\stylesheet{\s1 heading 1;}}{\listtext 1.\tab}{\*\unknown secret}x`,
      'x',
    ],
  ])('%s', async (_, body, text) => {
    expect((await extract(body)).text).toBe(text);
  });

  test('what follows the outermost group is another document', async () => {
    expect((await extract(String.raw`first}{\rtf1 second`)).text).toBe('first');
  });
});

describe('metadata', () => {
  test('of the info group has the keys of Tika', async () => {
    const { metadata, text } = await extract(
      String.raw`{\info{\title Titel \u228?\'f6}{\author Ann}{\operator Bob}{\subject S}{\keywords k1, k2}{\comment C}{\*\company Co}` +
        String.raw`{\*\manager M}{\*\category Cat}{\creatim\yr2016\mo7\dy7\hr10\min38}{\revtim\yr2017\mo8\dy8}{\nofpages2}{\nofwords19}{\nofchars68}}body`,
    );
    expect(text).toBe('body');
    expect(metadata).toEqual({
      'dc:title': ['Titel äö'],
      'dc:creator': ['Ann'],
      'dc:subject': ['S', 'k1, k2'],
      'meta:keyword': ['k1, k2'],
      'w:Comments': ['C'],
      'extended-properties:Company': ['Co'],
      'extended-properties:Manager': ['M'],
      'cp:category': ['Cat'],
      'dcterms:created': ['2016-07-07T10:38:00Z'],
      'meta:page-count': ['2'],
      'meta:word-count': ['19'],
      'meta:character-count': ['68'],
    });
  });
});

describe('objects', () => {
  const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

  function counted(text: string): Buffer {
    const bytes = Buffer.from(`${text}\0`);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  }

  function number(value: number, size: 2 | 4): Buffer {
    const bytes = Buffer.alloc(size);
    bytes.writeUIntLE(value, 0, size);
    return bytes;
  }

  function objectData(className: string, content: Buffer): string {
    const head = [
      number(0x501, 4),
      number(2, 4),
      counted(className),
      number(0, 4),
      number(0, 4),
      number(content.length, 4),
    ];
    return Buffer.concat([...head, content]).toString('hex');
  }

  function packaged(name: string, content: string): Buffer {
    const strings = Buffer.from(`${name}\0C:\\${name}\0`);
    return Buffer.concat([
      number(2, 2),
      strings,
      number(0, 2),
      number(3, 2),
      counted(`C:\\t\\${name}`),
      number(content.length, 4),
      Buffer.from(content),
    ]);
  }

  test('a packaged file comes out with its name, between the text around it', async () => {
    const data = objectData('Package', packaged('notes.txt', 'inner text'));
    const { text, parts } = await extract(
      String.raw`before {\object\objemb{\*\objclass Package}{\*\objdata ${data}}{\result shown}} after`,
    );
    expect(parts.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['notes.txt', 'inner text'],
    ]);
    expect(text).toBe('before shown after');
  });

  test('an embedded document is named after its class', async () => {
    const { parts } = await extract(
      String.raw`{\object{\*\objdata ${objectData('Word.Document.8', Buffer.from('DOC'))}}}`,
    );
    expect(parts.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['file_0.doc', 'DOC']]);
  });

  test('pictures are recognised by their bytes, in hexadecimal digits or raw, and named by their description', async () => {
    const hex = PNG.toString('hex');
    const { parts, text } = await extract(
      String.raw`{\pict\pngblip ${hex.slice(0, 6)}` +
        '\r\n' +
        String.raw`${hex.slice(6)}}{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv a cat}}}\pngblip ${hex}}}{\pict\bin8 ${PNG.toString('latin1')}}{\object{\result{\pict ${hex}}}}`,
    );
    expect(parts.map(({ name }) => name)).toEqual(['file_0.png', 'a cat', 'file_1.png', 'thumbnail_0.png']);
    expect(parts.every(({ bytes }) => Buffer.from(bytes).equals(PNG))).toBe(true);
    expect(text).toBe('');
  });
});

describe('trouble', () => {
  test('a file that is no RTF is corrupt', async () => {
    const input = { name: 'x.rtf', mediaType: TYPE, bytes: Buffer.from('hello') };
    await expect(runFormat(rtfExtractor, input)).rejects.toMatchObject({ code: 'corrupt' });
  });

  test.each([
    ['is cut off in a group', String.raw`{\b text`, 'text'],
    ['is cut off in a control word', String.raw`text\pa`, 'text'],
    ['closes more groups than it opened', 'text}}}', 'text'],
    ['nests without end', '{'.repeat(200_000) + 'deep', 'deep'],
  ])('text is kept when the document %s', async (_, body, text) => {
    expect((await extract(body)).text).toBe(text);
  });

  test('damaged documents end in text or in an error of ours', async () => {
    const document = Buffer.from(
      String.raw`{\rtf1\ansi${FONTS}{\info{\title T}}text \'e9\u8364? {\pict\pngblip 8950}{\*\objdata 0105}\par}`,
    );
    await expectNoSurprises(rtfExtractor, TYPE, document);
  });
});
