import { feedFrame } from './broker-messages.js';
import { HEADER_BYTES, writeHeader } from '../../frames/frames.js';

/** The beginning of a document on its way from the broker to the process: id and size as doubles, then the bytes. */
const ID_OFFSET = 0;
const SIZE_OFFSET = 8;
const FACTS_BYTES = 16;

/** Where the bytes are in the frame. */
export const DOCUMENT_OFFSET = HEADER_BYTES + FACTS_BYTES;

/** Completes a frame into which the bytes have been written; returns its length. */
export function completeDocument(frame: Buffer, id: number, size: number, headLength: number): number {
  writeHeader(frame, feedFrame.document, FACTS_BYTES + headLength);
  frame.writeDoubleLE(id, HEADER_BYTES + ID_OFFSET);
  frame.writeDoubleLE(size, HEADER_BYTES + SIZE_OFFSET);
  return DOCUMENT_OFFSET + headLength;
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
