import { CrawlerError } from '../../base/errors.js';
import type { FormatContext, FormatExtractor, FormatInput } from '../format.js';
import { tarEntries } from './tar-reader.js';

/** Tar archives: every regular file in order. */
export const tarExtractor: FormatExtractor = {
  name: 'tar',
  mediaTypes: ['application/x-tar', 'application/x-gtar'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    let cut: string | undefined;
    for (const entry of tarEntries(input.bytes)) {
      if (context.full) return;
      await context.embedded({ name: entry.name, bytes: entry.bytes });
      if (!entry.complete) cut = entry.name;
    }
    if (cut !== undefined) {
      throw new CrawlerError('corrupt', `The archive is cut off: it ends inside its entry [${cut}].`);
    }
  },
};
