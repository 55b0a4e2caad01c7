import type { FormatContext, FormatInput } from '../../format.js';
import { arEntries } from './ar-reader.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';

/** Ar archives and Debian packages: every entry in order. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  await handOnEntries(arEntries(input.bytes), context);
}
