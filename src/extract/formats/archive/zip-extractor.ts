import { CrawlerError } from '../../../base/errors.js';
import { openZip, type ZipArchive } from '../../containers/zip/zip.js';
import type { ZipEntry } from '../../containers/zip/zip-record.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { ENDS_DOCUMENT, EntryFaults } from '../../containers/archive/entry-faults.js';

/**
 * Zip archives: every entry in order. An entry that cannot be read does not keep the others from being read; what went
 * wrong is said at the end.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const archive = openZip(input.bytes, {
    countBytes: (count) => context.countBytes(count),
    passwords: context.passwords,
  });
  const faults = new EntryFaults();
  for (const entry of archive.entries) {
    if (context.full) break;
    if (entry.directory) continue;
    const { bytes, fault } = readEntry(archive, entry);
    if (fault !== undefined) faults.add(fault);
    if (bytes !== undefined) await context.embedded({ name: entry.name.replaceAll('\\', '/'), bytes });
  }
  faults.report();
  if (archive.recovered) {
    throw new CrawlerError('corrupt', 'The archive is damaged or cut off: its list of entries is missing.');
  }
}

function readEntry(archive: ZipArchive, entry: ZipEntry): { bytes?: Uint8Array; fault?: CrawlerError } {
  try {
    return { bytes: archive.read(entry) };
  } catch (error) {
    if (!(error instanceof CrawlerError) || ENDS_DOCUMENT.has(error.code)) throw error;
    return error.code === 'corrupt' ? { bytes: archive.readPartial(entry), fault: error } : { fault: error };
  }
}
