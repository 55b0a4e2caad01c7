import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmf } from './emf-records.js';
import { writeWmf } from './wmf-records.js';

/** Windows metafiles, the vector pictures inside Office documents: the words that they draw. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
  const known = input.mediaType === 'image/wmf' ? writeWmf(bytes, context) : await writeEmf(bytes, context);
  if (!known) throw new CrawlerError('corrupt', `[${input.name}] does not begin like a Windows metafile.`);
}
