import type { TreeSource } from '../../source/source.js';
import { isIgnoreMarker, isMetadataFile } from '../scan/folder-marks.js';
import { ListingDigest } from '../scan/listing-digest.js';
import type { ListingSummary } from '../scan/shared-listing.js';

/** What the listings of a job have in common. */
export interface ListingRules {
  /** Of the digest of a folder that has no metadata file (ScanRules.listingSeed). */
  readonly seed: string;
  /** `tags.meta_filename` */
  readonly metaFilename: string;
}

/** Lists a folder. Undefined where more than its listing decides. Throws when the listing is not complete. */
export async function summarise(
  source: TreeSource,
  folder: string,
  { seed, metaFilename }: ListingRules,
  signal: AbortSignal,
): Promise<ListingSummary | undefined> {
  const digest = new ListingDigest();
  let entries = 0;
  let holdsFolders = false;
  for await (const batch of source.list(folder, signal)) {
    entries += batch.length;
    for (const entry of batch) {
      if (isIgnoreMarker(entry.name) || isMetadataFile(entry.name, metaFilename)) return undefined;
      if (entry.kind === 'folder') holdsFolders = true;
      digest.add(entry);
    }
  }
  return { digest: digest.value(seed), entries, holdsFolders };
}
