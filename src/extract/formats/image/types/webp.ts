import type { ImageContents } from '../image-contents.js';

/**
 * WebP: "RIFF" · u32 length · "WEBP", then chunks `type · u32 length · data, padded to even`. The size stands in VP8X when
 * there is one, else in the bit stream, lossy (VP8) or lossless (VP8L).
 */
const HEADER_BYTES = 12;
const EXIF_PREFIX = 'Exif\0\0';

export function readWebp(bytes: Buffer, image: ImageContents): void {
  let at = HEADER_BYTES;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    readChunk(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + length), image);
    at += 8 + length + (length % 2);
  }
  if (at > bytes.length + 1) throw new RangeError('The last chunk is cut off.');
}

function readChunk(type: string, data: Buffer, image: ImageContents): void {
  switch (type) {
    case 'VP8X':
      image.width = data.readUIntLE(4, 3) + 1;
      image.height = data.readUIntLE(7, 3) + 1;
      break;
    case 'VP8 ':
      image.width ??= data.readUInt16LE(6) & 0x3fff;
      image.height ??= data.readUInt16LE(8) & 0x3fff;
      break;
    case 'VP8L': {
      const sizes = data.readUInt32LE(1);
      image.width ??= (sizes & 0x3fff) + 1;
      image.height ??= ((sizes >> 14) & 0x3fff) + 1;
      break;
    }
    case 'EXIF':
      // Some writers keep the prefix that only JPEG needs.
      image.exif = data.toString('latin1', 0, 6) === EXIF_PREFIX ? data.subarray(6) : data;
      break;
    case 'XMP ':
      image.xmp = data;
      break;
  }
}
