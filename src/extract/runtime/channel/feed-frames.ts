import { feedFrame } from './broker-messages.js';
import { frameHeader } from './frames.js';

/** The beginning of a document on its way from the broker to the process: id and size as doubles, then the bytes. */
const ID_OFFSET = 0;
const SIZE_OFFSET = 8;
const FACTS_BYTES = 16;

export function documentFrame(id: number, size: number, head: Uint8Array): readonly Uint8Array[] {
  const facts = Buffer.allocUnsafe(FACTS_BYTES);
  facts.writeDoubleLE(id, ID_OFFSET);
  facts.writeDoubleLE(size, SIZE_OFFSET);
  return [frameHeader(feedFrame.document, FACTS_BYTES + head.length), facts, head];
}

export function documentIn(bytes: Buffer): { readonly id: number; readonly size: number; readonly head: Buffer } {
  return {
    id: bytes.readDoubleLE(ID_OFFSET),
    size: bytes.readDoubleLE(SIZE_OFFSET),
    head: bytes.subarray(FACTS_BYTES),
  };
}

/** A few numbers, as the process sends them with its requests. */
export function numbersOf(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(8 * numbers.length);
  numbers.forEach((number, index) => bytes.writeDoubleLE(number, 8 * index));
  return bytes;
}

export function numberAt(bytes: Buffer, index: number): number {
  return bytes.readDoubleLE(8 * index);
}
