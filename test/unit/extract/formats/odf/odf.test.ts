import { describe, expect, test } from '@jest/globals';
import { decryptBlowfishCfb } from '../../../../../src/extract/formats/odf/blowfish.js';
import * as odfExtractor from '../../../../../src/extract/formats/odf/odf-extractor.js';
import { encryptedOdt } from '../../../../support/encrypt-odf.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { zipFiles, type Files } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.oasis.opendocument.text';

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(odfExtractor, { name: 'letter.odt', mediaType: TYPE, bytes }, options);
}

const NAMESPACES =
  'xmlns:office="urn:o" xmlns:text="urn:t" xmlns:table="urn:tb" xmlns:draw="urn:d" xmlns:style="urn:s" xmlns:svg="urn:v" ' +
  'xmlns:dc="urn:dc" xmlns:meta="urn:m" xmlns:xlink="urn:x"';

function contentXml(body: string, kind = 'text'): string {
  return `<?xml version="1.0"?><office:document-content ${NAMESPACES}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
}

function odt(body: string, more: Files = {}): Uint8Array {
  return zipFiles({ mimetype: TYPE, 'content.xml': contentXml(body), ...more });
}

async function textOf(body: string, more: Files = {}): Promise<string> {
  return (await extract(odt(body, more))).text;
}

describe('text', () => {
  test.each([
    [
      'headings, spaces, tabs and breaks',
      '<text:h>Head</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>',
      'Head\na   b\tc\nd\n',
    ],
    [
      'spans, links and fields',
      '<text:p><text:span>a</text:span><text:a xlink:href="http://x/">b</text:a><text:date>1.1.</text:date></text:p>',
      'ab1.1.\n',
    ],
    [
      'no page numbers, which only a layout knows',
      '<text:p>Page <text:page-number>1</text:page-number>/<text:page-count>9</text:page-count></text:p>',
      'Page /\n',
    ],
    [
      'notes where they are referred to',
      '<text:p>see<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>after</text:p>',
      'see 1 note after\n',
    ],
    [
      'remarks without their author',
      '<text:p>a<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020</dc:date><text:p>remark</text:p></office:annotation>b</text:p>',
      'a remark b\n',
    ],
    [
      'text boxes, titles and descriptions',
      '<text:p><draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>T</svg:title><svg:desc>D</svg:desc></draw:frame></text:p>',
      'box T D \n',
    ],
    [
      'lists and sections',
      '<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><text:section><text:p>two</text:p></text:section>',
      '\tone\ntwo\n',
    ],
    [
      'an index without its templates',
      '<text:index-title-template>Template</text:index-title-template><text:index-body><text:p>entry</text:p></text:index-body>',
      'entry\n',
    ],
    [
      'what tracked changes deleted, as Tika does',
      '<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes><text:p>here</text:p>',
      'gone\nhere\n',
    ],
  ])('holds %s', async (_, body, text) => {
    expect(await textOf(body)).toBe(text);
  });

  test('tables have a line a row; covered cells are left out', async () => {
    const cell = (text: string): string => `<table:table-cell>${text}</table:table-cell>`;
    const row = `<table:table-row>${cell('<text:p>a</text:p><text:p>b</text:p>')}<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>${cell('<text:p>c</text:p>')}</table:table-row>`;
    expect(await textOf(`<table:table table:name="T">${row}</table:table>`)).toBe('\ta\nb\tc\n\n');
  });

  test('sheets of a spreadsheet have their names', async () => {
    const sheet =
      '<table:table table:name="Budget"><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table>';
    const bytes = zipFiles({ 'content.xml': contentXml(sheet, 'spreadsheet') });
    expect((await extract(bytes)).text).toBe('Budget\n\t1\n\n');
  });

  test('headers, footers and embedded objects come in the order of the package', async () => {
    const styles = `<office:document-styles ${NAMESPACES}><style:master-page><style:header><text:p>head</text:p></style:header></style:master-page></office:document-styles>`;
    expect(
      await textOf('<text:p>body</text:p>', {
        'Object 1/content.xml': contentXml('<text:p>chart</text:p>', 'chart'),
        'styles.xml': styles,
      }),
    ).toBe('body\nchart\nhead\n');
  });

  test('pictures are handed on without a line for their name', async () => {
    const { parts } = await extract(
      odt('', { 'Pictures/a.png': 'PNG', 'Thumbnails/thumbnail.png': 'PNG', 'layout-cache': 'x' }),
    );
    expect(parts.map(({ name, printName }) => [name, printName])).toEqual([
      ['Pictures/a.png', false],
      ['Thumbnails/thumbnail.png', false],
    ]);
  });
});

const META =
  '<office:meta><meta:initial-creator>First</meta:initial-creator><dc:creator>Last</dc:creator><dc:title>Title</dc:title><dc:subject>About</dc:subject>' +
  '<meta:keyword>k1</meta:keyword><meta:keyword>k2</meta:keyword><meta:creation-date>2020-01-02T03:04:05</meta:creation-date><dc:date>2021-02-03T04:05:06.789</dc:date>' +
  '<meta:generator>Suite/7</meta:generator><meta:document-statistic meta:page-count="4" meta:word-count="6"/><meta:user-defined meta:name="State">draft</meta:user-defined></office:meta>';

const EXPECTED_META = {
  'dc:creator': ['First', 'Last'],
  'dc:title': ['Title'],
  'cp:subject': ['About'],
  'meta:keyword': ['k1, k2'],
  'dc:subject': ['k1, k2', 'About'],
  'dc:description': ['About'],
  'dcterms:created': ['2020-01-02T03:04:05'],
  'dcterms:modified': ['2021-02-03T04:05:06.789'],
  generator: ['Suite/7'],
  'meta:page-count': ['4'],
  'xmpTPg:NPages': ['4'],
  'meta:word-count': ['6'],
  'custom:State': ['draft'],
};

describe('metadata', () => {
  test('has the keys of Tika', async () => {
    const { metadata } = await extract(
      odt('', {
        'meta.xml': `<office:document-meta ${NAMESPACES} office:version="1.3">${META}</office:document-meta>`,
      }),
    );
    expect(metadata).toEqual({ ...EXPECTED_META, 'odf:version': ['1.3'] });
  });

  test.each([
    ['<dc:subject>S</dc:subject>', 'S'],
    ['<dc:subject>S</dc:subject><dc:description>D</dc:description>', 'D'],
  ])('of %s gives a description', async (inner, description) => {
    const meta = `<office:document-meta ${NAMESPACES}><office:meta>${inner}</office:meta></office:document-meta>`;
    expect((await extract(odt('', { 'meta.xml': meta }))).metadata['dc:description']).toEqual([description]);
  });

  test('and text of a flat file come from one document, its pictures from base64', async () => {
    const flat =
      `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES}>${META}<office:scripts>script</office:scripts><office:body><office:text>` +
      `<text:p>flat<draw:image><office:binary-data>${Buffer.from('PNG').toString('base64')}</office:binary-data></draw:image></text:p></office:text></office:body></office:document>`;
    const result = await extract(Buffer.from(flat));
    expect(result.text).toBe('flat\n');
    expect(result.metadata).toEqual(EXPECTED_META);
    expect(result.parts.map((part) => Buffer.from(part.bytes).toString())).toEqual(['PNG']);
  });
});

describe('encryption', () => {
  const secret = encryptedOdt('secret text', 'geheim');

  test('opens with the right password among others', async () => {
    expect((await extract(secret, { passwords: ['wrong', 'geheim'] })).text).toBe('secret text\n');
  });

  test.each([[[]], [['wrong']], [['Geheim', '']]])('stays closed with %p', async (passwords) => {
    await expect(extract(secret, { passwords })).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('a package encrypted as a whole is encrypted, not damaged', async () => {
    await expect(extract(odt('', { 'encrypted-package': 'x' }))).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('Blowfish in feedback mode agrees with OpenSSL', () => {
    const data = Buffer.from(
      'b95012c6ca42cd5a894328d56c32efd7bfef85bfd986da5dceb5784c26ac76cda9e779eaf94a5c3538328513',
      'hex',
    );
    const plain = decryptBlowfishCfb(
      data,
      Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
      Buffer.from('0102030405060708', 'hex'),
    );
    expect(plain.toString()).toBe('hello world, this is blowfish cfb mode test!');
  });
});

describe('trouble', () => {
  test('a truncated package gives what is left of it', async () => {
    const body = Array.from({ length: 4000 }, (_, index) => `<text:p>line ${index * 7919}</text:p>`).join('');
    const bytes = odt(body);
    const result = await extract(bytes.slice(0, Math.floor(bytes.length / 2)));
    expect(result.text).toContain('line 7919\n');
    expect(result.warnings).not.toEqual([]);
  });

  test('a bomb ends at the limit', async () => {
    await expect(extract(odt(`<text:p>${'x'.repeat(10_000_000)}</text:p>`), { maxBytes: 100_000 })).rejects.toThrow(
      'too_large',
    );
  });

  test('damaged documents end in text or in an error of ours', async () => {
    await expectNoSurprises(odfExtractor, TYPE, Buffer.from(odt('<text:p>some text</text:p>')));
  });
});
