/** The values that PDF objects are made of. Strings stay bytes until somebody asks for text. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfReference | PdfArray | PdfDict | PdfStream;

export interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}

export interface PdfString {
  readonly kind: 'string';
  readonly bytes: Uint8Array;
}

export interface PdfReference {
  readonly kind: 'reference';
  readonly number: number;
}

export interface PdfArray {
  readonly kind: 'array';
  readonly items: readonly PdfValue[];
}

export interface PdfDict {
  readonly kind: 'dict';
  readonly entries: ReadonlyMap<string, PdfValue>;
}

export interface PdfStream {
  readonly kind: 'stream';
  readonly dict: PdfDict;
  /** Offset of the first byte of the raw data. */
  readonly start: number;
}

/** PDFDocEncoding where it differs from Latin-1. */
const DOC_ENCODING: ReadonlyMap<number, string> = new Map([
  ...Array.from('˘ˇˆ˙˝˛˚˜', (character, index) => [0x18 + index, character] as const),
  ...Array.from('•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž', (character, index) => [0x80 + index, character] as const),
  [0xa0, '€'],
]);

/** A text string: UTF-16 with a byte order mark, UTF-8 with one, else PDFDocEncoding. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return withoutLanguage(bigEndian(buffer.subarray(2)));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return withoutLanguage(buffer.subarray(2).toString('utf16le'));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return buffer.subarray(3).toString('utf8');
  const special = bytes.some((byte) => DOC_ENCODING.has(byte));
  const latin = buffer.toString('latin1');
  return special ? Array.from(latin, (unit) => DOC_ENCODING.get(unit.charCodeAt(0)) ?? unit).join('') : latin;
}

function bigEndian(buffer: Buffer): string {
  const even = Buffer.from(buffer.subarray(0, buffer.length - (buffer.length % 2)));
  return even.swap16().toString('utf16le');
}

/** Language codes inside UTF-16 strings stand between two escape characters. */
function withoutLanguage(text: string): string {
  return text
    .split('\u001b')
    .filter((_, index) => index % 2 === 0)
    .join('');
}
