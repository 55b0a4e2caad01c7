import { describe, expect, test } from '@jest/globals';
import { inflateSnappy } from '../../../../../src/extract/formats/iwork/snappy.js';
import * as iworkExtractor from '../../../../../src/extract/formats/iwork/iwork-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { zipFiles, type Files } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

function extract(files: Files, options: FormatRunOptions = {}): Promise<FormatResult> {
  const input = { name: 'talk.key', mediaType: 'application/vnd.apple.keynote.13', bytes: zipFiles(files) };
  return runFormat(iworkExtractor, input, options);
}

const NAMESPACES = 'xmlns:sf="urn:sf" xmlns:sfa="urn:sfa" xmlns:key="urn:key" xmlns:sl="urn:sl" xmlns:ls="urn:ls"';

describe("iWork '09", () => {
  test('Keynote: titles, tables and notes of slides, with title and author', async () => {
    const body = (text: string): string => `<sf:text-body><sf:p>${text}</sf:p></sf:text-body>`;
    const result = await extract({
      'index.apxl':
        `<key:presentation ${NAMESPACES}><sf:p>style</sf:p><key:slide>${body('Title')}<sf:tabular-model><sf:grid sf:numcols="2"/><sf:ct sfa:s="a"/><sf:n sf:v="2.5"/>` +
        `<sf:ct sfa:s="c"/></sf:tabular-model><key:notes>${body('notes')}</key:notes></key:slide><key:metadata><key:title><key:string sfa:string="Talk"/></key:title>` +
        '<key:authors><key:string sfa:string="Ann"/></key:authors></key:metadata></key:presentation>',
    });
    expect(result.text).toBe('Title\n\ta\t2.5\n\tc\nnotes\n');
    expect(result.metadata).toEqual({ 'dc:title': ['Talk'], 'dc:creator': ['Ann'], 'meta:slide-count': ['1'] });
  });

  test('Pages: what follows the first page, headers and footers with each page, no prompts', async () => {
    const result = await extract({
      'index.xml':
        `<sl:document ${NAMESPACES}><sf:metadata><sf:authors><sf:string sfa:string="Ann"/></sf:authors></sf:metadata><sf:p>template</sf:p>` +
        '<sf:headers><sf:header><sf:p>head</sf:p></sf:header></sf:headers><sf:footers><sf:footer><sf:p>foot</sf:p></sf:footer></sf:footers>' +
        '<sf:footnotes><sf:p><sf:footnote-mark sf:mark="1"/>note</sf:p></sf:footnotes>' +
        '<sf:text-body><sf:page-start/><sf:p>one<sf:footnote sf:autonumber="1"/></sf:p><sf:p><sf:ghost-text>type here</sf:ghost-text>two</sf:p><sf:page-start/><sf:p>three</sf:p></sf:text-body></sl:document>',
    });
    expect(result.text.split('\n').filter((line) => line !== '')).toEqual([
      'head',
      'one',
      'note',
      'two',
      'foot',
      'head',
      'three',
      'foot',
    ]);
    expect(result.metadata).toEqual({ 'dc:creator': ['Ann'], 'meta:page-count': ['2'] });
  });

  test('Numbers: tables with their names, text boxes and charts', async () => {
    const result = await extract({
      'index.xml':
        `<ls:document ${NAMESPACES}><ls:workspace ls:workspace-name="S"><sf:tabular-model sf:name="Table 1"><sf:grid sf:numcols="2"><sf:ct sfa:s="a"/><sf:n sf:v="3.5"/></sf:grid>` +
        '</sf:tabular-model><sf:text><sf:p>box</sf:p></sf:text><sf:chart-name sfa:string="Chart"/></ls:workspace></ls:document>',
    });
    expect(result.text).toBe('Table 1\n\ta\t3.5\nbox\nChart\n');
    expect(result.metadata).toEqual({ 'meta:page-count': ['1'] });
  });
});

/** Protocol buffers, archives and Snappy, as far as the tests need them. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
}

function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function snappy(plain: Buffer): Buffer {
  const pieces = [varint(plain.length)];
  for (let at = 0; at < plain.length; at += 256) {
    const piece = plain.subarray(at, at + 256);
    pieces.push(Buffer.from([60 << 2, piece.length - 1]), piece);
  }
  return Buffer.concat(pieces);
}

function iwa(...messages: (readonly [type: number, body: Buffer])[]): Buffer {
  const objects = messages.map(([type, body], index) => {
    const info = Buffer.concat([field(1, index + 1), field(2, Buffer.concat([field(1, type), field(3, body.length)]))]);
    return Buffer.concat([varint(info.length), info, body]);
  });
  const packed = snappy(Buffer.concat(objects));
  const header = Buffer.alloc(4);
  header.writeUIntLE(packed.length, 1, 3);
  return Buffer.concat([header, packed]);
}

describe('iWork 2013 and later', () => {
  const slide = iwa(
    [2001, field(3, 'You know,\u2028for files!\ufffc')],
    [3056, field(1, 'a comment')],
    [6005, Buffer.concat([field(1, 1), field(3, Buffer.concat([field(1, 1), field(3, 'cell text')]))])],
    [6005, Buffer.concat([field(1, 9), field(3, Buffer.concat([field(1, 1), field(3, 'no string')]))])],
    [9999, field(3, 'not text')],
  );

  test('texts, comments and cells are read from the archives; templates are left out; media follow', async () => {
    const result = await extract({
      'Data/photo.jpg': 'JPEG',
      'Index/Slide-1.iwa': slide,
      'Index/TemplateSlide-2.iwa': iwa([2001, field(3, 'Click to edit')]),
      'Metadata/Properties.plist': 'x',
      'preview.jpg': 'JPEG',
      'preview-micro.jpg': 'JPEG',
    });
    expect(result.text).toBe('You know,\nfor files!\na comment\ncell text\n');
    expect(result.parts.map((part) => part.name)).toEqual(['Data/photo.jpg', 'preview.jpg']);
  });

  test('numbers and dates of table cells come row by row', async () => {
    const cell = (type: number, flags: number, value: Buffer): Buffer => {
      const head = Buffer.alloc(12);
      head.set([5, type]);
      head.writeUInt32LE(flags, 8);
      return Buffer.concat([head, value]);
    };
    const double = (value: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return bytes;
    };
    const decimal = Buffer.alloc(16);
    decimal.writeUInt16LE(1645);
    decimal.writeUInt16LE(0x8000 | ((0x1820 - 7) << 1), 14);
    const cells = [
      cell(2, 2, double(2.5)),
      cell(2, 1, decimal),
      cell(5, 4, double(86_400)),
      cell(3, 8, Buffer.alloc(4)),
    ];
    const offsets = Buffer.alloc(10);
    let at = 0;
    cells.forEach((each, index) => {
      offsets.writeInt16LE(at, index * 2);
      at += each.length;
    });
    offsets.writeInt16LE(-1, 8);
    const row = Buffer.concat([field(6, Buffer.concat(cells)), field(7, offsets)]);
    const archive = iwa([6002, Buffer.concat([field(5, row), field(5, field(1, 1))])]);
    expect((await extract({ 'Index/Tables/Tile.iwa': archive })).text).toBe('2.5\t-0.0001645\t2001-01-02 00:00:00\n');
  });

  test('archives may lie in a zip of their own', async () => {
    expect((await extract({ 'Index.zip': zipFiles({ 'Index/Document.iwa': slide }) })).text).toContain('cell text');
  });

  test('a damaged archive costs its text and a warning', async () => {
    const result = await extract({ 'Index/A.iwa': Buffer.from('0004000012345678', 'hex'), 'Index/B.iwa': slide });
    expect(result.text).toContain('cell text');
    expect(result.warnings.join(' ')).toMatch(/Index\/A\.iwa/);
  });

  test('a protected document is encrypted, one without content is corrupt', async () => {
    await expect(extract({ '.iwph': 'hint', 'Index/A.iwa': slide })).rejects.toMatchObject({ code: 'encrypted' });
    await expect(extract({ 'readme.txt': 'x' })).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('damaged documents end in text or in an error of ours', async () => {
    const bytes = Buffer.from(zipFiles({ 'Index/A.iwa': slide }));
    await expectNoSurprises(iworkExtractor, 'application/vnd.apple.pages.13', bytes);
  });
});

describe('Snappy', () => {
  const count = (): void => undefined;

  test.each([
    ['a literal', [3, 2 << 2, 0x61, 0x62, 0x63], 'abc'],
    ['a literal with a long length', [3, 60 << 2, 2, 0x61, 0x62, 0x63], 'abc'],
    ['a near copy', [9, 2 << 2, 0x61, 0x62, 0x63, (2 << 2) | 1, 3], 'abcabcabc'],
    ['a copy that overlaps itself', [7, 0, 0x61, (5 << 2) | 2, 1, 0], 'aaaaaaa'],
    ['a far copy', [6, 2 << 2, 0x61, 0x62, 0x63, (2 << 2) | 3, 3, 0, 0, 0], 'abcabc'],
  ])('reads %s', (_, bytes, text) => {
    expect(inflateSnappy(Buffer.from(bytes), count).toString()).toBe(text);
  });

  test.each([
    ['a copy from before the beginning', [9, 0, 0x61, (2 << 2) | 1, 9]],
    ['an offset of nothing', [9, 0, 0x61, (2 << 2) | 1, 0]],
    ['more data than stated', [1, 2 << 2, 0x61, 0x62, 0x63]],
    ['a size that cannot be', [0xff, 0xff, 0xff, 0xff, 0x0f, 0]],
    ['no size', [0x80]],
  ])('%s is corrupt', (_, bytes) => {
    expect(() => inflateSnappy(Buffer.from(bytes), count)).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });
});
