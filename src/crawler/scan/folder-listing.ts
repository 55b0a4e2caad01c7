import { CrawlerError } from '../../base/errors.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { Entry } from '../../model/entry.js';
import type { TreeSource } from '../../source/source.js';
import { isIgnoreMarker } from './folder-marks.js';
import { ListingDigest } from './listing-digest.js';
import type { Selection } from './selection.js';

/** One complete listing of a folder. */
export interface FolderListing {
  readonly entries: readonly Entry[];
  readonly digest: ListingDigest;
  /** It holds a .crawlerignore: nothing in it counts. */
  readonly ignored: boolean;
  readonly metadata: MetadataFile | undefined;
}

const MAX_METADATA_BYTES = 1024 * 1024;

/** Lists a folder and reads its metadata file. Throws when the listing is not complete. */
export async function readListing(
  source: TreeSource,
  folder: string,
  selection: Selection,
  signal: AbortSignal,
): Promise<FolderListing> {
  const entries: Entry[] = [];
  const digest = new ListingDigest();
  let ignored = false;
  let metadataEntry: Entry | undefined;
  for await (const batch of source.list(folder, signal)) {
    for (const entry of batch) {
      entries.push(entry);
      digest.add(entry);
      if (isIgnoreMarker(entry.name)) ignored = true;
      if (entry.kind === 'file' && selection.isMetadataFile(entry.name)) metadataEntry = entry;
    }
  }
  const metadata = metadataEntry === undefined ? undefined : await readMetadata(source, metadataEntry, signal);
  return { entries, digest, ignored, metadata };
}

export async function readMetadata(source: TreeSource, entry: Entry, signal: AbortSignal): Promise<MetadataFile> {
  if (entry.size > MAX_METADATA_BYTES) {
    throw new CrawlerError('too_large', `[${entry.path}] is too large for a metadata file.`, { subject: entry.path });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of await source.read(entry, signal)) chunks.push(chunk as Buffer);
  return { name: entry.name, text: Buffer.concat(chunks).toString('utf8') };
}
