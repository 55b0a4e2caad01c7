import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import * as pdfExtractor from '../../../../../src/extract/formats/pdf/pdf-extractor.js';
import { loadPdfium } from '../../../../../src/extract/formats/pdf/pdfium.js';
import { encryptPdf } from '../../../../support/encrypt-pdf.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { PdfBuilder, type PdfPage, type PdfParts } from '../../../../support/pdf-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/pdf';

function extract(bytes: Buffer, options: FormatRunOptions = {}): Promise<FormatResult> {
  return runFormat(pdfExtractor, { name: 'x.pdf', mediaType: TYPE, bytes: new Uint8Array(bytes) }, options);
}

function page(...lines: string[]): PdfPage {
  return { lines };
}

function simple(parts: Partial<PdfParts> = {}, builder = new PdfBuilder()): Buffer {
  return builder.build({ pages: [page('First page text'), page('Second page text')], ...parts });
}

/** Words in order, whatever stands between them. */
function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

describe('text', () => {
  test('comes page by page, each behind a line of its own', async () => {
    const { text, metadata } = await extract(simple());
    expect(words(text)).toEqual(['First', 'page', 'text', 'Second', 'page', 'text']);
    expect(text).toMatch(/First page text\n+Second page text/);
    expect(metadata).toMatchObject({
      'xmpTPg:NPages': ['2'],
      'pdf:PDFVersion': ['1.7'],
      'dc:format': ['application/pdf; version=1.7'],
      'pdf:encrypted': ['false'],
      'access_permission:can_print': ['true'],
      'access_permission:extract_content': ['true'],
    });
  });

  test('tells where each page begins, also one without text', async () => {
    const { text, pages } = await extract(new PdfBuilder().build({ pages: [page('one'), page(), page('three')] }));
    expect(pages).toHaveLength(3);
    expect(text.slice(pages[0], pages[1]).trim()).toBe('one');
    expect(text.slice(pages[1], pages[2]).trim()).toBe('');
    expect(text.slice(pages[2]).trim()).toBe('three');
  });

  test('stops when there is enough of it', async () => {
    const pages = Array.from({ length: 200 }, (_, index) => page(`Page number ${index}`));
    const { text } = await extract(new PdfBuilder().build({ pages }), { maxCharacters: 100 });
    expect(text).toHaveLength(100);
    expect(text).toContain('Page number 3');
  });

  test('of Arabic keeps the order of letters that are joined in one sign', async () => {
    const builder = new PdfBuilder();
    const letters = '<41> <0627> <42> <06440623> <43> <0645> <44> <0646> <45> <0644>'.split(' ');
    const pairs = letters
      .filter((_, index) => index % 2 === 0)
      .map((code, index) => `${code} ${letters[index * 2 + 1]}`);
    const map = builder.addStream(
      '',
      `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ` +
        `${pairs.length} beginbfchar ${pairs.join('\n')} endbfchar endcmap end`,
    );
    const font = builder.add(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${map} 0 R >>`);
    const form = builder.addStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F9 ${font} 0 R >> >>`,
      // On paper from left to right: security (with the joined sign), and water (with an article of two signs).
      'BT /F9 12 Tf 50 500 Td (DCBA) Tj 0 -40 Td (CEA) Tj ET',
    );
    const resources = `/XObject << /X1 ${form} 0 R >>`;
    const { text } = await extract(builder.build({ pages: [{ lines: [], drawing: '/X1 Do', resources }] }));
    expect(words(text)).toEqual(['الأمن', 'الم']);
  });

  test('keeps the hyphen at the end of a line', async () => {
    const { text } = await extract(new PdfBuilder().build({ pages: [page('hyphen-', 'ated')] }));
    expect(text).toMatch(/hyphen-\s*\n?ated/);
  });
});

describe('annotations', () => {
  test('give link targets, and author, subject and text of notes', async () => {
    const annotations = [
      '/Subtype /Link /A << /S /URI /URI (http://example.com/a?b=c) >>',
      '/Subtype /Link /Dest [0 /Fit]',
      '/Subtype /Text /T (Note Author) /Subj (Note subject) /Contents (Line one\\rline two)',
      '/Subtype /Popup /Contents (not shown)',
      '/Subtype /Highlight /Contents <FEFF00DC00620065>',
    ];
    const bytes = new PdfBuilder().build({ pages: [{ lines: ['Text'], annotations }, page('After')] });
    const { text } = await extract(bytes);
    const expected = 'Text http://example.com/a?b=c Note Author Note subject Line one line two Übe After';
    expect(words(text).join(' ')).toBe(expected);
  });
});

describe('form fields', () => {
  const field = (builder: PdfBuilder, body: string): string => `${builder.add(`<< ${body} >>`)} 0 R`;

  function formOf(...bodies: ((builder: PdfBuilder) => string)[]): Buffer {
    const builder = new PdfBuilder();
    const fields = bodies.map((body) => field(builder, body(builder)));
    const form = builder.add(`<< /Fields [${fields.join(' ')}] >>`);
    return simple({ catalog: `/AcroForm ${form} 0 R` }, builder);
  }

  test.each([
    ['a text', '/FT /Tx /T (name) /V (Ada)', 'name: Ada'],
    ['an empty text', '/FT /Tx /T (name)', 'name:'],
    ['a choice', '/FT /Ch /T (colour) /V (green)', 'colour: [green]'],
    ['several choices', '/FT /Ch /T (colours) /V [(green) (red)]', 'colours: [green, red]'],
    ['a check box', '/FT /Btn /T (agree) /V /Yes', 'agree: Yes'],
    ['an empty check box', '/FT /Btn /T (agree)', 'agree: Off'],
    ['a radio button by its export value', '/FT /Btn /Ff 32768 /T (size) /V /1 /Opt [(small) (large)]', 'size: large'],
    ['a push button', '/FT /Btn /Ff 65536 /T (send)', 'send:'],
  ])('show %s', async (_, body, line) => {
    const { text, metadata } = await extract(formOf(() => body));
    expect(text.split('\n').map((each) => each.trim())).toContain(line);
    expect(metadata['pdf:hasAcroFormFields']).toEqual(['true']);
  });

  test('inherit type and value from their group', async () => {
    const bytes = formOf((builder) => {
      const kid = field(builder, '/T (child) /V (inner)');
      return `/T (group) /FT /Tx /Kids [${kid}]`;
    });
    expect((await extract(bytes)).text).toMatch(/group: *\n\tchild: inner/);
  });

  test('show who signed, where and why', async () => {
    const bytes = formOf(
      () =>
        "/FT /Sig /T (signature) /V << /Name (Ada) /Reason (Approval) /Location (London) /M (D:20200102030405+01'00') >>",
    );
    const { text } = await extract(bytes);
    for (const part of ['Ada', 'Approval', 'London', '2020-01-02T03:04:05+0100']) expect(text).toContain(part);
  });

  test('of XFA are shown instead, with the texts of the template', async () => {
    const template =
      '<template xmlns="http://www.xfa.org/schema/xfa-template/2.6/"><draw><value><text>Static words</text></value></draw>' +
      '<field name="first"><caption><value><text>hidden caption</text></value></caption>' +
      '<assist><toolTip>First tip</toolTip></assist></field><field name="second"/></template>';
    const data =
      '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><first>one</first>' +
      '<second>two</second></form></xfa:data></xfa:datasets>';
    const builder = new PdfBuilder();
    const packets = [template, data].map((xml) => `${builder.addStream('/Filter /FlateDecode', deflateSync(xml))} 0 R`);
    const plain = field(builder, '/FT /Tx /T (plain) /V (not shown)');
    const form = builder.add(`<< /Fields [${plain}] /XFA [(template) ${packets[0]} (datasets) ${packets[1]}] >>`);
    const { text, metadata } = await extract(simple({ catalog: `/AcroForm ${form} 0 R` }, builder));
    expect(text).toContain('Static words');
    expect(text).toContain('\tFirst tip: one\n\tsecond: two\n');
    expect(text).not.toContain('hidden caption');
    expect(text).not.toContain('not shown');
    expect(metadata['pdf:hasXFA']).toEqual(['true']);
  });
});

describe('attachments', () => {
  function attachment(builder: PdfBuilder, name: string, text: string): string {
    const stream = builder.addStream('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(text));
    return `${builder.add(`<< /Type /Filespec /F (${name}) /EF << /F ${stream} 0 R >> >>`)} 0 R`;
  }

  test('of the document and of annotations are handed over once, without their names', async () => {
    const builder = new PdfBuilder();
    const inTree = attachment(builder, 'tree.txt', 'in the tree');
    const onPage = attachment(builder, 'page.txt', 'on the page');
    const names = builder.add(`<< /Names [(a) ${inTree} (b) ${onPage}] >>`);
    const pages = [{ lines: ['Text'], annotations: [`/Subtype /FileAttachment /FS ${onPage} /Contents (remark)`] }];
    const bytes = builder.build({ pages, catalog: `/Names << /EmbeddedFiles << /Kids [${names} 0 R] >> >>` });
    const { parts, text } = await extract(bytes);
    expect(parts.map((part) => [part.name, Buffer.from(part.bytes).toString(), part.printName])).toEqual([
      ['page.txt', 'on the page', false],
      ['tree.txt', 'in the tree', false],
    ]);
    expect(text).toContain('remark');
  });

  test('count as unpacked bytes', async () => {
    const builder = new PdfBuilder();
    const bomb = attachment(builder, 'big.txt', 'x'.repeat(1_000_000));
    const bytes = simple({ catalog: `/Names << /EmbeddedFiles << /Names [(a) ${bomb}] >> >>` }, builder);
    expect((await extract(bytes)).bytesCounted).toBeGreaterThanOrEqual(1_000_000);
    await expect(extract(bytes, { maxBytes: 500_000 })).rejects.toThrow('too_large');
  });
});

describe('metadata', () => {
  const info =
    '/Title <FEFF00DC006200650072> /Author (Ada) /Subject (Subj) /Keywords (k1, k2) /Creator (Tool) /Producer (Prod) ' +
    "/CreationDate (D:20200102030405+01'00') /ModDate (D:20210203) /Company (ACME) /Trapped /False";

  test('comes from the information dictionary', async () => {
    expect((await extract(simple({ info, catalog: '/Lang (de-DE)' }))).metadata).toMatchObject({
      'dc:title': ['Über'],
      'dc:creator': ['Ada'],
      'dc:subject': ['k1, k2', 'Subj'],
      'dc:language': ['de-DE'],
      'xmp:CreatorTool': ['Tool'],
      'pdf:producer': ['Prod'],
      'pdf:docinfo:title': ['Über'],
      'pdf:docinfo:keywords': ['k1, k2'],
      'pdf:docinfo:trapped': ['False'],
      'pdf:docinfo:custom:Company': ['ACME'],
      Company: ['ACME'],
      'dcterms:created': ['2020-01-02T02:04:05Z'],
      'dcterms:modified': ['2021-02-03T00:00:00Z'],
      'pdf:hasXMP': ['false'],
    });
  });

  test('of XMP comes first, and what it lacks is filled up', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
      'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmp:CreateDate="2019-01-01T00:00:00+01:00" pdf:Keywords="x1 x2">' +
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">XMP title</rdf:li></rdf:Alt></dc:title>' +
      '<dc:creator><rdf:Seq><rdf:li>One</rdf:li><rdf:li>Two</rdf:li></rdf:Seq></dc:creator>' +
      '<dc:subject><rdf:Bag><rdf:li>real subject</rdf:li></rdf:Bag></dc:subject><xmpMM:subject>of media</xmpMM:subject>' +
      '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>' +
      String.raw`<dc:description>\376\377\000\334\000b\000e\000r</dc:description>` +
      '</rdf:Description></rdf:RDF></x:xmpmeta>';
    const builder = new PdfBuilder();
    const stream = builder.addStream('/Type /Metadata /Subtype /XML', xmp);
    expect((await extract(simple({ info, catalog: `/Metadata ${stream} 0 R` }, builder))).metadata).toMatchObject({
      'dc:title': ['XMP title'],
      'dc:title:x-default': ['XMP title'],
      'xmp:dc:title': ['XMP title'],
      'xmp:dc:creator': ['One', 'Two'],
      'xmp:pdf:Keywords': ['x1 x2'],
      'dc:subject': ['k1, k2', 'real subject', 'Subj'],
      'dc:description': ['Über'],
      'pdfa:PDFVersion': ['A-2b'],
      'dc:creator': ['One', 'Two'],
      'meta:keyword': ['x1 x2'],
      'xmp:CreateDate': ['2018-12-31T23:00:00Z'],
      'xmp:CreatorTool': ['Tool'],
      'pdf:hasXMP': ['true'],
    });
  });

  test('tells an Illustrator file from other PDFs', async () => {
    expect((await extract(simple())).contentType).toBeUndefined();
    const bytes = simple();
    const marked = Buffer.from(
      bytes
        .toString('latin1')
        .replace('/MediaBox [0 0 600 800]', '/MediaBox [0 0 9 9]/PieceInfo<</Illustrator<</Private<<>>>>>>'),
      'latin1',
    );
    expect((await extract(marked)).contentType).toBe('application/illustrator');
  });
});

describe('damage', () => {
  test('of the cross-reference table is repaired', async () => {
    const bytes = simple({ info: '/Title (Kept)' });
    const broken = Buffer.from(bytes.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
    const { text, metadata } = await extract(broken);
    expect(text).toContain('Second page text');
    expect(metadata['dc:title']).toEqual(['Kept']);
  });

  test('of a single entry of that table is repaired as well', async () => {
    const builder = new PdfBuilder();
    const form = builder.add('<< /Fields [<< /FT /Tx /T (name) /V (Ada) >>] >>');
    const bytes = simple({ catalog: `/AcroForm ${form} 0 R` }, builder).toString('latin1');
    const broken = bytes.replace(/0000000\d{3} 00000 n/, '0000000003 00000 n');
    expect((await extract(Buffer.from(broken, 'latin1'))).text).toContain('name: Ada');
  });

  test('that leaves no page ends as corrupt', async () => {
    await expect(extract(Buffer.from('%PDF-1.4\nnothing else'))).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('never brings anything but a result or a clear error', async () => {
    const builder = new PdfBuilder();
    const form = builder.add('<< /Fields [<< /FT /Tx /T (name) /V (Ada) >>] >>');
    const annotations = [
      '/Subtype /Link /A << /S /URI /URI (http://example.com/) >>',
      '/Subtype /Text /Contents (note)',
    ];
    const bytes = builder.build({
      pages: [{ lines: ['Some text'], annotations }],
      catalog: `/AcroForm ${form} 0 R`,
      info: '/Title (T)',
    });
    await expectNoSurprises(pdfExtractor, TYPE, bytes);
  });
});

describe('passwords', () => {
  test('are tried in order until one fits', async () => {
    const bytes = await encryptPdf(simple({ info: '/Title (Secret title)' }), 'geheim');
    const { text, metadata } = await extract(bytes, { passwords: ['wrong', 'geheim'] });
    expect(text).toContain('Second page text');
    expect(metadata).toMatchObject({ 'dc:title': ['Secret title'], 'pdf:encrypted': ['true'] });
  });

  test('that do not fit end as encrypted', async () => {
    const bytes = await encryptPdf(simple(), 'geheim');
    await expect(extract(bytes, { passwords: ['wrong'] })).rejects.toMatchObject({ code: 'encrypted' });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('are not needed for a file that anybody may open', async () => {
    const builder = new PdfBuilder();
    const form = builder.add('<< /Fields [<< /FT /Tx /T (name) /V (Ada) >>] >>');
    const { text, metadata } = await extract(
      await encryptPdf(simple({ catalog: `/AcroForm ${form} 0 R` }, builder), ''),
    );
    expect(text).toContain('name: Ada');
    expect(metadata['pdf:encrypted']).toEqual(['true']);
  });
});

describe('many documents', () => {
  test('in one process leave no memory of the library behind', async () => {
    const { pdfium } = await loadPdfium();
    const documents = [simple({ info: '/Title (T)' }), await encryptPdf(simple(), ''), Buffer.from('%PDF-1.4 broken')];
    const extractAll = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        await extract(documents[index % documents.length]!).catch(() => undefined);
      }
    };
    await extractAll(60);
    const before = pdfium.HEAPU8.length;
    await extractAll(600);
    expect(pdfium.HEAPU8.length).toBe(before);
  });
});
