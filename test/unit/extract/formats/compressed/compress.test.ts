import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import * as compressExtractor from '../../../../../src/extract/formats/compressed/compress-extractor.js';
import { unpackLzw } from '../../../../../src/extract/formats/compressed/lzw-reader.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';
import { expectNoSurprises } from '../../mutations.js';

const CLEAR = 256;

/** What the Unix program `compress` does; `clearAt` clears the table once it has so many entries. */
function compress(text: Uint8Array, mostWidth: number, clearAt = Number.POSITIVE_INFINITY): Buffer {
  const bits: number[] = [];
  let [width, groupStart, size] = [9, 0, CLEAR + 1];
  let table = new Map<string, number>();
  const emit = (code: number): void => {
    for (let bit = 0; bit < width; bit++) bits.push((code >>> bit) & 1);
  };
  const align = (next: number): void => {
    while ((bits.length - groupStart) % (width * 8) !== 0) bits.push(0);
    groupStart = bits.length;
    width = next;
  };
  let before = '';
  let isFirst = true;
  const codeOf = (key: string): number => (key.length === 1 ? key.charCodeAt(0) : (table.get(key) ?? -1));
  const put = (key: string): void => {
    if (!isFirst && size < 1 << mostWidth) size++;
    isFirst = false;
    emit(codeOf(key));
    if (size >= 1 << width && width < mostWidth) align(width + 1);
  };
  let entries = CLEAR + 1;
  for (const byte of text) {
    const key = before + String.fromCharCode(byte);
    if (before === '' || codeOf(key) !== -1) {
      before = key;
      continue;
    }
    put(before);
    if (entries < 1 << mostWidth) table.set(key, entries++);
    if (entries >= clearAt) {
      emit(CLEAR);
      align(9);
      table = new Map();
      [entries, size, isFirst] = [CLEAR + 1, CLEAR + 1, true];
    }
    before = String.fromCharCode(byte);
  }
  if (before !== '') put(before);
  while (bits.length % 8 !== 0) bits.push(0);
  const bytes = Buffer.alloc(bits.length / 8);
  bits.forEach((bit, at) => {
    if (bit === 1) bytes[at >>> 3] = (bytes[at >>> 3] ?? 0) | (1 << (at & 7));
  });
  return Buffer.concat([Buffer.from([0x1f, 0x9d, 0x80 | mostWidth]), bytes]);
}

function unpacked(bytes: Uint8Array): Buffer {
  return Buffer.concat(Array.from(unpackLzw(bytes), (piece) => Buffer.from(piece)));
}

const numbers = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7).toString(36)).join(' '));

describe('a file of the program compress', () => {
  test('holds one member, named without the suffix', async () => {
    const { contentType, problem, text, members } = await extractInProcess('old.txt.Z', compress(numbers, 16));
    expect({ contentType, problem }).toEqual({ contentType: 'application/x-compress', problem: undefined });
    expect(members.map(({ name }) => name)).toEqual(['old.txt']);
    expect(text).toContain(numbers.subarray(0, 200).toString());
  });

  test.each([
    [10, undefined],
    [12, 3_000],
    [16, undefined],
    [16, 20_000],
  ])('with codes of up to %d bits, cleared at %s entries, comes out as it went in', (width, clearAt) => {
    expect(unpacked(compress(numbers, width, clearAt)).equals(numbers)).toBe(true);
  });

  test('of any bytes comes out as it went in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 10, max: 16 }), (bytes, width) => {
        expect(unpacked(compress(bytes, width)).equals(bytes)).toBe(true);
      }),
    );
  });

  test('ends with a sentence however it is damaged', async () => {
    const document = compress(numbers.subarray(0, 5_000), 12);
    await expectNoSurprises(compressExtractor, 'application/x-compress', document, 200);
  });
});
