import type { ImageContents } from '../image-contents.js';

/**
 * GIF: signature, size, and a palette; then blocks up to 0x3B. A picture is 0x2C with its own palette, an extension 0x21
 * with a label; the data of both are sub-blocks, each a length byte and as many bytes, up to one of length 0.
 */
const HEADER_BYTES = 13;
const PICTURE = 0x2c;
const EXTENSION = 0x21;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const XMP_APPLICATION = 'XMP DataXMP';
/** Behind the packet stands a ramp of bytes that leads any reader to the end, wherever it stumbles into the text. */
const XMP_TRAILER_BYTES = 257;

export function readGif(bytes: Buffer, image: ImageContents): void {
  image.width = bytes.readUInt16LE(6);
  image.height = bytes.readUInt16LE(8);
  image.count = 0;
  let at = HEADER_BYTES + paletteBytes(bytes.readUInt8(10));
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === PICTURE) {
      image.count++;
      at = skipSubBlocks(bytes, at + 11 + paletteBytes(bytes.readUInt8(at + 9)));
    } else if (kind === EXTENSION) {
      const end = skipSubBlocks(bytes, at + 2);
      readExtension(bytes.readUInt8(at + 1), bytes.subarray(at + 2, end), image);
      at = end;
    } else return;
  }
}

function readExtension(label: number, blocks: Buffer, image: ImageContents): void {
  if (label === COMMENT) {
    image.comments.push(joinSubBlocks(blocks).toString('utf8'));
  } else if (label === APPLICATION && blocks.toString('latin1', 1, 12) === XMP_APPLICATION) {
    image.xmp ??= blocks.subarray(12, -XMP_TRAILER_BYTES - 1);
  }
}

function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function skipSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1;
  return at + 1;
}

function joinSubBlocks(blocks: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < blocks.length; at += (blocks[at] ?? 0) + 1) {
    parts.push(blocks.subarray(at + 1, at + 1 + (blocks[at] ?? 0)));
  }
  return Buffer.concat(parts);
}
