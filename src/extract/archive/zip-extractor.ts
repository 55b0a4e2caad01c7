import { CrawlerError, messageOf } from '../../base/errors.js';
import { openZip, type ZipArchive, type ZipEntry } from '../container/zip.js';
import type { FormatContext, FormatExtractor, FormatInput } from '../format.js';

/**
 * Zip archives: every entry in order. An entry that cannot be read does not keep the others from being read; what went
 * wrong is said at the end.
 */
export const zipExtractor: FormatExtractor = {
  name: 'zip',
  mediaTypes: [
    'application/java-archive',
    'application/vnd.android.package-archive',
    'application/x-itunes-ipa',
    'application/x-tika-java-enterprise-archive',
    'application/x-tika-java-web-archive',
    'application/x-vnd.datapackage+zip',
    'application/x-xliff+zip',
    'application/zip',
  ],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const archive = openZip(input.bytes, {
      countBytes: (count) => context.countBytes(count),
      passwords: context.passwords,
    });
    const faults: CrawlerError[] = [];
    for (const entry of archive.entries) {
      if (context.full) break;
      if (entry.directory) continue;
      const { bytes, fault } = readEntry(archive, entry);
      if (fault !== undefined) faults.push(fault);
      if (bytes !== undefined) await context.embedded({ name: entry.name.replaceAll('\\', '/'), bytes });
    }
    report(archive, faults, context);
  },
};

function readEntry(archive: ZipArchive, entry: ZipEntry): { bytes?: Uint8Array; fault?: CrawlerError } {
  try {
    return { bytes: archive.read(entry) };
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code === 'too_large') throw error;
    return error.code === 'corrupt' ? { bytes: archive.readPartial(entry), fault: error } : { fault: error };
  }
}

/** One sentence for all faults: protection first, because a password can help against it. */
function report(archive: ZipArchive, faults: readonly CrawlerError[], context: FormatContext): void {
  const worst = faults.find(({ code }) => code === 'encrypted') ?? faults[0];
  if (worst !== undefined) {
    const others = faults.length > 1 ? ` (and ${faults.length - 1} more of its entries are unreadable)` : '';
    if (worst.code === 'unsupported') context.warn(messageOf(worst) + others);
    else throw new CrawlerError(worst.code, messageOf(worst) + others, { cause: worst });
  }
  if (archive.recovered) {
    throw new CrawlerError('corrupt', 'The archive is damaged or cut off: its list of entries is missing.');
  }
}
