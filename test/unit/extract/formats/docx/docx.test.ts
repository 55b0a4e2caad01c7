import { describe, expect, test } from '@jest/globals';
import * as docxExtractor from '../../../../../src/extract/formats/docx/docx-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { docx, wordParagraph as p, wordRoot, zipFiles, type WordParts } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function extract(bytes: Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(docxExtractor, { name: 'letter.docx', mediaType: TYPE, bytes }, options);
}

async function textOf(body: string, more: Omit<WordParts, 'body'> = {}): Promise<string> {
  return (await extract(docx({ body, ...more }))).text;
}

function numbered(text: string, list: number, level: number): string {
  return p(text, `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`);
}

function levelXml(level: number, format: string, text: string, more = ''): string {
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
}

describe('body', () => {
  test('paragraphs and table cells come in reading order', async () => {
    const table = `<w:tbl><w:tr><w:tc>${p('a1')}${p('a2')}</w:tc><w:tc>${p('b')}</w:tc></w:tr><w:tr><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`;
    expect(await textOf(p('before') + table + p('after'))).toBe('before\n\ta1\na2\tb\n\tc\n\nafter\n');
  });

  test.each([
    [
      'tab, break and special hyphens',
      '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>',
      'a\tb\nc\u2011d',
    ],
    ['tab stops are no tabs', '<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>x</w:t></w:r>', 'x'],
    [
      'results of fields, not their instructions',
      '<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>7</w:t></w:r>',
      '7',
    ],
    [
      'insertions are kept, deletions are not',
      '<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>',
      'new',
    ],
    [
      'moved text stands only where it went',
      '<w:moveFrom><w:r><w:t>here</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>there</w:t></w:r></w:moveTo>',
      'there',
    ],
    [
      'readings follow their characters',
      '<w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      '漢 (かん)',
    ],
    [
      'controls and links',
      '<w:hyperlink r:id="x"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:sdt><w:sdtContent><w:r><w:t>field</w:t></w:r></w:sdtContent></w:sdt>',
      'linkfield',
    ],
  ])('%s', async (_, content, expected) => {
    expect(await textOf(`<w:p>${content}</w:p>`)).toBe(`${expected}\n`);
  });

  test('a text box is read once, from the first form that has text', async () => {
    const box = (name: string, text: string): string =>
      `<mc:${name}><w:txbxContent>${text}</w:txbxContent></mc:${name}>`;
    const both = box('Choice', p('box')) + box('Fallback', p('box'));
    const old = box('Choice', '') + box('Fallback', p('old box'));
    const run = (content: string): string =>
      `<w:p><w:r><w:t>text</w:t><mc:AlternateContent>${content}</mc:AlternateContent></w:r></w:p>`;
    expect(await textOf(run(both) + run(old))).toBe('text\nbox\n\ntext\nold box\n\n');
  });

  test('a document of another producer, with other prefixes, reads the same', async () => {
    const bytes = docx({ body: p('same text') });
    const other = Buffer.from(bytes);
    expect((await extract(other)).text).toBe('same text\n');
    const renamed = zipFiles({
      'word/document.xml': '<document xmlns="x"><body><p><r><t>no prefix</t></r></p></body></document>',
    });
    expect((await extract(renamed)).text).toBe('no prefix\n');
  });
});

describe('list numbers', () => {
  const numbering = wordRoot(
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${levelXml(0, 'decimal', '%1.')}${levelXml(1, 'lowerLetter', '%1.%2)')}${levelXml(2, 'bullet', 'o')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${levelXml(0, 'upperRoman', 'Part %1')}${levelXml(1, 'decimal', '%1.%2', '<w:isLgl/>')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
  );
  const withNumbering: Omit<WordParts, 'body'> = {
    parts: { 'numbering.xml': numbering },
    links: [['n', 'numbering', 'numbering.xml']],
  };

  test('count by level, restart below a higher level, and mix formats', async () => {
    const body = [
      numbered('one', 1, 0),
      numbered('a', 1, 1),
      numbered('b', 1, 1),
      numbered('dot', 1, 2),
      numbered('two', 1, 0),
      numbered('a again', 1, 1),
    ];
    expect(await textOf(body.join(''), withNumbering)).toBe('1. one\n1.a) a\n1.b) b\n· dot\n2. two\n2.a) a again\n');
  });

  test('legal levels are decimal, and lists of one definition count on unless they restart', async () => {
    const body = [
      numbered('x', 2, 0),
      numbered('y', 2, 1),
      numbered('z', 1, 0),
      numbered('five', 3, 0),
      numbered('six', 1, 0),
    ];
    expect(await textOf(body.join(''), withNumbering)).toBe('Part I x\n1.1 y\n1. z\n5. five\n6. six\n');
  });

  test('a removed number and an unknown list have none', async () => {
    expect(await textOf(numbered('plain', 0, 0) + numbered('lost', 9, 0), withNumbering)).toBe('plain\nlost\n');
  });
});

describe('other parts', () => {
  test('headers come first, notes and comments behind their paragraph, charts and footers last', async () => {
    const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const text = await textOf(
      `<w:p><w:r><w:t>body</w:t></w:r>${reference('footnote', 2)}${reference('comment', 7)}</w:p>${p('next')}`,
      {
        parts: {
          'header1.xml': wordRoot('hdr', p('head')),
          'footer1.xml': wordRoot('ftr', p('foot')),
          'footnotes.xml': wordRoot(
            'footnotes',
            `<w:footnote w:id="0" w:type="separator">${p('line')}</w:footnote><w:footnote w:id="2">${p('note')}</w:footnote>`,
          ),
          'comments.xml': wordRoot('comments', `<w:comment w:id="7" w:author="Ann">${p('remark')}</w:comment>`),
          'chart.xml': wordRoot(
            'chart',
            '<c:chart><a:p><a:r><a:t>Sales</a:t></a:r></a:p><c:pt><c:v>4.25</c:v></c:pt></c:chart>',
          ),
        },
        links: [
          ['h', 'header', 'header1.xml'],
          ['f', 'footer', 'footer1.xml'],
          ['n', 'footnotes', 'footnotes.xml'],
          ['c', 'comments', 'comments.xml'],
          ['d', 'chart', 'chart.xml'],
        ],
      },
    );
    expect(text).toBe('head\nbody\nnote\nremark\nnext\nSales\n4.25\tfoot\n');
  });

  test('embedded files are handed on with their names, each once; an OLE object that is no wrapper keeps its own', async () => {
    const result = await extract(
      docx({
        body: p('x'),
        parts: { 'media/image1.png': 'PNG', 'embeddings/sheet.xlsx': 'XLSX', 'embeddings/oleObject1.bin': 'not OLE' },
        links: [
          ['i', 'image', 'media/image1.png'],
          ['j', 'image', 'media/image1.png'],
          ['p', 'package', 'embeddings/sheet.xlsx'],
          ['o', 'oleObject', 'embeddings/oleObject1.bin'],
          ['u', 'image', 'http://example.com/a.png', 'external'],
          ['m', 'image', 'media/missing.png'],
        ],
        packageLinks: [
          [
            't',
            'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail',
            'docProps/thumbnail.jpeg',
          ],
        ],
        packageFiles: { 'docProps/thumbnail.jpeg': 'JPEG' },
      }),
    );
    expect(
      result.parts.map(({ name, bytes, printName }) => [name, Buffer.from(bytes).toString(), printName ?? true]),
    ).toEqual([
      ['image1.png', 'PNG', true],
      ['sheet.xlsx', 'XLSX', true],
      ['oleObject1.bin', 'not OLE', true],
      ['thumbnail.jpeg', 'JPEG', false],
    ]);
  });
});

describe('metadata', () => {
  test('core, extended and custom properties have the keys of Tika', async () => {
    const core =
      '<cp:coreProperties><dc:creator>A One; B Two</dc:creator><cp:lastModifiedBy>C</cp:lastModifiedBy><dc:title>Title</dc:title>' +
      '<dc:subject>S</dc:subject><cp:keywords>k1, k2</cp:keywords><cp:revision>3</cp:revision><dc:description></dc:description>' +
      '<dcterms:created>2020-01-02T03:04:05.678Z</dcterms:created><dcterms:modified>2020-01-02T03:04:05+02:00</dcterms:modified></cp:coreProperties>';
    const app =
      '<Properties><Pages>2</Pages><Words>10</Words><TotalTime>0</TotalTime><Application>Writer</Application><Company>Co</Company><DocSecurity>4</DocSecurity>' +
      '<HeadingPairs><vt:vector><vt:lpstr>Title</vt:lpstr></vt:vector></HeadingPairs></Properties>';
    const custom =
      '<Properties><property name="State"><vt:lpwstr>draft</vt:lpwstr></property><property name="Done"><vt:bool>1</vt:bool></property>' +
      '<property name="Due"><vt:filetime>2016-07-06T22:00:00Z</vt:filetime></property><property name="List"><vt:vector><vt:lpstr>x</vt:lpstr></vt:vector></property></Properties>';
    const { metadata } = await extract(
      docx({
        body: '',
        packageLinks: [
          ['c', 'core-properties', 'docProps/core.xml'],
          ['e', 'extended-properties', 'docProps/app.xml'],
          ['u', 'custom-properties', 'docProps/custom.xml'],
        ],
        packageFiles: { 'docProps/core.xml': core, 'docProps/app.xml': app, 'docProps/custom.xml': custom },
      }),
    );
    expect(metadata).toEqual({
      'dc:creator': ['A One', 'B Two'],
      'meta:last-author': ['C'],
      'dc:title': ['Title'],
      'dc:subject': ['S', 'k1, k2'],
      'meta:keyword': ['k1, k2'],
      'cp:revision': ['3'],
      'dcterms:created': ['2020-01-02T03:04:05Z'],
      'dcterms:modified': ['2020-01-02T01:04:05Z'],
      'meta:page-count': ['2'],
      'xmpTPg:NPages': ['2'],
      'meta:word-count': ['10'],
      'extended-properties:Application': ['Writer'],
      'extended-properties:Company': ['Co'],
      'dc:publisher': ['Co'],
      'extended-properties:DocSecurity': ['4'],
      'extended-properties:DocSecurityString': ['ReadOnlyEnforced'],
      'custom:State': ['draft'],
      'custom:Done': ['true'],
      'custom:Due': ['2016-07-06T22:00:00Z'],
    });
  });

  test('tells of tracked changes, hidden text, comments and links in fields', async () => {
    const { metadata } = await extract(
      docx({
        body:
          '<w:p><w:ins w:author="Ed"/><w:r><w:rPr><w:vanish/></w:rPr></w:r><w:r><w:commentReference w:id="1"/></w:r>' +
          '<w:r><w:instrText>HYPERLINK "http://x/"</w:instrText><w:fldChar w:fldCharType="separate"/></w:r></w:p>',
      }),
    );
    expect(metadata).toMatchObject({
      'msoffice:has-track-changes': ['true'],
      'msoffice:comment-person-display-name': ['Ed'],
      'msoffice:doc:has-hidden-text': ['true'],
      'msoffice:has-comments': ['true'],
      'msoffice:has-field-hyperlinks': ['true'],
    });
  });
});

describe('trouble', () => {
  const long = docx({
    body: Array.from({ length: 3000 }, (_, index) => p(`paragraph ${index * 7919} of many`)).join(''),
  });

  test('a truncated file gives what is left of it, with a warning', async () => {
    const result = await extract(long.slice(0, long.length - 6000));
    expect(result.text).toContain('paragraph 7919 of many\n');
    expect(result.warnings.join(' ')).toMatch(/damaged/);
  });

  test('a damaged part costs that part, not the document', async () => {
    const bytes = docx({
      body: p('body stays'),
      parts: { 'header1.xml': wordRoot('hdr', p('head ' + 'x'.repeat(500))) },
      links: [['h', 'header', 'header1.xml']],
    });
    const at = Buffer.from(bytes).indexOf('word/header1.xml') + 'word/header1.xml'.length;
    Buffer.from(bytes.buffer).fill(0xff, bytes.byteOffset + at, bytes.byteOffset + at + 20);
    const result = await extract(bytes);
    expect(result.text).toContain('body stays');
    expect(result.warnings).not.toEqual([]);
  });

  test('a package without a main part is corrupt', async () => {
    await expect(extract(zipFiles({ 'readme.txt': 'no document' }))).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('reading stops when enough characters are there', async () => {
    const result = await extract(long, { maxCharacters: 100 });
    expect(result.text).toHaveLength(100);
  });

  test('a bomb ends at the limit', async () => {
    const bytes = docx({ body: p('x'.repeat(30_000_000)) });
    await expect(extract(bytes, { maxBytes: 1_000_000 })).rejects.toThrow('too_large');
  });

  test('damaged documents end in text or in an error of ours', async () => {
    await expectNoSurprises(docxExtractor, TYPE, Buffer.from(docx({ body: p('some text') + numbered('x', 1, 0) })));
  });
});
