import type { OleContainer } from '../../containers/ole/ole.js';
import type { EmbeddedPart } from '../../format.js';
import { blipsIn, type Blip } from '../../containers/ole/blips.js';
import { PAIR, readPair, slice, type Fib } from './fib.js';
import type { WordText } from './word-text.js';

/**
 * Pictures of a Word document: those in the text lie in the `Data` stream behind a header that tells its own size, those
 * that float in the drawing records of the table stream, which point into the `WordDocument` stream.
 */
const NAMED_PICTURE = 0x66;

export function* wordPictures(
  container: OleContainer,
  word: Uint8Array,
  fib: Fib,
  text: WordText,
): Generator<EmbeddedPart> {
  let count = 0;
  for (const blip of allBlips(container, word, fib, text)) {
    count++;
    yield { name: `image${count}.${blip.extension}`, bytes: blip.bytes, mediaType: blip.mediaType, printName: false };
  }
}

function* allBlips(container: OleContainer, word: Uint8Array, fib: Fib, text: WordText): Generator<Blip> {
  const data = container.read('Data') ?? new Uint8Array(0);
  for (const offset of new Set(text.pictureOffsets)) yield* blipsIn(pictureRecords(data, offset));
  yield* blipsIn(slice(text.table, readPair(word, fib, PAIR.drawings)), word);
}

/** Size, size of the header, kind; in one kind a name stands between header and records. */
function pictureRecords(data: Uint8Array, offset: number): Uint8Array {
  if (offset + 8 > data.length) return new Uint8Array(0);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const end = Math.min(offset + view.getUint32(offset, true), data.length);
  const start = offset + view.getUint16(offset + 4, true);
  const nameBytes = view.getUint16(offset + 6, true) === NAMED_PICTURE ? (data[start] ?? 0) + 1 : 0;
  return data.subarray(Math.min(start + nameBytes, end), end);
}
