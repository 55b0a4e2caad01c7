import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as mailExtractor from '../../../../../src/extract/formats/mail/mail-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

function mail(source: string | Buffer): Promise<FormatResult> {
  const bytes = typeof source === 'string' ? Buffer.from(source.replaceAll('\n', '\r\n')) : source;
  return runFormat(mailExtractor, { name: 'letter.eml', mediaType: 'message/rfc822', bytes });
}

function partText(result: FormatResult, index: number): string {
  return Buffer.from(result.parts[index]?.bytes ?? []).toString('utf8');
}

const LETTER = `Received: from mail.example.org (mail.example.org [192.0.2.1])
	by mx.example.org; Mon, 1 Jun 2009 04:28:28 +0000
From: "Keeper, Portholm" <keeper@harbour.example>
To: Council <council@portholm.example>, =?utf-8?B?w4lyaWM=?= <eric@portholm.example>
Cc: plain@portholm.example
Subject: =?utf-8?Q?Caf=C3=A9?= at the
 lighthouse
Date: Mon, 1 Jun 2009 09:56:31 +0530 (IST)
X-Note: kept as it is
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

This is a preamble.
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8

the plain words
--inner
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p>the caf=E9 words=20
go on</p>
--inner--
--outer
Content-Type: application/octet-stream; name="data.csv"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="data.csv"

Y3N2d29yZCxiCjEsMgo=
--outer
Content-Type: message/rfc822

Subject: the inner letter

inner words
--outer
Content-Type: application/pgp-signature; name="signature.asc"

-----BEGIN PGP SIGNATURE-----
--outer--
This is an epilogue.
`;

describe('headers', () => {
  test('become metadata under the names of Tika', async () => {
    const { metadata } = await mail(LETTER);
    expect(metadata).toMatchObject({
      'Message-From': ['Keeper, Portholm <keeper@harbour.example>'],
      'dc:creator': ['Keeper, Portholm <keeper@harbour.example>'],
      'Message:From-Name': ['Keeper, Portholm'],
      'Message:From-Email': ['keeper@harbour.example'],
      'Message-To': ['Council <council@portholm.example>', 'Éric <eric@portholm.example>'],
      'Message-Cc': ['plain@portholm.example'],
      'dc:title': ['Café at the lighthouse'],
      'dc:subject': ['Café at the lighthouse'],
      'dcterms:created': ['2009-06-01T04:26:31Z'],
      'Message:Raw-Header:X-Note': ['kept as it is'],
      'Message:Raw-Header:MIME-Version': ['1.0'],
      'Multipart-Subtype': ['mixed'],
    });
    expect(metadata['Message:Raw-Header:Received']?.[0]).toContain('\tby mx.example.org');
    expect(metadata).not.toHaveProperty('Message:Raw-Header:Subject');
  });

  test.each([
    ['Fri Mar 10 2006 13:40:00 GMT+0100', '2006-03-10T12:40:00Z'],
    ['Mon Jun  1 04:28:28 2009', '2009-06-01T04:28:28Z'],
    ['1-Jun-09 9:56 PM', '2009-06-01T21:56:00Z'],
    ['12 Dec 2024 12:05 am EST', '2024-12-12T05:05:00Z'],
    ['2024-12-12T10:11:12-02:30', '2024-12-12T12:41:12Z'],
    ['Thursday, 5 March 2020', '2020-03-05T12:00:00Z'],
    ['Tue, 5 Mar 2020 10:11', '2020-03-05T10:11:00Z'],
    ['the day before', undefined],
  ])('date %s', async (date, expected) => {
    const { metadata } = await mail(`Date: ${date}\n\nx`);
    expect(metadata['dcterms:created']?.[0]).toBe(expected);
  });

  test.each([
    ['<Saved by some browser 5.0 (Windows; en-US)>', 'Saved by some browser 5.0'],
    ['someone without an address', 'someone without an address'],
    ['keeper@harbour.example', 'keeper@harbour.example'],
  ])('sender %s', async (from, expected) => {
    const { metadata } = await mail(`From: ${from}\n\nx`);
    expect(metadata['Message-From']).toEqual([expected]);
  });

  test('in a code page without a declaration are still read', async () => {
    const { metadata } = await mail(Buffer.from('Subject: caf\xe9\r\n\r\nx', 'latin1'));
    expect(metadata['dc:title']).toEqual(['café']);
  });
});

describe('body', () => {
  test('of two alternatives is the HTML, once, decoded as the mail declares', async () => {
    const result = await mail(LETTER);
    expect(result.text).toBe('');
    expect(result.parts[0]).toMatchObject({ name: '', mediaType: 'text/html', printName: false });
    expect(partText(result, 0)).toBe('\uFEFF<p>the café words \r\ngo on</p>');
    expect(result.parts.map((part) => part.mediaType)).not.toContain('text/plain');
  });

  test('is the plain alternative when the HTML shows no words', async () => {
    const html = '<html><head><title>words</title><style>p { color: red }</style></head><img src="x">&nbsp;</html>';
    const { text } = await mail(
      `Content-Type: multipart/alternative; boundary=b\n\n--b\n\nplain words\n--b\nContent-Type: text/html\n\n${html}\n--b--`,
    );
    expect(text).toBe('plain words\n');
  });

  test('of an invitation comes with its calendar data', async () => {
    const result = await mail(
      'Content-Type: multipart/alternative; boundary=b\n\n--b\n\nwords\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n--b--',
    );
    expect(result.text).toBe('words\n');
    expect(result.parts.map((part) => part.mediaType)).toEqual(['text/calendar']);
  });

  test.each([
    ['koi8-r', Buffer.from([0xcd, 0xc1, 0xd1, 0xcb]), 'маяк'],
    ['windows-1251', Buffer.from([0xec, 0xe0, 0xff, 0xea]), 'маяк'],
    ['iso-2022-jp', Buffer.from('\x1b$BEtBf\x1b(B', 'latin1'), '灯台'],
    ['cp437', Buffer.from([0x82]), 'é'],
  ])('in charset %s', async (charset, bytes, expected) => {
    const head = Buffer.from(`Content-Type: text/plain; charset="${charset}"\r\n\r\n`);
    expect((await mail(Buffer.concat([head, bytes]))).text).toBe(`${expected}\n`);
  });

  test.each([
    ['no charset', 'text/plain'],
    ['a charset that is not true', 'text/plain; charset=us-ascii'],
    ['an unknown charset', 'text/plain; charset=harbour-7'],
  ])('with 8-bit bytes and %s is left to the text format', async (_, type) => {
    const bytes = Buffer.concat([Buffer.from(`Content-Type: ${type}\r\n\r\n`), Buffer.from([0xec, 0xe0, 0xff, 0xea])]);
    const result = await mail(bytes);
    expect(result.text).toBe('');
    expect(result.parts).toMatchObject([{ mediaType: 'text/plain', printName: false }]);
    expect([...(result.parts[0]?.bytes ?? [])]).toEqual([0xec, 0xe0, 0xff, 0xea]);
  });

  test('without a header is still the body', async () => {
    expect((await mail('just words\nand more')).text).toBe('just words\r\nand more\n');
  });

  test('of a multipart without any delimiter is text', async () => {
    expect((await mail('Content-Type: multipart/mixed; boundary=b\n\nwords')).text).toBe('words\n');
  });

  test('reaches to the end when the last delimiter is missing', async () => {
    expect((await mail('Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo')).text).toBe('one\ntwo\n');
  });
});

describe('attachments', () => {
  test('are decoded and handed on with their name; a signature is not', async () => {
    const result = await mail(LETTER);
    expect(result.parts.slice(1)).toMatchObject([
      { name: 'data.csv', printName: true },
      { name: 'the inner letter', mediaType: 'message/rfc822' },
    ]);
    expect(partText(result, 1)).toBe('csvword,b\n1,2\n');
    expect(partText(result, 2)).toContain('inner words');
    expect(result.parts).toHaveLength(3);
    expect(result.bytesCounted).toBeGreaterThan(0);
  });

  test.each([
    ['filename="=?utf-8?Q?caf=C3=A9.pdf?="', 'café.pdf'],
    ["filename*=UTF-8''caf%C3%A9.pdf", 'café.pdf'],
    ["filename*0*=iso-8859-1'fr'caf%E9; filename*1=.pdf", 'café.pdf'],
    ['filename*0="a very "; filename*1="long name.pdf"', 'a very long name.pdf'],
    ['filename=invoice(1).pdf', 'invoice(1).pdf'],
    ['filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
  ])('name %s', async (parameter, expected) => {
    const { parts } = await mail(
      `Content-Type: application/pdf\nContent-Disposition: attachment; ${parameter}\n\n%PDF`,
    );
    expect(parts).toMatchObject([{ name: expected }]);
  });

  test.each([
    ['base64', 'bGlnaHQ=\r\naG91c2U=\r\n', 'lighthouse'],
    ['Quoted-Printable', 'light=\r\nhouse=21=', 'lighthouse!='],
    ['x-uuencode', "begin 644 x\r\n*;&EG:'1H;W5S90\r\n`\r\nend", 'lighthouse'],
    ['8bit', 'lighthouse', 'lighthouse'],
  ])('in transfer encoding %s', async (encoding, body, expected) => {
    const head = `Content-Type: application/x-word\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    expect(partText(await mail(Buffer.from(head + body)), 0)).toBe(expected);
  });

  test('are not decoded once the text is full', async () => {
    const bytes = Buffer.from(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwords\n--b\nContent-Type: application/pdf\n\n%PDF\n--b--',
    );
    const input = { name: 'a.eml', mediaType: 'message/rfc822', bytes };
    const result = await runFormat(mailExtractor, input, { maxCharacters: 3 });
    expect(result.text).toHaveLength(3);
    expect(result.parts).toEqual([]);
  });
});

test('a web page in one file hands on the page and its parts by location', async () => {
  const result = await mail(
    'Content-Type: multipart/related; boundary=b; type="text/html"\n\n--b\nContent-Type: text/html\n\n<p>page</p>\n' +
      '--b\nContent-Type: text/css\nContent-Location: style/main.css\n\np {}\n--b--',
  );
  expect(result.parts).toMatchObject([
    { name: '', mediaType: 'text/html' },
    { name: 'style/main.css', printName: false },
  ]);
});

test('a message of Apple Mail is read without its frame', async () => {
  const message = 'Subject: framed\r\n\r\nwords';
  const result = await mail(Buffer.from(`${message.length}   \n${message}<?xml version="1.0"?><plist/>`));
  expect(result.metadata['dc:title']).toEqual(['framed']);
  expect(result.text).toBe('words\n');
});

test('multiparts nested without end are cut, not followed', async () => {
  const nested = (depth: number): string =>
    depth === 0 ? '\nwords' : `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${nested(depth - 1)}`;
  expect((await mail(nested(200))).text).toContain('words');
});

test('damaged mail never fails in an unforeseen way', async () => {
  await expectNoSurprises(mailExtractor, 'message/rfc822', Buffer.from(LETTER.replaceAll('\n', '\r\n')));
});

test('every text comes back from a quoted-printable or base64 body', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.boolean(),
      async (text, base64) => {
        const body = base64
          ? Buffer.from(text).toString('base64')
          : [...Buffer.from(text)].map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('=\r\n');
        const encoding = base64 ? 'base64' : 'quoted-printable';
        const head = `Content-Type: application/x-word\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
        expect(partText(await mail(Buffer.from(head + body)), 0)).toBe(text);
      },
    ),
    { numRuns: 100 },
  );
});
