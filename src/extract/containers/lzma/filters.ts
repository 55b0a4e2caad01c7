import { CrawlerError } from '../../../base/errors.js';
import { X86Filter } from './x86-filter.js';

/**
 * Filters that xz and 7z put before the compression, so that programs and recordings compress better: here they are undone.
 * Each takes pieces and gives pieces.
 */
export const FILTER_DELTA = 0x03;
export const FILTER_X86 = 0x04;

export function filterPieces(id: number, properties: Uint8Array, pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  if (id === FILTER_DELTA) return undoDelta(pieces, (properties[0] ?? 0) + 1);
  if (id === FILTER_X86) return undoX86(pieces);
  throw new CrawlerError('unsupported', `The data went through a filter that is not known (${id}).`);
}

/** Each byte is the difference from the one so many bytes before. */
function* undoDelta(pieces: Iterable<Uint8Array>, distance: number): Generator<Uint8Array> {
  const last = new Uint8Array(distance);
  let at = 0;
  for (const piece of pieces) {
    const plain = new Uint8Array(piece.length);
    for (let index = 0; index < piece.length; index++) {
      const byte = ((piece[index] ?? 0) + (last[at] ?? 0)) & 0xff;
      plain[index] = byte;
      last[at] = byte;
      at = at + 1 === distance ? 0 : at + 1;
    }
    yield plain;
  }
}

/** Bytes at the end of a piece that may belong to an instruction wait for the next one. */
function* undoX86(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const filter = new X86Filter();
  let waiting: Uint8Array = new Uint8Array(0);
  for (const piece of pieces) {
    const bytes = Buffer.concat([waiting, piece]);
    const done = filter.undo(bytes);
    waiting = bytes.subarray(done);
    if (done > 0) yield bytes.subarray(0, done);
  }
  if (waiting.length > 0) yield waiting;
}
