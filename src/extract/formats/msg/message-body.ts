import type { FormatContext } from '../../format.js';
import { decodeCodePage } from '../../containers/charset/code-page.js';
import { decompressRtf } from '../../containers/outlook/compressed-rtf.js';
import type { MapiStorage, TextDecoding } from './mapi-storage.js';
import { htmlCodePage } from './text-decoding.js';

/** Writes the body once, though a message may hold it in three forms: HTML, else RTF, else plain text. */
export async function writeMessageBody(
  message: MapiStorage,
  decode: TextDecoding,
  context: FormatContext,
): Promise<void> {
  const html = htmlBody(message, decode);
  if (html !== undefined) {
    await context.embedded({ name: '', bytes: html, mediaType: 'text/html', printName: false });
    return;
  }
  const rtf = rtfBody(message);
  if (rtf !== undefined) {
    context.countBytes(rtf.length);
    await context.embedded({ name: '', bytes: rtf, mediaType: 'application/rtf', printName: false });
    return;
  }
  const text = message.text('1000', decode);
  if (text !== undefined) context.write(`${text.replaceAll('\r\n', '\n')}\n`);
}

/** A page that does not name its charset is converted from the code page that the message names. */
function htmlBody(message: MapiStorage, decode: TextDecoding): Uint8Array | undefined {
  const binary = message.binary('1013');
  if (binary !== undefined && binary.length > 0) {
    const declared = /charset\s*=/i.test(Buffer.from(binary.subarray(0, 4096)).toString('latin1'));
    const codePage = htmlCodePage(message);
    return declared || codePage === undefined ? binary : utf8(decodeCodePage(binary, codePage));
  }
  const text = message.text('1013', decode);
  return text === undefined ? undefined : utf8(text);
}

function utf8(html: string): Uint8Array {
  return Buffer.from(`\ufeff${html}`, 'utf8');
}

function rtfBody(message: MapiStorage): Uint8Array | undefined {
  const compressed = message.binary('1009');
  if (compressed === undefined || compressed.length === 0) return undefined;
  const rtf = decompressRtf(Buffer.from(compressed.buffer, compressed.byteOffset, compressed.byteLength));
  return rtf === undefined || rtf.length === 0 ? undefined : rtf;
}
