import iconv from 'iconv-lite';
import { describe, expect, test } from '@jest/globals';
import { extractInProcess } from '../../../../support/extract-in-process.js';

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('XML', () => {
  test.each([
    ['<a><b>one</b><c>two</c></a>', 'one two'],
    ['<a x="attribute">text<!-- no --><?pi no?></a>', 'text'],
    ['<a>&lt;tag&gt; &amp; &#233; &#x20ac;</a>', '<tag> & é €'],
    ['<a><![CDATA[1 < 2 & 3]]></a>', '1 < 2 & 3'],
    ['<p:a xmlns:p="urn:x"><p:b>prefixed</p:b></p:a>', 'prefixed'],
    ['<!DOCTYPE a [<!ELEMENT a (#PCDATA)> <!ENTITY e "x">]><a>after</a>', 'after'],
  ])('of %s is the text of all elements', async (xml, text) => {
    const extraction = await extractInProcess('a.xml', `<?xml version="1.0"?>${xml}`);
    expect(extraction).toMatchObject({ contentType: 'application/xml', problem: undefined });
    expect(words(extraction.text)).toBe(text);
  });

  test.each(['windows-1251', 'koi8-r', 'utf-16le'])(
    'is read in the encoding that it declares (%s)',
    async (encoding) => {
      const bytes = iconv.encode(`<?xml version="1.0" encoding="${encoding}"?><a>Привет</a>`, encoding, {
        addBOM: encoding === 'utf-16le',
      });
      expect(words((await extractInProcess('a.xml', bytes)).text)).toBe('Привет');
    },
  );

  test('gives its Dublin Core elements as metadata as well', async () => {
    const xml = `<?xml version="1.0"?><r xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title>
      <dc:subject>one</dc:subject><dc:subject>two</dc:subject><title>other</title></r>`;
    const { metadata, text } = await extractInProcess('a.xml', xml);
    expect(metadata).toMatchObject({ 'dc:title': ['T'], 'dc:subject': ['one', 'two'] });
    expect(words(text)).toBe('T one two other');
  });

  test('that ends too early is damaged, and its text is kept', async () => {
    const extraction = await extractInProcess('a.xml', '<?xml version="1.0"?><a><b>kept</b><c>also');
    expect(words(extraction.text)).toBe('kept also');
    expect(extraction.problem?.reason).toBe('corrupt');
  });

  test('nested a hundred thousand times over is read', async () => {
    const xml = `<?xml version="1.0"?>${'<a>'.repeat(100_000)}deep${'</a>'.repeat(100_000)}`;
    const extraction = await extractInProcess('a.xml', xml);
    expect(words(extraction.text)).toBe('deep');
    expect(extraction.problem).toBeUndefined();
  });
});

describe('entities that a document declares itself are not expanded', () => {
  test('a billion laughs end at once', async () => {
    const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`);
    const xml = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol0 "lol">${laughs.join('')}]><lolz>&lol9;</lolz>`;
    const extraction = await extractInProcess('laughs.xml', xml);
    expect(extraction.text.length).toBeLessThan(100);
    expect(extraction.problem).toBeUndefined();
  });

  test('quadratic blow-up stays as long as it is written', async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "${'x'.repeat(50_000)}">]><a>${'&x;'.repeat(50_000)}</a>`;
    expect((await extractInProcess('blowup.xml', xml)).text.length).toBeLessThan(200_000);
  });

  test('external entities are not fetched', async () => {
    const xml = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>safe &x;</a>';
    const { text } = await extractInProcess('external.xml', xml);
    expect(text).toContain('safe');
    expect(text).not.toContain('root:');
  });
});

describe('dialects', () => {
  test('of SVG give labels and no program code', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg"><style>.a{}</style><script>x()</script><title>T</title><text>label</text></svg>';
    const extraction = await extractInProcess('a.svg', svg);
    expect(extraction.contentType).toBe('image/svg+xml');
    expect(words(extraction.text)).toBe('T label');
  });

  test('of feeds give the text of the HTML that they carry', async () => {
    const rss =
      '<?xml version="1.0"?><rss><channel><item><description>&lt;p&gt;some &lt;b&gt;news&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>';
    const extraction = await extractInProcess('a.rss', rss);
    expect(extraction.contentType).toBe('application/rss+xml');
    expect(words(extraction.text)).toBe('some news');
  });

  test('that nobody has heard of are XML', async () => {
    const extraction = await extractInProcess(
      'a.xspf',
      '<?xml version="1.0"?><playlist xmlns="http://xspf.org/ns/0/"><title>T</title></playlist>',
    );
    expect(extraction).toMatchObject({ contentType: 'application/xspf+xml', problem: undefined });
    expect(words(extraction.text)).toBe('T');
  });
});
