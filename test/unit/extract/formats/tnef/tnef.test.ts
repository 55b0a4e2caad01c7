import { describe, expect, test } from '@jest/globals';
import * as tnefExtractor from '../../../../../src/extract/formats/tnef/tnef-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  const checksum = data.reduce((sum, byte) => (sum + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), u32(id), u32(data.length), data, u16(checksum)]);
}

/** Tenths of a microsecond since 1601. */
function fileTime(milliseconds: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(milliseconds + 11_644_473_600_000) * 10_000n);
  return bytes;
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
}

function variable(type: number, id: number, data: Buffer): Buffer {
  return Buffer.concat([u16(type), u16(id), u32(1), u32(data.length), padded(data)]);
}

function unicode(id: number, text: string): Buffer {
  return variable(0x1f, id, Buffer.from(`${text}\0`, 'utf16le'));
}

function properties(...list: Buffer[]): Buffer {
  return Buffer.concat([u32(list.length), ...list]);
}

const SIGNATURE = Buffer.concat([u32(0x223e9f78), u16(1)]);
const RTF = '{\\rtf1 The lamp is lit. The lamp is lit.}';
const OBJECT = 0x0d;
const MESSAGE_INTERFACE = Buffer.from('0703020000000000c000000000000046', 'hex');

/** Literals, and one reference back to the text at `from`, in the compression of Outlook. */
function compressed(rtf: string): Buffer {
  const half = rtf.indexOf(' The lamp', 12);
  const ringStart = 207;
  const items: (number | [number, number])[] = [...Buffer.from(rtf.slice(0, half), 'latin1')];
  const from = ringStart + rtf.indexOf(' The lamp');
  items.push([from, 17], ...Buffer.from(rtf.slice(half + 17), 'latin1'));
  items.push([ringStart + rtf.length, 2]);
  const body: Buffer[] = [];
  for (let i = 0; i < items.length; i += 8) {
    const group = items.slice(i, i + 8);
    body.push(Buffer.from([group.reduce<number>((bits, item, bit) => bits | (Array.isArray(item) ? 1 << bit : 0), 0)]));
    for (const item of group) {
      if (Array.isArray(item)) body.push(Buffer.from([item[0] >> 4, ((item[0] & 0xf) << 4) | (item[1] - 2)]));
      else body.push(Buffer.from([item]));
    }
  }
  const data = Buffer.concat(body);
  return Buffer.concat([u32(data.length + 12), u32(rtf.length), u32(0x75465a4c), u32(0), data]);
}

const MESSAGE = Buffer.concat([
  SIGNATURE,
  attribute(1, 0x00069007, Buffer.concat([u32(1251), u32(0)])),
  attribute(
    1,
    0x00069003,
    properties(
      Buffer.concat([u16(0x03), u16(0x17), u32(1)]),
      Buffer.concat([u16(0x03), u16(0x8001), Buffer.alloc(16, 7), u32(0), u32(42), u32(9)]),
      Buffer.concat([
        u16(0x03),
        u16(0x8002),
        Buffer.alloc(16, 7),
        u32(1),
        u32(6),
        padded(Buffer.from('x\0y\0\0\0')),
        u32(9),
      ]),
      Buffer.concat([u16(0x1003), u16(0x18), u32(2), u32(5), u32(6)]),
      unicode(0x37, 'The lamp'),
      variable(0x1e, 0x0c1a, Buffer.from([0xec, 0xe0, 0xff, 0xea, 0])),
      unicode(0x5d01, 'keeper@harbour.example'),
      Buffer.concat([u16(0x40), u16(0x39), fileTime(Date.UTC(2016, 3, 26))]),
      variable(0x102, 0x1009, compressed(RTF)),
    ),
  ),
  attribute(2, 0x00069002, Buffer.alloc(14)),
  attribute(2, 0x0006800f, Buffer.from('the chart')),
  attribute(2, 0x00018010, Buffer.from('CHART~1.TXT\0')),
  attribute(2, 0x00069005, properties(unicode(0x3707, 'chart of the bay.txt'))),
  attribute(2, 0x00069002, Buffer.alloc(14)),
  attribute(
    2,
    0x00069005,
    properties(
      unicode(0x3001, 'an older letter'),
      variable(OBJECT, 0x3701, Buffer.concat([MESSAGE_INTERFACE, SIGNATURE])),
    ),
  ),
]);

function tnef(bytes: Buffer): Promise<FormatResult> {
  return runFormat(tnefExtractor, { name: 'winmail.dat', mediaType: 'application/vnd.ms-tnef', bytes });
}

describe('a message of Outlook', () => {
  test('gives its properties', async () => {
    const { metadata, warnings } = await tnef(MESSAGE);
    expect(metadata).toEqual({
      'dc:title': ['The lamp'],
      'dc:subject': ['The lamp'],
      'dc:creator': ['маяк'],
      'Message-From': ['маяк'],
      'Message:From-Name': ['маяк'],
      'Message:From-Email': ['keeper@harbour.example'],
      'dcterms:created': ['2016-04-26T00:00:00Z'],
    });
    expect(warnings).toEqual([]);
  });

  test('gives its decompressed body', async () => {
    const { parts, bytesCounted } = await tnef(MESSAGE);
    expect(parts[0]).toMatchObject({ name: 'message.rtf', mediaType: 'application/rtf' });
    expect(Buffer.from(parts[0]?.bytes ?? []).toString()).toBe(RTF);
    expect(bytesCounted).toBe(RTF.length);
  });

  test('gives its attachments under their long names, messages as messages', async () => {
    const { parts } = await tnef(MESSAGE);
    expect(parts.slice(1)).toMatchObject([
      { name: 'chart of the bay.txt' },
      { name: 'an older letter', mediaType: 'application/vnd.ms-tnef' },
    ]);
    expect(Buffer.from(parts[1]?.bytes ?? []).toString()).toBe('the chart');
    expect(Buffer.from(parts[2]?.bytes ?? [])).toEqual(SIGNATURE);
  });
});

test('an old writer without properties is read from its attributes', async () => {
  const date = Buffer.concat([2009, 6, 1, 4, 26, 31, 1].map(u16));
  const bytes = Buffer.concat([
    SIGNATURE,
    attribute(1, 0x00018004, Buffer.from('Old subject\0')),
    attribute(1, 0x00038005, date),
    attribute(1, 0x0002800c, Buffer.from('Old body\0')),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from('OLD.TXT\0')),
    attribute(2, 0x0006800f, Buffer.from('old file')),
  ]);
  const result = await tnef(bytes);
  expect(result.metadata).toMatchObject({ 'dc:title': ['Old subject'], 'dcterms:created': ['2009-06-01T04:26:31Z'] });
  expect(result.text).toBe('Old body\n');
  expect(result.parts).toMatchObject([{ name: 'OLD.TXT' }]);
});

test('an HTML body is taken when there is no RTF', async () => {
  const html = variable(0x102, 0x1013, Buffer.from('<p>words</p>'));
  const result = await tnef(Buffer.concat([SIGNATURE, attribute(1, 0x00069003, properties(html))]));
  expect(result.parts).toMatchObject([{ mediaType: 'text/html', printName: false }]);
});

test('a body that is stored and not compressed is taken as it is', async () => {
  const stored = Buffer.concat([u32(18), u32(6), u32(0x414c454d), u32(0), Buffer.from('{\\rtf}')]);
  const list = properties(variable(0x102, 0x1009, stored));
  const { parts } = await tnef(Buffer.concat([SIGNATURE, attribute(1, 0x00069003, list)]));
  expect(Buffer.from(parts[0]?.bytes ?? []).toString()).toBe('{\\rtf}');
});

test('a message that ends early gives what stands before, and says so', async () => {
  const result = await tnef(MESSAGE.subarray(0, MESSAGE.indexOf('the chart') + 3));
  expect(result.metadata['dc:title']).toEqual(['The lamp']);
  expect(result.warnings).toEqual(['The message ends early; attachments may be missing.']);
});

test.each([
  ['nothing', ''],
  ['a text', 'Dear council'],
  ['four bytes', 'x\x9f>"'],
])('%s is no message', async (_, text) => {
  await expect(tnef(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code: 'corrupt' });
});

test('a damaged message never fails in an unforeseen way', async () => {
  await expectNoSurprises(tnefExtractor, 'application/vnd.ms-tnef', MESSAGE, 400);
});
