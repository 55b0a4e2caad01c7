import iconv from 'iconv-lite';
import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import * as htmlExtractor from '../../../../../src/extract/formats/html/html-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';

function extract(page: string | Uint8Array, mediaType = 'text/html'): Promise<FormatResult> {
  return runFormat(htmlExtractor, { name: 'page.html', mediaType, bytes: Buffer.from(page) });
}

async function wordsOf(page: string): Promise<string> {
  return (await extract(page)).text.replace(/\s+/g, ' ').trim();
}

describe('text', () => {
  test.each([
    ['<html><head><title>T</title></head><body><p>one</p><p>two</p></body></html>', 'one two'],
    ['<p>one<p>two<div>three</div>four<br>five', 'one two three four five'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', 'a b c'],
    ['<ul><li>x<li>y</ul>', 'x y'],
    ['in<b>side</b> <i>w</i>ord', 'inside word'],
    ['a &amp; b &lt;c&gt; &eacute; &#233; &#xe9; &nbsp;&copy', 'a & b <c> é é é ©'],
    ['<script>var a = "<p>no</p>";</script>yes<style>p{}</style>', 'yes'],
    ['a<!-- no --><template><p>no</p></template>b', 'ab'],
    [
      '<noscript>shown</noscript><textarea>typed</textarea><select><option>one<option>two</select>',
      'shown typed one two',
    ],
    ['no html at all', 'no html at all'],
    ['<p>a < b and c > d</p>', 'a < b and c > d'],
    ['<svg><title>drawing</title><text>label</text></svg>', 'drawinglabel'],
    ['<head><title>T</title><body>b', 'b'],
    ['<title>T</title><h1>H</h1>', 'H'],
    ['<!-- c -->\n<html><title>T</title>b', 'b'],
    ['notice<html><title>T</title><body>b', 'noticeT b'],
    ['<body><p>a</p><title>T</title>b', 'a T b'],
  ])('of %j is %j', async (page, words) => {
    expect(await wordsOf(page)).toBe(words);
  });

  test('stands in lines and columns', async () => {
    const { text } = await extract('<table><tr><td>a</td><td>b</td></tr></table><p>c</p>');
    expect(text).toBe('\ta\tb\n\nc\n');
  });

  test('of elements that are never closed is read as quickly as other text', async () => {
    const page = `${'<div><font>'.repeat(100_000)}word`;
    expect((await extract(page)).text).toContain('word');
  });

  test('is not lost where tags lie across the pieces in which a page is read', async () => {
    const page = Array.from({ length: 60_000 }, (_, index) => `<p class="x">word${index}</p>`).join('');
    const { text } = await extract(page);
    expect(text.match(/word\d+/g)).toHaveLength(60_000);
    expect(text).not.toMatch(/[<>]|class/);
  });

  test('of any page is free of its markup', async () => {
    const tags = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<td>',
      '<br/>',
      '<!-- c -->',
      '<a href="x">',
      '</div>',
      '<p',
      '</',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(tags, fc.stringMatching(/^[a-z]{1,5}$/)), { maxLength: 30 }),
        async (parts) => {
          const { text } = await extract(parts.map(([tag, word]) => `${tag} ${word} `).join('') + '>');
          expect(text).not.toMatch(/<(?:p|b|td|br|a)>|href/);
        },
      ),
    );
  });
});

describe('metadata', () => {
  test('are the title, the language and what the page says in meta', async () => {
    const { metadata, text } = await extract(`<html lang="de"><head>
      <meta name="Author" content="A. Uthor"><meta name=keywords content="one, two"><meta name="description" content="D">
      <meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta property="og:type" content="article">
      <meta name="ICBM" content="50.1, 8.2"><meta name="empty" content=""><base href="https://example.com/">
      <title> The
 title </title></head><body>b</body>`);
    expect(metadata).toMatchObject({
      'dc:title': ['The\n title'],
      'dc:creator': ['A. Uthor'],
      Author: ['A. Uthor'],
      'meta:keyword': ['one, two'],
      'dc:subject': ['one, two'],
      keywords: ['one, two'],
      'dc:description': ['D'],
      description: ['D'],
      'og:type': ['article'],
      'Content-Type-Hint': ['text/html; charset=utf-8'],
      'Content-Location': ['https://example.com/'],
      'Content-Language': ['de'],
      'geo:lat': ['50.1'],
      'geo:long': ['8.2'],
    });
    expect(text.trim()).toBe('b');
  });

  test.each([
    ['<title>First</title><title>Second</title>', 'First'],
    ['<title>Fish &amp; Chips</title>', 'Fish & Chips'],
    ['<meta name="title" content="Meta"><p>x', 'Meta'],
    ['<title>Element</title><meta name="title" content="Meta">', 'Element'],
    ['<title>Never closed', 'Never closed'],
  ])('the title of %s is %s', async (page, title) => {
    expect((await extract(page)).metadata['dc:title']).toEqual([title]);
  });
});

describe('character set', () => {
  test.each([
    ['<meta charset="windows-1251">', 'win1251', 'windows-1251'],
    ["<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>", 'koi8-r', 'KOI8-R'],
    ['<meta charset=shift_jis>', 'shift_jis', 'Shift_JIS'],
    ['<!-- <meta charset="utf-16"> --><meta charset="ISO-8859-5">', 'iso88595', 'ISO-8859-5'],
    ['<?xml version="1.0" encoding="windows-1251"?>', 'win1251', 'windows-1251'],
  ])('is the one that the page declares: %s', async (head, encoding, name) => {
    const { text, contentType, metadata } = await extract(iconv.encode(`${head}<body>Привет, мир</body>`, encoding));
    expect(text.trim()).toBe('Привет, мир');
    expect(contentType).toBe(`text/html; charset=${name}`);
    expect(metadata['Content-Encoding']).toEqual([name]);
  });

  test('is UTF-8 when the bytes are, whatever the page declares', async () => {
    expect((await extract('<meta charset="macintosh">Größe')).text).toBe('Größe');
  });

  test('of XHTML is reported with its own type, and empty elements end where they begin', async () => {
    const page =
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script src="x"/><body>seen</body></html>';
    const { text, contentType } = await extract(page, 'application/xhtml+xml');
    expect(text.trim()).toBe('seen');
    expect(contentType).toBe('application/xhtml+xml; charset=ISO-8859-1');
  });
});
