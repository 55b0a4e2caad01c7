import type { ImageContents, Inflate } from '../image-contents.js';

/**
 * PNG: a signature of eight bytes, then chunks `u32 length · type · data · u32 checksum`. IHDR gives the size; tEXt, zTXt
 * and iTXt hold named texts, Latin-1, Latin-1 compressed, or UTF-8; eXIf holds EXIF; XMP is an iTXt of a known name.
 */
const SIGNATURE_BYTES = 8;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };
const XMP_KEYWORD = 'XML:com.adobe.xmp';
const PALETTE = 3;

export function readPng(bytes: Buffer, image: ImageContents, inflate: Inflate): void {
  image.count = 1;
  let at = SIGNATURE_BYTES;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return;
    readChunk(type, bytes.subarray(at + 8, at + 8 + length), image, inflate);
    at += 12 + length;
  }
  throw new RangeError('The end chunk is missing.');
}

function readChunk(type: string, data: Buffer, image: ImageContents, inflate: Inflate): void {
  switch (type) {
    case 'IHDR':
      readHeader(data, image);
      break;
    case 'eXIf':
      image.exif ??= data;
      break;
    case 'tEXt':
      addText(data, (rest) => rest.toString('latin1'), image);
      break;
    case 'zTXt':
      addText(data, (rest) => inflate(rest.subarray(1))?.toString('latin1'), image);
      break;
    case 'iTXt':
      addInternationalText(data, image, inflate);
      break;
    case 'acTL':
      image.count = data.readUInt32BE(0);
      break;
  }
}

function readHeader(data: Buffer, image: ImageContents): void {
  image.width = data.readUInt32BE(0);
  image.height = data.readUInt32BE(4);
  const colour = data.readUInt8(9);
  // The entries of a palette have eight bits, however few bits an index has.
  const bits = colour === PALETTE ? 8 : data.readUInt8(8);
  image.bitsPerSample = Array.from({ length: CHANNELS[colour] ?? 1 }, () => bits).join(' ');
}

function addText(data: Buffer, decode: (rest: Buffer) => string | undefined, image: ImageContents): void {
  const end = data.indexOf(0);
  if (end === -1) return;
  const text = decode(data.subarray(end + 1));
  if (text !== undefined) image.texts.push({ keyword: data.toString('latin1', 0, end), text });
}

/** keyword · NUL · compressed? · method · language · NUL · translated keyword · NUL · text */
function addInternationalText(data: Buffer, image: ImageContents, inflate: Inflate): void {
  const keywordEnd = data.indexOf(0);
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translatedEnd = data.indexOf(0, languageEnd + 1);
  if (keywordEnd === -1 || languageEnd === -1 || translatedEnd === -1) return;
  const rest = data.subarray(translatedEnd + 1);
  const text = data[keywordEnd + 1] === 1 ? inflate(rest) : rest;
  if (text === undefined) return;
  const keyword = data.toString('latin1', 0, keywordEnd);
  if (keyword === XMP_KEYWORD) image.xmp ??= text;
  else image.texts.push({ keyword, text: text.toString('utf8') });
}
