import { describe, expect, test } from '@jest/globals';
import * as xlsxExtractor from '../../../../../src/extract/formats/xlsx/xlsx-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { sheetRoot, xlsx, type WorkbookParts } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(xlsxExtractor, { name: 'book.xlsx', mediaType: TYPE, bytes }, options);
}

function rows(...cells: string[]): string {
  return `<sheetData>${cells.map((row, index) => `<row r="${index + 1}">${row}</row>`).join('')}</sheetData>`;
}

async function sheetText(content: string, more: Partial<WorkbookParts> = {}): Promise<string> {
  return (await extract(xlsx({ sheets: [{ name: 'S', content }], ...more }))).text;
}

const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="0.0&quot; kg&quot;"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>';

describe('cells', () => {
  test('of every type are shown as a spreadsheet shows them', async () => {
    const text = await sheetText(
      rows(
        '<c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>' +
          '<c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="str"><f>A1</f><v>result</v></c>',
        '<c r="A2"><v>1234.5678</v></c><c r="B2" s="1"><v>80.25</v></c><c r="C2" s="2"><v>45000</v></c><c r="D2" t="d"><v>2020-01-02</v></c>',
      ),
      { strings: '<si><r><t>sha</t></r><r><t>red</t></r></si>', styles },
    );
    expect(text).toBe(
      'S\n\tshared\tinline\tTRUE\tERROR:#DIV/0!\tresult\n\t1234.5678\t80.3 kg\t3/15/23\t2020-01-02\n\n',
    );
  });

  test('readings follow their characters', async () => {
    const strings = '<si><t>漢字</t><rPh sb="0" eb="2"><t>カンジ</t></rPh></si>';
    expect(await sheetText(rows('<c r="A1" t="s"><v>0</v></c>'), { strings })).toBe('S\n\t漢字 カンジ\n\n');
  });

  test('columns left out are tabs, but not thousands of them', async () => {
    const text = await sheetText(rows('<c r="A1"><v>1</v></c><c r="D1"><v>2</v></c><c r="XFD1"><v>3</v></c>'));
    expect(text).toMatch(/^S\n\t1\t\t\t2\t{2,40}3\n/);
  });

  test('dates count from 1904 when the workbook says so', async () => {
    const cells = rows('<c r="A1" s="2"><v>43538</v></c>');
    const properties =
      '<workbookPr date1904="1"/><extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>';
    expect(await sheetText(cells, { styles, properties })).toBe('S\n\t3/15/23\n\n');
  });

  test('formats of conditional styles are not those of cells', async () => {
    const more = '<dxfs><dxf><numFmt numFmtId="14" formatCode="0.00%"/></dxf></dxfs>';
    const cells = rows('<c r="A1" s="2"><v>45000</v></c>');
    expect(await sheetText(cells, { styles: styles + more })).toBe('S\n\t3/15/23\n\n');
  });

  test('threads of comments follow behind the sheet', async () => {
    const comments = sheetRoot(
      'ThreadedComments',
      '<threadedComment ref="A1"><text>Why &amp; how?</text></threadedComment>' +
        '<threadedComment ref="A1"><text>Because.</text></threadedComment>',
    );
    const { text } = await extract(
      xlsx({
        sheets: [
          {
            name: 'S',
            content: rows('<c r="A1"><v>1</v></c>'),
            links: [['t', 'threadedComment', '../threadedComments/1.xml']],
          },
        ],
        files: { 'xl/threadedComments/1.xml': comments },
      }),
    );
    expect(text).toBe('S\n\t1\nWhy & how?\n\nBecause.\n\n\n');
  });

  test('comments stand with their cell, or at the end when it is empty', async () => {
    const comments = sheetRoot(
      'comments',
      '<authors><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><t>first</t></text></comment>' +
        '<comment ref="Z9" authorId="0"><text><r><t>la</t></r><r><t>st</t></r></text></comment></commentList>',
    );
    const result = await extract(
      xlsx({
        sheets: [
          { name: 'S', content: rows('<c r="A1"><v>1</v></c>'), links: [['c', 'comments', '../comments1.xml']] },
        ],
        files: { 'xl/comments1.xml': comments },
      }),
    );
    expect(result.text).toBe('S\n\t1\nAnn: first\n\t\nAnn: last\n\n');
    expect(result.metadata['msoffice:has-comments']).toEqual(['true']);
  });
});

describe('sheets', () => {
  test('come in the order of the tabs; what is hidden is read and told of', async () => {
    const result = await extract(
      xlsx({
        properties: '<workbookPr codeName="ThisWorkbook"/>',
        sheets: [
          { name: 'First &amp; best', content: rows('<c r="A1"><v>1</v></c>') },
          {
            name: 'Secret',
            content: `${rows('<c r="A1"><v>2</v></c>')}<sheetProtection sheet="1"/>`,
            attributes: 'state="veryHidden"',
          },
          { name: 'Aside', content: '<cols><col min="1" max="1" hidden="1"/></cols>', attributes: 'state="hidden"' },
          { name: 'Rows', content: '<sheetData><row r="1" hidden="true"/></sheetData>' },
        ],
      }),
    );
    expect(result.text).toBe('First & best\n\t1\n\nSecret\n\t2\n\nAside\n\nRows\n\n\n');
    expect(result.metadata).toMatchObject({
      protected: ['true'],
      'msoffice:excel:has-hidden-cols': ['true'],
      'msoffice:excel:has-hidden-rows': ['true'],
      'msoffice:excel:has-hidden-sheets': ['true'],
      'msoffice:excel:has-very-hidden-sheets': ['true'],
      'msoffice:excel:hidden-sheet-names': ['Aside'],
      'msoffice:excel:very-hidden-sheet-names': ['Secret'],
      'msoffice:excel:workbook-codename': ['ThisWorkbook'],
    });
  });

  test('are followed by headers and footers, what is drawn on them, and where their links lead', async () => {
    const drawing = sheetRoot(
      'xdr:wsDr',
      '<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="Box"><a:hlinkClick r:id="l"/></xdr:cNvPr></xdr:nvSpPr>' +
        '<xdr:txBody><a:p><a:r><a:t>in a box</a:t></a:r></a:p></xdr:txBody></xdr:sp>',
    );
    const text = await sheetText(
      `${rows()}<headerFooter><oddHeader>&amp;RPage &amp;P&amp;Lleft</oddHeader><oddFooter>plain</oddFooter></headerFooter>`,
      {
        files: {
          'xl/drawings/drawing1.xml': drawing,
          'xl/charts/chart1.xml': sheetRoot('c:chart', '<a:p><a:t>Chart</a:t></a:p><c:v>3</c:v>'),
        },
        links: {
          '/xl/worksheets/sheet1.xml': [
            ['d', 'drawing', '../drawings/drawing1.xml'],
            ['h', 'hyperlink', 'http://example.com/sheet', 'external'],
          ],
          '/xl/drawings/drawing1.xml': [
            ['l', 'hyperlink', 'http://example.com/box', 'external'],
            ['c', 'chart', '../charts/chart1.xml'],
          ],
        },
      },
    );
    expect(text).toBe(
      'S\n\nleft\tPage &P\n\nplain\nhttp://example.com/box\nin a box\nChart\n3\thttp://example.com/sheet\n\n',
    );
  });

  test('embedded files of a sheet and its drawing are handed on', async () => {
    const result = await extract(
      xlsx({
        sheets: [{ name: 'S', content: rows(), links: [['p', 'package', '../embeddings/a.docx']] }],
        files: { 'xl/embeddings/a.docx': 'DOCX' },
      }),
    );
    expect(result.parts.map((part) => part.name)).toEqual(['a.docx']);
  });
});

describe('trouble', () => {
  const many = xlsx({
    sheets: [{ name: 'S', content: rows(...Array.from({ length: 60_000 }, (_, index) => `<c><v>${index}</v></c>`)) }],
  });

  test('a huge sheet is left when enough characters are there', async () => {
    const result = await extract(many, { maxCharacters: 1000 });
    expect(result.text).toHaveLength(1000);
    expect(result.text).toContain('\t7\n\t8\n');
  });

  test('a bomb ends at the limit', async () => {
    await expect(extract(many, { maxBytes: 100_000 })).rejects.toThrow('too_large');
  });

  test('a workbook that lost its list of sheets still gives their cells', async () => {
    const bytes = xlsx({ sheets: [{ name: 'S', content: rows('<c r="A1"><v>42</v></c>') }], properties: '<!--' });
    expect((await extract(bytes)).text).toContain('\t42\n');
  });

  test('damaged documents end in text or in an error of ours', async () => {
    const document = xlsx({ sheets: [{ name: 'S', content: rows('<c r="A1" s="1"><v>1</v></c>') }], styles });
    await expectNoSurprises(xlsxExtractor, TYPE, Buffer.from(document));
  });
});
