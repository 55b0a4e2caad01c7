import { describe, expect, test } from '@jest/globals';
import * as emfExtractor from '../../../../../src/extract/formats/emf/emf-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

function i32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) =>
    value >= 2 ** 31 ? bytes.writeUInt32LE(value, i * 4) : bytes.writeInt32LE(value, i * 4),
  );
  return bytes;
}

function i16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => bytes.writeInt16LE(value, i * 2));
  return bytes;
}

function record(type: number, parameters: Buffer): Buffer {
  const padded = Buffer.concat([parameters, Buffer.alloc((4 - (parameters.length % 4)) % 4)]);
  return Buffer.concat([i32(type, padded.length + 8), padded]);
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** Of the text; 0 for a writer that leaves rectangles empty. */
  readonly width?: number;
}

function textRecord(text: string, { x, y, width = 0 }: Place, charset?: BufferEncoding): Buffer {
  const string = Buffer.from(text, charset ?? 'utf16le');
  const rectangle = width === 0 ? [0, 0, -1, -1] : [x, y, x + width, y + 12];
  const stringAt = 76;
  const distancesAt = stringAt + string.length + ((4 - (string.length % 4)) % 4);
  const head = [0, 0, -1, -1, 1, 0, 0, x, y, text.length, stringAt, 0, ...rectangle, distancesAt];
  const distances = i32(...Array.from(text, () => 7));
  return record(
    charset === undefined ? 84 : 83,
    Buffer.concat([i32(...head), string, Buffer.alloc(distancesAt - stringAt - string.length), distances]),
  );
}

function comment(data: Buffer): Buffer {
  return record(70, Buffer.concat([i32(data.length), data]));
}

function emf(...records: Buffer[]): Buffer {
  const header = Buffer.alloc(80);
  header.write(' EMF', 32, 'latin1');
  return Buffer.concat([record(1, header), ...records, record(14, i32(0, 0, 20))]);
}

function extract(bytes: Buffer, mediaType = 'image/emf'): Promise<FormatResult> {
  return runFormat(emfExtractor, { name: 'drawing', mediaType, bytes });
}

describe('EMF', () => {
  test('texts of one line are joined, with a space where there is a gap, lines are kept apart', async () => {
    const { text } = await extract(
      emf(
        textRecord('light', { x: 0, y: 10, width: 40 }),
        textRecord('house', { x: 40, y: 10, width: 40 }),
        textRecord('keeper', { x: 120, y: 10, width: 40 }),
        textRecord('harbour', { x: 0, y: 30, width: 60 }),
      ),
    );
    expect(text).toBe('lighthouse keeper\nharbour\n');
  });

  test('without rectangles the distances between characters decide', async () => {
    const { text } = await extract(
      emf(
        textRecord('light', { x: 5, y: 1 }),
        textRecord('house', { x: 40, y: 1 }),
        textRecord('keeper', { x: 120, y: 1 }),
      ),
    );
    expect(text).toBe('lighthouse keeper\n');
  });

  test('8-bit text is in the charset of the font', async () => {
    const font = Buffer.alloc(4 + 92);
    font[4 + 23] = 204;
    const { text } = await extract(
      emf(record(82, font), textRecord('\xec\xe0\xff\xea', { x: 0, y: 0, width: 9 }, 'latin1')),
    );
    expect(text).toBe('маяк\n');
  });

  test('small texts are read with and without bounds, in both widths', async () => {
    const wide = record(108, Buffer.concat([i32(0, 5, 5, 0x100, 1, 0, 0), Buffer.from('wide!', 'utf16le')]));
    const narrow = record(108, Buffer.concat([i32(0, 30, 6, 0x200, 1, 0, 0, 0, 0, 9, 9), Buffer.from('narrow')]));
    expect((await extract(emf(wide, narrow))).text).toBe('wide!\nnarrow\n');
  });

  test('several texts of one record are all read', async () => {
    const strings = Buffer.from('onetwo', 'utf16le');
    const at = 8 + 32 + 80;
    const item = (x: number, offset: number): number[] => [x, 0, 3, at + offset, 0, x, 0, x + 20, 12, 0];
    const poly = record(
      97,
      Buffer.concat([i32(0, 0, -1, -1, 1, 0, 0, 2), i32(...item(0, 0), ...item(90, 6)), strings]),
    );
    expect((await extract(emf(poly))).text).toBe('one two\n');
  });

  test('the name under an icon is metadata', async () => {
    const label = (text: string): Buffer => comment(Buffer.from(`${text}\0`, 'utf16le'));
    const { metadata } = await extract(emf(label('IconOnly'), label('letter.docx'), label('later')));
    expect(metadata).toEqual({ 'emf:iconOnly': ['true'], 'emf:iconString': ['letter.docx'] });
  });

  test('pictures inside are handed on', async () => {
    const inner = Buffer.from('inner picture');
    const wmf = comment(Buffer.concat([i32(0x43494447, 0x80000001, 0, 0, 0, inner.length), inner]));
    const formats = comment(Buffer.concat([i32(0x43494447, 0x40000004, 0, 0, 1, 1, 1, 0, 1, inner.length, 44), inner]));
    const { parts } = await extract(emf(wmf, formats));
    expect(parts.map((part) => [part.mediaType, Buffer.from(part.bytes).toString()])).toEqual([
      ['image/wmf', 'inner picture'],
      [undefined, 'inner picture'],
    ]);
  });

  test('a record that leads out of itself costs its own words only', async () => {
    const lost = record(84, i32(0, 0, -1, -1, 1, 0, 0, 0, 0));
    const { text } = await extract(emf(lost, textRecord('found', { x: 0, y: 9, width: 9 })));
    expect(text).toBe('found\n');
  });

  test('a drawing that ends early gives what stands before, and says so', async () => {
    const bytes = emf(textRecord('first', { x: 0, y: 0, width: 9 }), textRecord('second', { x: 0, y: 9, width: 9 }));
    const result = await extract(bytes.subarray(0, bytes.length - 60));
    expect(result.text).toContain('first\n');
    expect(result.warnings).toHaveLength(1);
  });
});

describe('WMF', () => {
  const words = (code: number, parameters: Buffer): Buffer =>
    Buffer.concat([i32(3 + parameters.length / 2), i16(code), parameters]);
  const font = Buffer.alloc(18);
  font[13] = 204;
  const records = [
    words(0x0521, Buffer.concat([i16(5), Buffer.from('light\0'), i16(10, 20)])),
    words(0x0a32, Buffer.concat([i16(10, 20, 5, 0), Buffer.from('house\0')])),
    words(0x0a32, Buffer.concat([i16(10, 20, 4, 2, 0, 0, 9, 9), Buffer.from('keep')])),
    words(0x02fb, font),
    words(0x0521, Buffer.concat([i16(4), Buffer.from([0xec, 0xe0, 0xff, 0xea]), i16(1, 1)])),
    words(0, Buffer.alloc(0)),
  ];
  const header = Buffer.concat([i16(1, 9, 0x300), Buffer.alloc(12)]);
  const placeable = Buffer.concat([Buffer.from('d7cdc69a', 'hex'), Buffer.alloc(18)]);

  test.each([
    ['plain', Buffer.concat([header, ...records])],
    ['placeable', Buffer.concat([placeable, header, ...records])],
  ])('%s: each text is a line, in the charset of its font', async (_, bytes) => {
    expect((await extract(bytes, 'image/wmf')).text).toBe('light\nhouse\nkeep\nмаяк\n');
  });

  test('damaged, never fails in an unforeseen way', async () => {
    await expectNoSurprises(emfExtractor, 'image/wmf', Buffer.concat([placeable, header, ...records]));
  });
});

test.each(['image/emf', 'image/wmf'])('bytes that are no metafile are corrupt as %s', async (mediaType) => {
  await expect(
    extract(Buffer.from('nothing of the kind, but long enough to look at it'), mediaType),
  ).rejects.toMatchObject({
    code: 'corrupt',
  });
});

test('a damaged EMF never fails in an unforeseen way', async () => {
  const bytes = emf(textRecord('light', { x: 0, y: 10, width: 40 }), comment(Buffer.from('IconOnly\0', 'utf16le')));
  await expectNoSurprises(emfExtractor, 'image/emf', bytes, 400);
});
