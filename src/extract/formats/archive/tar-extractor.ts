import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';
import { tarEntries } from './tar-reader.js';

/** Tar archives: every regular file in order. */
export const tarExtractor: FormatExtractor = {
  name: 'tar',
  mediaTypes: ['application/x-tar', 'application/x-gtar'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    await handOnEntries(tarEntries(input.bytes), context);
  },
};
