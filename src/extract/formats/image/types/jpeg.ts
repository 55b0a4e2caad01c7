import type { ImageContents } from '../image-contents.js';
import { readPhotoshopResources } from './photoshop.js';

/**
 * JPEG: `FF D8`, then segments `FF marker · u16 length with itself · data` up to the picture data behind a start of scan.
 * APP1 holds EXIF or XMP, APP13 the resources of Photoshop with IPTC, COM a comment, SOFn the size.
 */
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const PHOTOSHOP = Buffer.from('Photoshop 3.0\0', 'latin1');
const MARKER = { app1: 0xe1, app13: 0xed, comment: 0xfe, startOfScan: 0xda, end: 0xd9 } as const;
/** Between the start-of-frame markers stand three others: Huffman tables, a reserved one, arithmetic coding. */
const NO_FRAME: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

export function readJpeg(bytes: Buffer, image: ImageContents): void {
  const photoshop: Buffer[] = [];
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      at++;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === MARKER.startOfScan || marker === MARKER.end) break;
    if (!hasLength(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const data = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (startsWith(data, PHOTOSHOP) && marker === MARKER.app13) photoshop.push(data.subarray(PHOTOSHOP.length));
    else readSegment(marker, data, image);
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  // A large resource continues in the next segment.
  if (photoshop.length > 0) readPhotoshopResources(Buffer.concat(photoshop), image);
}

function readSegment(marker: number, data: Buffer, image: ImageContents): void {
  if (marker === MARKER.app1 && startsWith(data, EXIF)) image.exif ??= data.subarray(EXIF.length);
  else if (marker === MARKER.app1 && startsWith(data, XMP)) image.xmp ??= data.subarray(XMP.length);
  else if (marker === MARKER.comment) image.comments.push(data.toString('utf8'));
  else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.has(marker)) {
    image.bitsPerSample = String(data.readUInt8(0));
    image.height = data.readUInt16BE(1);
    image.width = data.readUInt16BE(3);
  }
}

/** Stuffing, restart markers and TEM stand alone. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && marker !== 0xff && (marker < 0xd0 || marker > 0xd8);
}

function startsWith(data: Buffer, prefix: Buffer): boolean {
  return data.subarray(0, prefix.length).equals(prefix);
}
