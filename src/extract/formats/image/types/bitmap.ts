import type { ImageContents } from '../image-contents.js';

/** BMP: a file header of 14 bytes, then a header whose size tells its version; the first has 16-bit sizes. */
export function readBitmap(bytes: Buffer, image: ImageContents): void {
  const first = bytes.readUInt32LE(14) === 12;
  image.width = first ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  // A negative height means that the rows go downwards.
  image.height = Math.abs(first ? bytes.readInt16LE(20) : bytes.readInt32LE(22));
  const bits = bytes.readUInt16LE(first ? 24 : 28);
  image.bitsPerSample = bits >= 24 ? Array.from({ length: bits / 8 }, () => 8).join(' ') : String(bits);
  image.count = 1;
}

/** Icons and cursors: u16 0 · u16 kind · u16 count, then entries of 16 bytes; a size of 0 is 256. The largest counts. */
export function readIcon(bytes: Buffer, image: ImageContents): void {
  image.count = bytes.readUInt16LE(4);
  for (let i = 0; i < image.count; i++) {
    const width = bytes.readUInt8(6 + i * 16) || 256;
    const height = bytes.readUInt8(7 + i * 16) || 256;
    if (width < (image.width ?? 0)) continue;
    image.width = width;
    image.height = height;
  }
}
