import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';
import { writeEmf } from './emf-records.js';
import { writeWmf } from './wmf-records.js';

/** Windows metafiles, the vector pictures inside Office documents: the words that they draw. */
export const emfExtractor: FormatExtractor = {
  name: 'emf',
  mediaTypes: ['image/emf', 'image/wmf'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
    const known = input.mediaType === 'image/wmf' ? writeWmf(bytes, context) : await writeEmf(bytes, context);
    if (!known) throw new CrawlerError('corrupt', `[${input.name}] does not begin like a Windows metafile.`);
  },
};
