import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';
import { cpioEntries } from './cpio-reader.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';

/** Cpio archives: every regular file in order. */
export const cpioExtractor: FormatExtractor = {
  name: 'cpio',
  mediaTypes: ['application/x-cpio'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    await handOnEntries(cpioEntries(input.bytes), context);
  },
};
