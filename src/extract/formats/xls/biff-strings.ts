import { decodeCodePage } from '../../containers/charset/code-page.js';
import { SegmentReader } from './segment-reader.js';

/** How strings are stored: BIFF8 has its own Unicode form, earlier versions bytes in the workbook's code page. */
export interface StringEncoding {
  readonly unicode: boolean;
  readonly codePage: number;
}

export type Segments = readonly Uint8Array[];

/** A string behind a length of one or two bytes, from offset `start` on. */
export function readString(segments: Segments, start: number, lengthBytes: 1 | 2, encoding: StringEncoding): string {
  const reader = new SegmentReader(segments, start);
  const length = lengthBytes === 1 ? reader.uint8() : reader.uint16();
  if (!encoding.unicode) return decodeCodePage(reader.bytes(length), encoding.codePage);
  return length === 0 ? '' : readUnicode(reader, length).text;
}

/** Flags, the counts that they announce, the characters; then formatting runs and phonetic text. */
export function readUnicode(
  reader: SegmentReader,
  length: number,
): { readonly text: string; readonly phonetic: string } {
  const flags = reader.uint8();
  const runs = (flags & 8) === 0 ? 0 : reader.uint16();
  const extensionBytes = (flags & 4) === 0 ? 0 : reader.uint32();
  const text = reader.characters(length, (flags & 1) !== 0);
  reader.skip(runs * 4);
  const phonetic = extensionBytes === 0 ? '' : phoneticText(reader.bytes(extensionBytes));
  return { text, phonetic };
}

/** Reserved, size, formatting (4), number of runs, then the length twice and UTF-16 characters. */
function phoneticText(extension: Uint8Array): string {
  if (extension.length < 14) return '';
  const view = new DataView(extension.buffer, extension.byteOffset, extension.byteLength);
  if (view.getUint16(0, true) !== 1) return '';
  const length = view.getUint16(12, true);
  return new SegmentReader([extension], 14).characters(length, true);
}
