import type { ImageContents } from '../image-contents.js';
import { TiffStructure } from '../tiff-structure.js';

/**
 * TIFF, and the raw formats of cameras that are TIFF. Each directory of the chain is a page. Sizes, XMP and IPTC of the
 * first one are read here; the tags of the camera are read from the same structure, as from every other picture.
 */
const TAG = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  samplesPerPixel: 277,
  xmp: 700,
  iptc: 33723,
} as const;
/** More pages are not counted. */
const MAX_PAGES = 10_000;

export function readTiff(bytes: Buffer, image: ImageContents): void {
  const tiff = new TiffStructure(bytes);
  const page = tiff.directory(tiff.first);
  image.exif = bytes;
  image.width = page.number(TAG.width);
  image.height = page.number(TAG.height);
  // Like the peer, one number: the depth of the first channel.
  image.bitsPerSample = page.number(TAG.bitsPerSample)?.toString();
  image.samplesPerPixel = page.number(TAG.samplesPerPixel);
  image.xmp = page.bytes(TAG.xmp);
  image.iptc = page.bytes(TAG.iptc);
  image.count = countPages(tiff);
}

/** A damaged chain can lead in circles. */
function countPages(tiff: TiffStructure): number {
  const seen = new Set<number>();
  for (let at = tiff.first; at !== 0 && !seen.has(at) && seen.size < MAX_PAGES; at = tiff.next(at)) seen.add(at);
  return seen.size;
}
