import type { FormatContext, FormatInput } from '../../format.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';
import { tarEntries } from './tar-reader.js';

/** Tar archives: every regular file in order. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  await handOnEntries(tarEntries(input.bytes), context);
}
