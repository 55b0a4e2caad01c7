import { crc32, deflateSync } from 'node:zlib';
import { PdfDocument } from '../../src/extract/formats/pdf/pdf-document.js';
import { renderPage } from '../../src/extract/formats/pdf/page-picture.js';
import { PdfBuilder } from './pdf-builder.js';

/** Lines of text as pixels, 0 black to 255 white, with a white border: what a scanner would see. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

const BORDER = 40;

export async function pictureOfText(...lines: string[]): Promise<GreyPicture> {
  const document = await PdfDocument.open(new PdfBuilder().build({ pages: [{ lines }] }), []);
  try {
    const page = renderPage(document, 0, { onlyPictures: false, limitMs: 10_000 });
    if (page === undefined) throw new Error('The page cannot be drawn.');
    return cropped(fromPgm(Buffer.from(page.bytes)));
  } finally {
    document.close();
  }
}

function fromPgm(bytes: Buffer): GreyPicture {
  const head = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.toString('latin1', 0, 40))!;
  return { width: Number(head[1]), height: Number(head[2]), pixels: bytes.subarray(head[0].length) };
}

function cropped({ width, height, pixels }: GreyPicture): GreyPicture {
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
    pixels.subarray(y * width, (y + 1) * width).some((value) => value < 128),
  );
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
    rows.some((y) => (pixels[y * width + x] ?? 255) < 128),
  );
  const left = Math.max(0, columns[0]! - BORDER);
  const top = Math.max(0, rows[0]! - BORDER);
  const right = Math.min(width, columns.at(-1)! + BORDER);
  const bottom = Math.min(height, rows.at(-1)! + BORDER);
  const kept = Array.from({ length: bottom - top }, (_, y) =>
    pixels.subarray((top + y) * width + left, (top + y) * width + right),
  );
  return { width: right - left, height: bottom - top, pixels: Buffer.concat(kept) };
}

export function toPng({ width, height, pixels }: GreyPicture): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width, (y + 1) * width)]),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const chunks = [pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(Buffer.concat(rows))), pngChunk('IEND')];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function pngChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** One page each, uncompressed: header, then for each page its pixels and its directory. */
export function toTiff(pages: readonly GreyPicture[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let length = 8;
  let pointer: { readonly piece: Buffer; readonly at: number } = { piece: pieces[0]!, at: 4 };
  for (const { width, height, pixels } of pages) {
    const padded = pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)]);
    const tags: [tag: number, value: number][] = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, length],
      [277, 1],
      [278, height],
      [279, pixels.length],
    ];
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    tags.forEach(([tag, value], index) => {
      const at = 2 + index * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(4, at + 2);
      directory.writeUInt32LE(1, at + 4);
      directory.writeUInt32LE(value, at + 8);
    });
    pointer.piece.writeUInt32LE(length + padded.length, pointer.at);
    pointer = { piece: directory, at: directory.length - 4 };
    pieces.push(padded, directory);
    length += padded.length + directory.length;
  }
  return Buffer.concat(pieces);
}

/** Grey values as a palette of 256 colours, rows from bottom to top. */
export function toBmp({ width, height, pixels }: GreyPicture): Buffer {
  const stride = Math.ceil(width / 4) * 4;
  const start = 54 + 1024;
  const bytes = Buffer.alloc(start + stride * height);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(start, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  for (let value = 0; value < 256; value++) bytes.fill(value, 54 + value * 4, 57 + value * 4);
  for (let y = 0; y < height; y++)
    pixels.copy(bytes, start + y * stride, (height - 1 - y) * width, (height - y) * width);
  return bytes;
}

/** Adds the picture to a PDF and returns the entries of a page that shows it in its upper half. */
export function onPage(
  builder: PdfBuilder,
  { width, height, pixels }: GreyPicture,
): { drawing: string; resources: string } {
  const picture = builder.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
    deflateSync(pixels),
  );
  const scale = Math.min(500 / width, 72 / 300);
  return {
    drawing: `q ${width * scale} 0 0 ${height * scale} 50 400 cm /Im Do Q`,
    resources: `/XObject << /Im ${picture} 0 R >>`,
  };
}
