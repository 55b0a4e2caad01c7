import type { FormatContext, FormatInput } from '../../format.js';
import { readOrRecover } from './read-or-recover.js';
import { openZip, type ZipArchive } from './zip.js';

/** The zip that a document is. */
export interface DocumentZip {
  readonly zip: ZipArchive;
  /** What can be read of an entry, by its name; damage costs the document a warning. */
  readonly read: (name: string) => Uint8Array | undefined;
}

/** What is unpacked counts for the document, and its passwords open it. */
export function openDocumentZip(input: FormatInput, context: FormatContext): DocumentZip {
  const zip = openZip(input.bytes, {
    countBytes: (count) => context.countBytes(count),
    passwords: context.passwords,
  });
  return { zip, read: (name) => readOrRecover(zip, zip.find(name), (message) => context.warn(message)) };
}
