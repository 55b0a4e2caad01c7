import type { FormatContext, FormatInput } from '../../format.js';
import { decodePieces } from '../../containers/charset/decode.js';
import { detectCharset } from '../../containers/charset/detect-charset.js';
import { declaredCharset } from './declared-charset.js';
import { HtmlWriter } from './html-writer.js';
import { MarkupWalk } from '../../containers/xml/markup-walk.js';

/** HTML and XHTML: the text of the body, title and `<meta>` as metadata, no scripts and styles. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { name: charset, detector } = await detectCharset(input.bytes, declaredCharset(input.bytes));
  context.contentType(`${input.mediaType}; charset=${charset}`);
  context.setMeta('Content-Encoding', charset);
  context.setMeta('tk:detectedEncoding', charset);
  context.setMeta('tk:encodingDetector', detector);
  const writer = new HtmlWriter(context);
  const walk = new MarkupWalk(writer, {
    mode: input.mediaType.endsWith('xhtml+xml') ? 'xhtml' : 'html',
    attributesOf: HtmlWriter.attributesOf,
  });
  for await (const piece of decodePieces(input.bytes, charset)) {
    walk.write(piece);
    if (context.full) break;
  }
  walk.end();
  writer.end();
}
