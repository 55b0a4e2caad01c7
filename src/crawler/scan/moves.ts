import { CrawlerError } from '../../base/errors.js';
import { extensionOf, joinPath } from '../../base/path.js';
import type { Entry } from '../../model/entry.js';
import type { Catalog, LocatedFile } from '../../state/catalog.js';
import { fingerprintOf } from './reconcile.js';
import type { ScanContext } from './scan-context.js';

type MoveContext = Pick<ScanContext, 'knowsTree' | 'rules' | 'source' | 'signal'> & {
  readonly catalog: Pick<Catalog, 'records'>;
};

/**
 * Where a new file may have come from: records with the same inode, size, modification and birth time. It was moved if the old
 * path leads nowhere any more. A hard link still leads to the file, and a copy has another inode, so both are files of their
 * own. Where another file lies at the old path by now (a log that was rotated), the old id belongs to that one: the new file
 * is read. File systems without a real birth time report one that changes with a rename: no match is found and the file is
 * simply indexed again.
 */
export function moveCandidates(context: MoveContext, entry: Entry, rules: number): readonly LocatedFile[] {
  if (!context.knowsTree || !context.rules.movable || !context.source.features.identity) return [];
  return context.catalog.records.filesByInode(fingerprintOf(entry)).filter(({ folderPath, record }) => {
    // Another extension can mean another format, other rules another document: both need the bytes again.
    const isAlike = record.rules === rules && extensionOf(record.name) === extensionOf(entry.name);
    return isAlike && joinPath(folderPath, record.name) !== entry.path;
  });
}

/** Only a clear "not there" makes it a move. */
export async function leadsNowhere(
  { source, signal }: Pick<MoveContext, 'source' | 'signal'>,
  { folderPath, record }: LocatedFile,
): Promise<boolean> {
  try {
    await source.stat(joinPath(folderPath, record.name), signal);
    return false;
  } catch (error) {
    return error instanceof CrawlerError && error.code === 'not_found';
  }
}
