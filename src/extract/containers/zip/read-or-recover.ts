import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { ZipEntry } from './zip-record.js';
import type { ZipArchive } from './zip.js';

/**
 * An entry's content, or what can be read of it when it is damaged, which costs a warning. Undefined when there is no such
 * entry, or nothing of it is readable. Throws what is wrong with more than this entry (`encrypted`, `too_large`).
 */
export function readOrRecover(
  zip: ZipArchive,
  entry: ZipEntry | undefined,
  warn: (message: string) => void,
): Uint8Array | undefined {
  if (entry === undefined) return undefined;
  try {
    return zip.read(entry);
  } catch (error) {
    if (!(error instanceof CrawlerError) || (error.code !== 'corrupt' && error.code !== 'unsupported')) throw error;
    warn(messageOf(error));
    const partial = zip.readPartial(entry);
    return partial.length > 0 ? partial : undefined;
  }
}
