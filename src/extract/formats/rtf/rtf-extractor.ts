import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { RtfDocument } from './rtf-document.js';
import { RtfInfo } from './rtf-info.js';
import { readRtf } from './rtf-reader.js';

/** Rich Text Format, with the files and pictures in it. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { default: iconv } = await import('iconv-lite');
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.length);
  if (!bytes.subarray(0, 1024).includes('{\\rt')) {
    throw new CrawlerError('corrupt', 'The file does not begin like a rich text document.');
  }
  const document = new RtfDocument(bytes, {
    info: new RtfInfo(context),
    decode: (piece, encoding) => iconv.decode(piece, iconv.encodingExists(encoding) ? encoding : 'windows-1252'),
    isFull: () => context.full,
  });
  readRtf(bytes, document);
  document.finish();
  for (const item of document.items) {
    if (typeof item === 'string') context.write(item);
    else await context.embedded({ name: item.name, bytes: item.bytes });
  }
}
