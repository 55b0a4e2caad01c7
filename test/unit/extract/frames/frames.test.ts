import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesFrame, FrameReader, jsonFrame, textFrame, type Frame } from '../../../../src/extract/frames/frames.js';

const MOST = 10_000;

function reader(): FrameReader {
  return new FrameReader((kind) => (kind < 100 ? MOST : undefined));
}

function readAll(from: FrameReader, pieces: readonly Uint8Array[]): Frame[] {
  const frames: Frame[] = [];
  for (const piece of pieces) {
    from.add(Buffer.from(piece));
    for (let frame = from.next(); frame !== undefined; frame = from.next()) {
      frames.push({ kind: frame.kind, bytes: Buffer.from(frame.bytes) });
    }
  }
  return frames;
}

/** Cuts bytes at the places given, as a pipe may. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(sorted[index - 1] ?? 0, end));
}

describe('frames', () => {
  test('come out as they went in, wherever the pipe has cut them', () => {
    const frame = fc.tuple(fc.nat({ max: 99 }), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 30 }), (frames, places) => {
        const bytes = Buffer.concat(frames.flatMap(([kind, body]) => bytesFrame(kind, body)));
        const read = readAll(reader(), cut(bytes, places));
        expect(read.map(({ kind, bytes: body }) => [kind, [...body]])).toEqual(
          frames.map(([kind, body]) => [kind, [...body]]),
        );
      }),
    );
  });

  test('come out when they arrive one byte at a time', () => {
    const bytes = Buffer.concat([textFrame(1, 'first ä'), textFrame(2, ''), jsonFrame(3, { a: [1] })]);
    const read = readAll(
      reader(),
      [...bytes].map((byte) => Buffer.from([byte])),
    );
    expect(read.map(({ kind, bytes: body }) => [kind, body.toString()])).toEqual([
      [1, 'first ä'],
      [2, ''],
      [3, '{"a":[1]}'],
    ]);
  });

  test('of text keep their length in UTF-16 units when half a surrogate pair is replaced', () => {
    const [frame] = readAll(reader(), [textFrame(1, 'a\ud800b')]);
    expect(frame?.bytes.toString()).toBe('a\ufffdb');
  });

  test.each([
    ['an unknown kind', 100, 0],
    ['a length beyond that of its kind', 1, MOST + 1],
    ['the largest length that can be written', 1, 0xffff_ffff],
  ])('with %s are refused with their header', (_what, kind, length) => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(kind, 0);
    header.writeUInt32LE(length, 4);
    expect(() => readAll(reader(), [header])).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test('that announce much and bring little take little memory, however small the pieces are', () => {
    const large = new FrameReader(() => 512 * 1024 * 1024);
    const before = process.memoryUsage();
    const [header] = bytesFrame(1, Buffer.alloc(0));
    header.writeUInt32LE(512 * 1024 * 1024, 4);
    const read = readAll(large, [header, ...Array.from({ length: 100_000 }, () => Buffer.from([1]))]);
    const after = process.memoryUsage();
    expect(read).toEqual([]);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(64 * 1024 * 1024);
  });
});
