import { TiffStructure } from './tiff-structure.js';

/**
 * The pages of a TIFF, each as a file of its own: the same bytes, but that the header points to the directory of that page
 * and the directory to no other.
 */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  /** Makes the file; as large as the whole. */
  readonly bytes: () => Uint8Array;
}

const TAG = { subfileType: 254, width: 256, height: 257 } as const;
/** Bits of the subfile type: a smaller copy of another page, and a mask for one. */
const NO_PAGE = 0x01 | 0x04;
const FIRST_DIRECTORY = 4;
const ENTRY_BYTES = 12;
/** A damaged chain can lead in circles. */
const MOST_PAGES = 10_000;

/** Throws RangeError where the file ends before a page. */
export function* tiffPages(file: Uint8Array): Generator<TiffPage> {
  const tiff = new TiffStructure(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const seen = new Set<number>();
  let next = tiff.first;
  while (next !== 0 && !seen.has(next) && seen.size < MOST_PAGES) {
    const at = next;
    seen.add(at);
    const directory = tiff.directory(at);
    // Read first: a page whose directory is cut off is none.
    next = tiff.next(at);
    if (((directory.number(TAG.subfileType) ?? 0) & NO_PAGE) !== 0) continue;
    const width = directory.number(TAG.width) ?? 0;
    const height = directory.number(TAG.height) ?? 0;
    yield { width, height, bytes: () => onlyPage(tiff, at) };
  }
}

function onlyPage(tiff: TiffStructure, directory: number): Uint8Array {
  const bytes = Buffer.from(tiff.bytes);
  const isLittleEndian = bytes[0] === 0x49;
  if (isLittleEndian) bytes.writeUInt32LE(directory, FIRST_DIRECTORY);
  else bytes.writeUInt32BE(directory, FIRST_DIRECTORY);
  // Zero in either byte order.
  bytes.writeUInt32LE(0, directory + 2 + tiff.u16(directory) * ENTRY_BYTES);
  return bytes;
}
