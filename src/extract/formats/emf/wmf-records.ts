import iconv from 'iconv-lite';
import type { FormatContext } from '../../format.js';
import { codePageOf } from '../../containers/charset/font-charset.js';

/**
 * Windows Metafile ([MS-WMF]): optional placeable header (22 bytes), header (18 bytes), then records, all little-endian:
 *
 *     u32 size in words, with this field · u16 function · parameters
 *
 * Text is in the charset of the font created last. Which font is really selected is not followed: metafiles that mix
 * charsets create and select a font together.
 */
const PLACEABLE_KEY = 0x9ac6cdd7;
const PLACEABLE_BYTES = 22;
const HEADER_BYTES = 18;
const RECORD_HEADER_BYTES = 6;
const FUNCTION = { textOut: 0x0521, extTextOut: 0x0a32, createFont: 0x02fb } as const;
/** A rectangle stands in front of the text when it is opaque or clipped. */
const RECTANGLE_OPTIONS = 0x0006;
const CHARSET_OFFSET = 13;

/** False when these bytes are no metafile. */
export function writeWmf(bytes: Buffer, context: FormatContext): boolean {
  let at = bytes.length >= 4 && bytes.readUInt32LE(0) === PLACEABLE_KEY ? PLACEABLE_BYTES : 0;
  if (bytes.length < at + HEADER_BYTES || ![1, 2].includes(bytes.readUInt16LE(at))) return false;
  at += HEADER_BYTES;
  let codePage = codePageOf(undefined);
  while (at + RECORD_HEADER_BYTES <= bytes.length && !context.full) {
    const size = bytes.readUInt32LE(at) * 2;
    if (size < RECORD_HEADER_BYTES) break;
    const parameters = bytes.subarray(at + RECORD_HEADER_BYTES, at + size);
    const code = bytes.readUInt16LE(at + 4);
    if (code === FUNCTION.createFont) codePage = codePageOf(parameters[CHARSET_OFFSET]);
    const text = TEXT_READERS.get(code)?.(parameters);
    if (text !== undefined) context.write(`${iconv.decode(text, codePage).replaceAll('\0', '')}\n`);
    at += size;
  }
  if (at > bytes.length) context.warn('The metafile ends early; words may be missing.');
  return true;
}

function textOut(parameters: Buffer): Buffer | undefined {
  return parameters.length < 2 ? undefined : parameters.subarray(2, 2 + parameters.readUInt16LE(0));
}

function extTextOut(parameters: Buffer): Buffer | undefined {
  if (parameters.length < 8) return undefined;
  const start = (parameters.readUInt16LE(6) & RECTANGLE_OPTIONS) === 0 ? 8 : 16;
  return parameters.subarray(start, start + parameters.readUInt16LE(4));
}

const TEXT_READERS: ReadonlyMap<number, (parameters: Buffer) => Buffer | undefined> = new Map([
  [FUNCTION.textOut, textOut],
  [FUNCTION.extTextOut, extTextOut],
]);
