import { describe, expect, test } from '@jest/globals';
import * as epubExtractor from '../../../../../src/extract/formats/epub/epub-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { zipFiles, type Files } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/epub+zip';

function extract(bytes: Uint8Array): Promise<FormatResult> {
  return runFormat(epubExtractor, { name: 'book.epub', mediaType: TYPE, bytes });
}

function chapter(body: string): string {
  return `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>not text</title></head><body>${body}</body></html>`;
}

const CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';
const METADATA =
  '<dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:language>en</dc:language><dc:date>2009-10-07</dc:date>' +
  '<dc:date>2010-01-01</dc:date><dc:identifier>ID1</dc:identifier><dc:subject>S1</dc:subject>';
const MANIFEST =
  '<item id="c1" href="ch%201.xhtml" media-type="application/xhtml+xml"/><item id="c2" href="ch2.xhtml" media-type="application/xhtml+xml"/>' +
  '<item id="img" href="images/i.png" media-type="image/png"/><item id="css" href="s.css" media-type="text/css"/>' +
  '<item id="font" href="fonts/f.otf" media-type="font/otf"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';

function epub(more: Files = {}): Uint8Array {
  return zipFiles({
    mimetype: TYPE,
    'META-INF/container.xml': CONTAINER,
    'OPS/book.opf': `<package version="3.0"><metadata>${METADATA}</metadata><manifest>${MANIFEST}</manifest><spine><itemref idref="c2"/><itemref idref="c1"/></spine></package>`,
    'OPS/ch 1.xhtml': chapter('<h1>One</h1><p>caf&#233;&nbsp;au lait</p>'),
    'OPS/ch2.xhtml': chapter('<h1>Two</h1><p>second</p>'),
    'OPS/images/i.png': 'PNG',
    'OPS/s.css': 'p{}',
    'OPS/fonts/f.otf': 'OTTO',
    'OPS/toc.ncx': '<ncx><text>contents</text></ncx>',
    ...more,
  });
}

describe('books', () => {
  test('chapters come in reading order, with references resolved and without titles', async () => {
    const { text } = await extract(epub());
    expect(text.split(/\s+/).filter((word) => word !== '')).toEqual(['Two', 'second', 'One', 'café', 'au', 'lait']);
  });

  test('pictures follow with their paths, fonts without; styles and tables of contents do not', async () => {
    const { parts } = await extract(epub());
    expect(parts.map(({ name, printName }) => [name, printName])).toEqual([
      ['OPS/images/i.png', true],
      ['OPS/fonts/f.otf', false],
    ]);
  });

  test('metadata has the keys of Tika; a chapter adds none', async () => {
    const { metadata } = await extract(epub());
    expect(metadata).toEqual({
      'dc:title': ['The Book'],
      'dc:creator': ['Ann', 'Bob'],
      'dc:language': ['en'],
      'dcterms:created': ['2009-10-07'],
      'dc:identifier': ['ID1'],
      'dc:subject': ['S1'],
      'epub:version': ['3.0'],
      'epub:rendition:layout': ['reflowable'],
    });
  });

  test('a protected chapter makes the book encrypted, an obfuscated font does not', async () => {
    const encryption = (uri: string): Files => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
    });
    await expect(extract(epub(encryption('OPS/ch2.xhtml')))).rejects.toMatchObject({ code: 'encrypted' });
    expect((await extract(epub(encryption('OPS/fonts/f.otf')))).text).toContain('second');
  });
});

describe('trouble', () => {
  test('a book without its package document gives the chapters that are there', async () => {
    const { text } = await extract(
      zipFiles({ 'a.xhtml': chapter('<p>alpha</p>'), 'b.html': chapter('<p>beta</p>'), 'c.txt': 'no' }),
    );
    expect(text.split(/\s+/).filter((word) => word !== '')).toEqual(['alpha', 'beta']);
  });

  test('a chapter that is missing or cut off costs what is missing', async () => {
    const { text } = await extract(epub({ 'OPS/ch2.xhtml': '<html><body><p>begins<b>and en' }));
    expect(text).toMatch(/begins/);
    expect(text).toMatch(/One/);
  });

  test('damaged documents end in text or in an error of ours', async () => {
    await expectNoSurprises(epubExtractor, TYPE, Buffer.from(epub()));
  });
});
