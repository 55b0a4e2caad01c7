import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { MarkupWalk } from '../../containers/xml/markup-walk.js';
import { decodePieces } from '../../containers/charset/decode.js';
import { detectCharset } from '../../containers/charset/detect-charset.js';
import { XmlTextWriter } from './xml-text-writer.js';

/** XML of any dialect: the text of all elements. Faults are forgiven, but an end that is missing is reported. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { name: charset } = await detectCharset(input.bytes, declaredEncoding(input.bytes));
  const writer = new XmlTextWriter(input.mediaType, context);
  const walk = new MarkupWalk(writer, { mode: 'xml', attributesOf: new Set() });
  for await (const piece of decodePieces(input.bytes, charset)) {
    walk.write(piece);
    if (context.full) return;
  }
  walk.end();
  writer.end();
  if (writer.unclosed > 0) {
    throw new CrawlerError('corrupt', `The XML ends while ${writer.unclosed} of its elements are still open.`);
  }
}

const DECLARATION_BYTES = 256;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, DECLARATION_BYTES)).toString(
    'latin1',
  );
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1];
}
