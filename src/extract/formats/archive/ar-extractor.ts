import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';
import { arEntries } from './ar-reader.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';

/** Ar archives and Debian packages: every entry in order. */
export const arExtractor: FormatExtractor = {
  name: 'ar',
  mediaTypes: ['application/x-archive', 'application/x-debian-package'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    await handOnEntries(arEntries(input.bytes), context);
  },
};
