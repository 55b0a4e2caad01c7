import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext } from '../../format.js';

/** An entry of an archive that does not compress. */
export interface PlainEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** False when the archive ends inside of it. */
  readonly complete: boolean;
}

/** Hands on entries as long as more text is wanted. What there is of the last one of a cut-off archive is handed on too. */
export async function handOnEntries(entries: Iterable<PlainEntry>, context: FormatContext): Promise<void> {
  let cut: string | undefined;
  for (const entry of entries) {
    if (context.full) return;
    await context.embedded({ name: entry.name, bytes: entry.bytes });
    if (!entry.complete) cut = entry.name;
  }
  if (cut !== undefined) {
    throw new CrawlerError('corrupt', `The archive is cut off: it ends inside its entry [${cut}].`);
  }
}
