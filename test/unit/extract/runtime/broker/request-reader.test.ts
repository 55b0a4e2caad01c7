import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CrawlerError } from '../../../../../src/base/errors.js';
import { RequestReader, type ProcessRequest } from '../../../../../src/extract/runtime/broker/request-reader.js';
import { requestFrame } from '../../../../../src/extract/runtime/channel/broker-messages.js';
import { numbersOf } from '../../../../../src/extract/runtime/channel/feed-frames.js';
import { bytesFrame } from '../../../../../src/extract/frames/frames.js';

/** What a sandbox process asks of its broker, once a document has taken it over. */
function read(...frames: readonly (readonly Uint8Array[])[]): ProcessRequest[] {
  const requests: ProcessRequest[] = [];
  new RequestReader().read(Buffer.concat(frames.flat()), (request) => requests.push(request));
  return requests;
}

test('requests are read', () => {
  const picture = Buffer.from('picture');
  expect(
    read(
      bytesFrame(requestFrame.bytes, numbersOf(64, 128)),
      bytesFrame(requestFrame.digest, Buffer.alloc(0)),
      bytesFrame(requestFrame.findOcr, numbersOf(1, 7)),
      bytesFrame(requestFrame.recognise, Buffer.concat([numbersOf(2, 7, 300), picture])),
      bytesFrame(requestFrame.stopRecognition, numbersOf(2)),
      bytesFrame(requestFrame.done, Buffer.alloc(0)),
    ),
  ).toEqual([
    { kind: 'bytes', from: 64, to: 128 },
    { kind: 'digest' },
    { kind: 'find_ocr', number: 1, id: 7 },
    { kind: 'recognise', number: 2, id: 7, dpi: 300, picture: new Uint8Array(picture) },
    { kind: 'stop_recognition', number: 2 },
    { kind: 'done' },
  ]);
});

describe('a request is refused', () => {
  test.each<[string, readonly Uint8Array[]]>([
    ['of an unknown kind', bytesFrame(99, Buffer.alloc(0))],
    ['that is too short', bytesFrame(requestFrame.bytes, numbersOf(1))],
    ['that is too long', bytesFrame(requestFrame.bytes, numbersOf(1, 2, 3))],
    ['with a path behind it', bytesFrame(requestFrame.digest, Buffer.from('/etc/passwd'))],
    ['with a negative number', bytesFrame(requestFrame.bytes, numbersOf(-1, 2))],
    ['with a number that is none', bytesFrame(requestFrame.recognise, numbersOf(1, 1, Number.NaN))],
    ['with an infinite number', bytesFrame(requestFrame.bytes, numbersOf(0, Number.POSITIVE_INFINITY))],
    ['with a fraction', bytesFrame(requestFrame.findOcr, numbersOf(0.5, 1))],
    ['with a resolution that no scanner has', bytesFrame(requestFrame.recognise, numbersOf(1, 1, 2_401))],
  ])('%s', (_what, frame) => {
    expect(() => read(frame)).toThrow(CrawlerError);
  });

  test('before its body arrives when it announces too much', () => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(requestFrame.recognise, 0);
    header.writeUInt32LE(1024 ** 3, 4);
    expect(() => read([header])).toThrow('at most');
  });
});

test('10,000 random requests are read or refused, in pieces of any size', () => {
  const kinds = fc.constantFrom(...Object.values(requestFrame), 0, 99);
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.array(fc.double(), { maxLength: 4 }).map((all) => numbersOf(...all)),
  );
  fc.assert(
    fc.property(kinds, bodies, fc.integer({ min: 1, max: 9 }), (kind, body, size) => {
      const bytes = Buffer.concat(bytesFrame(kind, body));
      const reader = new RequestReader();
      const requests: ProcessRequest[] = [];
      try {
        for (let at = 0; at < bytes.length; at += size) {
          reader.read(bytes.subarray(at, at + size), (request) => requests.push(request));
        }
      } catch (error) {
        expect(error).toBeInstanceOf(CrawlerError);
      }
      for (const request of requests) {
        const numbers = Object.values(request).filter((value) => typeof value === 'number');
        expect(numbers.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
      }
    }),
    { numRuns: 10_000 },
  );
});
