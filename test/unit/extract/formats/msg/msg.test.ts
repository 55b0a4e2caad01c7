import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { openOle } from '../../../../../src/extract/containers/ole/ole.js';
import * as msgExtractor from '../../../../../src/extract/formats/msg/msg-extractor.js';
import { runFormat, type FormatResult, type FormatRunOptions } from '../../../../support/format-harness.js';
import { message, type Message } from '../../../../support/msg-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.ms-outlook';

function extract(parts: Message | Uint8Array, options: FormatRunOptions = {}): Promise<FormatResult> {
  const bytes = parts instanceof Uint8Array ? parts : message(parts);
  return runFormat(msgExtractor, { name: 'x.msg', mediaType: TYPE, bytes }, options);
}

const letter: Message = {
  values: {
    '001A001F': 'IPM.StickyNote',
    '0037001F': 'RE: Größe',
    '0070001F': 'Größe',
    '0C1A001F': 'Ada Lovelace',
    '0C1F001F': 'ada@example.com',
    '0E04001F': 'Bob; Carl',
    '0E03001F': 'Dora',
    '1000001F': 'Line one\r\nLine two',
    '007D001F': 'From: Ada\r\nReceived: from a\r\n\tby b\r\nX-Test: =?utf-8?Q?caf=C3=A9?=\r\n',
  },
  times: { 0x0039: new Date('2020-01-02T03:04:05Z'), 0x3008: new Date('2021-02-03T04:05:06Z') },
  recipients: [
    { values: { '3001001F': 'Bob', '39FE001F': 'bob@example.com' }, numbers: { 0x0c15: 1 } },
    { values: { '3001001F': 'Carl', '3003001F': '/o=Org/ou=Unit/cn=carl' }, numbers: { 0x0c15: 1 } },
    { values: { '3001001F': 'Dora', '3003001F': 'dora@example.com' }, numbers: { 0x0c15: 2 } },
  ],
};

describe('messages', () => {
  test('have subject, sender and recipients in the text, then the body', async () => {
    expect((await extract(letter)).text).toBe(
      'RE: Größe\n\tFrom\n\tAda Lovelace\n\tTo\n\tBob; Carl\n\tCc\n\tDora\n' +
        '\tRecipients\n\tbob@example.com; carl; dora@example.com\n\nLine one\nLine two\n',
    );
  });

  test('have the metadata of mail', async () => {
    expect((await extract(letter)).metadata).toEqual({
      'dc:creator': ['Ada Lovelace'],
      'Message-From': ['Ada Lovelace'],
      'Message-To': ['Bob; Carl'],
      'Message-Cc': ['Dora'],
      'Message:From-Name': ['Ada Lovelace'],
      'Message:From-Email': ['ada@example.com'],
      'Message-Recipient-Address': ['bob@example.com', 'carl', 'dora@example.com'],
      'Message:To-Display-Name': ['Bob', 'Carl'],
      'Message:To-Email': ['bob@example.com', 'carl'],
      'Message:CC-Display-Name': ['Dora'],
      'Message:CC-Email': ['dora@example.com'],
      'dc:title': ['RE: Größe'],
      'dc:subject': ['Größe'],
      'dc:description': ['Größe'],
      'dcterms:created': ['2020-01-02T03:04:05Z'],
      'dcterms:modified': ['2021-02-03T04:05:06Z'],
      'mapi:conversation-topic': ['Größe'],
      'mapi:client-submit-time': ['2020-01-02T03:04:05Z'],
      'mapi:last-modification-time': ['2021-02-03T04:05:06Z'],
      'mapi:message-class': ['STICKY_NOTE'],
      'mapi:message-class-raw': ['IPM.StickyNote'],
      'Message:Raw-Header:From': ['Ada'],
      'Message:Raw-Header:Received': ['from a\n\tby b'],
      'Message:Raw-Header:X-Test': ['café'],
    });
  });

  test('take the time at which the server accepted them', async () => {
    const id = Buffer.from('c=us;a= ;p=org;l=HOST-NAME-200102030405Z-17\0');
    const { metadata } = await extract({ values: { '00470102': id } });
    expect(metadata['dcterms:created']).toEqual(['2020-01-02T03:04:05Z']);
  });

  test.each([
    ['the code page of the message', { numbers: { 0x3ffd: 1251 } }, 'windows-1251', 'Привет мир'],
    ['the code page of the internet', { numbers: { 0x3fde: 932 } }, 'shift_jis', '日本語'],
    ['UTF-8 whatever the code page', { numbers: { 0x3ffd: 1252 } }, 'utf-8', 'Größe'],
    ['a wrongly claimed UTF-8', { numbers: { 0x3fde: 65001 } }, 'windows-1252', 'Größe'],
    [
      'the charset of the headers',
      { values: { '007D001E': 'Content-Type: text/plain;\r\n\tcharset="koi8-r"' } },
      'koi8-r',
      'Привет',
    ],
  ])('that are not Unicode are read by %s', async (_, parts: Message, encoding, text) => {
    const values = { ...parts.values, '0037001E': iconv.encode(text, encoding) };
    expect((await extract({ ...parts, values })).metadata['dc:title']).toEqual([text]);
  });
});

describe('bodies', () => {
  const html = '<html><body>Übung</body></html>';
  const rtf = '{\\rtf1 text}';
  const compressed = Buffer.concat([
    Buffer.from(Uint32Array.of(rtf.length + 12, rtf.length, 0x414c454d, 0).buffer),
    Buffer.from(rtf),
  ]);

  test('are given once, HTML before RTF before text', async () => {
    const values = { '1000001F': 'plain', '10090102': compressed, '10130102': Buffer.from(html) };
    const all = await extract({ values });
    expect(all.parts.map((part) => [part.mediaType, Buffer.from(part.bytes).toString(), part.printName])).toEqual([
      ['text/html', html, false],
    ]);
    expect(all.text).not.toContain('plain');
    const withoutHtml = await extract({ values: { '1000001F': 'plain', '10090102': compressed } });
    expect(withoutHtml.parts.map((part) => [part.mediaType, Buffer.from(part.bytes).toString()])).toEqual([
      ['application/rtf', rtf],
    ]);
    expect((await extract({ values: { '1000001F': 'plain' } })).text).toContain('plain');
  });

  test('of HTML without a charset are read by the code page of the message', async () => {
    const values = { '10130102': iconv.encode(html, 'windows-1252') };
    const { parts } = await extract({ values, numbers: { 0x3fde: 1252 } });
    expect(Buffer.from(parts[0]!.bytes).toString()).toBe(`\ufeff${html}`);
  });
});

describe('attachments', () => {
  test('are handed over under their longest name, messages among them under their subject', async () => {
    const inner: Message = { values: { '0037001F': 'Inner subject', '1000001F': 'inner body' }, times: letter.times! };
    const { parts } = await extract({
      attachments: [
        { values: { '3704001F': 'REPORT~1.TXT', '3707001F': 'report.txt', '37010102': Buffer.from('file text') } },
        { values: { '3001001F': 'shown' }, message: inner },
        { values: { '3707001F': 'nothing inside' } },
      ],
    });
    expect(parts.map((part) => part.name)).toEqual(['report.txt', 'Inner subject.msg']);
    expect(Buffer.from(parts[0]!.bytes).toString()).toBe('file text');
    const nested = await extract(parts[1]!.bytes);
    expect(nested.text).toContain('inner body');
    expect(nested.metadata['dcterms:modified']).toEqual(['2021-02-03T04:05:06Z']);
    expect(openOle(parts[1]!.bytes).paths).toContain('__substg1.0_0037001F');
  });
});

describe('damage', () => {
  test('of the container ends as corrupt', async () => {
    await expect(extract(Buffer.from('no container'))).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('never brings anything but a result or a clear error', async () => {
    await expectNoSurprises(msgExtractor, TYPE, Buffer.from(message(letter)), 300);
  });
});
