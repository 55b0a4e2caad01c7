import { CrawlerError } from '../../../base/errors.js';
import { MOST_PICTURE_BYTES, requestFrame } from '../channel/broker-messages.js';
import { numberAt } from '../channel/feed-frames.js';
import { FrameReader, type Frame } from '../../frames/frames.js';

/** What a sandbox process may ask. Numbers are checked: finite, integer, not negative. */
export type ProcessRequest =
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'digest' | 'done' }
  | { readonly kind: 'find_ocr'; readonly number: number; readonly id: number }
  | {
      readonly kind: 'recognise';
      readonly number: number;
      readonly id: number;
      readonly dpi: number | undefined;
      readonly picture: Uint8Array;
    }
  | { readonly kind: 'stop_recognition'; readonly number: number };

const NUMBER_BYTES = 8;
const HIGHEST_DPI = 2_400;
/** Of each kind of frame: how many numbers, and how many bytes after them at most. */
const SHAPES = new Map<number, { readonly numbers: number; readonly bytes: number }>([
  [requestFrame.bytes, { numbers: 2, bytes: 0 }],
  [requestFrame.digest, { numbers: 0, bytes: 0 }],
  [requestFrame.done, { numbers: 0, bytes: 0 }],
  [requestFrame.findOcr, { numbers: 2, bytes: 0 }],
  [requestFrame.recognise, { numbers: 3, bytes: MOST_PICTURE_BYTES }],
  [requestFrame.stopRecognition, { numbers: 1, bytes: 0 }],
]);

/** Decodes and checks the requests of a process. */
export class RequestReader {
  readonly #frames = new FrameReader((kind) => {
    const shape = SHAPES.get(kind);
    return shape === undefined ? undefined : shape.numbers * NUMBER_BYTES + shape.bytes;
  });

  /** @throws CrawlerError `corrupt` at the first invalid request */
  read(chunk: Buffer, take: (request: ProcessRequest) => void): void {
    this.#frames.add(chunk);
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) take(requestOf(frame));
  }
}

function requestOf({ kind, bytes }: Frame): ProcessRequest {
  const { numbers: count = 0 } = SHAPES.get(kind) ?? {};
  if (bytes.length < count * NUMBER_BYTES) throw new CrawlerError('corrupt', 'a request is too short');
  const numbers = Array.from({ length: count }, (_, index) => checkedNumber(numberAt(bytes, index)));
  const [first = 0, second = 0, third = 0] = numbers;
  switch (kind) {
    case requestFrame.bytes:
      return { kind: 'bytes', from: first, to: second };
    case requestFrame.digest:
      return { kind: 'digest' };
    case requestFrame.done:
      return { kind: 'done' };
    case requestFrame.findOcr:
      return { kind: 'find_ocr', number: first, id: second };
    case requestFrame.stopRecognition:
      return { kind: 'stop_recognition', number: first };
    default: {
      // The frame may share its memory with others.
      const picture = Uint8Array.prototype.slice.call(bytes, count * NUMBER_BYTES);
      return { kind: 'recognise', number: first, id: second, dpi: dpiOf(third), picture };
    }
  }
}

function checkedNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new CrawlerError('corrupt', 'a number of a request is invalid');
  return value;
}

function dpiOf(value: number): number | undefined {
  if (value > HIGHEST_DPI) throw new CrawlerError('corrupt', 'the resolution of a picture is invalid');
  return value === 0 ? undefined : value;
}
