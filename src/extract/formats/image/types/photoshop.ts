import type { ImageContents } from '../image-contents.js';

/**
 * Photoshop: "8BPS" · u16 version · 6 reserved · u16 channels · u32 height, width · u16 depth · u16 colour mode ·
 * u32 length, colour data · u32 length, resources · layers and pixels. A resource is
 *
 *     "8BIM" · u16 id · name (a length byte and the text, padded to even) · u32 length · data, padded to even
 *
 * JPEG and TIFF files carry the same resources.
 */
const HEADER_BYTES = 26;
const SIGNATURE = '8BIM';
const RESOURCE = { caption: 0x03f0, iptc: 0x0404, exif: 0x0422, xmp: 0x0424 } as const;

export function readPhotoshop(bytes: Buffer, image: ImageContents): void {
  const channels = bytes.readUInt16BE(12);
  image.height = bytes.readUInt32BE(14);
  image.width = bytes.readUInt32BE(18);
  image.bitsPerSample = String(bytes.readUInt16BE(22));
  image.samplesPerPixel = channels;
  const resources = HEADER_BYTES + 4 + bytes.readUInt32BE(HEADER_BYTES);
  const length = bytes.readUInt32BE(resources);
  readPhotoshopResources(bytes.subarray(resources + 4, resources + 4 + length), image);
}

export function readPhotoshopResources(bytes: Buffer, image: ImageContents): void {
  let at = 0;
  while (at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === SIGNATURE) {
    const nameBytes = even(1 + bytes.readUInt8(at + 6));
    const start = at + 6 + nameBytes + 4;
    const length = bytes.readUInt32BE(start - 4);
    readResource(bytes.readUInt16BE(at + 4), bytes.subarray(start, start + length), image);
    at = start + even(length);
  }
}

function readResource(id: number, data: Buffer, image: ImageContents): void {
  switch (id) {
    case RESOURCE.caption:
      image.texts.push({ keyword: 'Description', text: data.toString('latin1').replaceAll('\0', '') });
      break;
    case RESOURCE.iptc:
      image.iptc ??= data;
      break;
    case RESOURCE.exif:
      image.exif ??= data;
      break;
    case RESOURCE.xmp:
      image.xmp ??= data;
      break;
  }
}

function even(length: number): number {
  return length + (length % 2);
}
