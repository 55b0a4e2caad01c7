import type { FormatContext, FormatInput } from '../../format.js';
import { cpioEntries } from './cpio-reader.js';
import { handOnEntries } from '../../containers/archive/plain-entries.js';

/** Cpio archives: every regular file in order. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  await handOnEntries(cpioEntries(input.bytes), context);
}
