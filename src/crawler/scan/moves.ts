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
 * Where a new file came from: a record with the same inode, size, modification and birth time whose old path does not
 * lead to this inode any more. A hard link still does, and a copy has another inode, so both are files of their own.
 * File systems without a real birth time report one that changes with a rename: no match is found and the file is simply
 * indexed again.
 */
export async function findMoved(context: MoveContext, entry: Entry, rules: number): Promise<LocatedFile | undefined> {
  if (!context.knowsTree || !context.rules.movable || !context.source.features.identity) return undefined;
  for (const candidate of context.catalog.records.filesByInode(fingerprintOf(entry))) {
    const { record } = candidate;
    const oldPath = joinPath(candidate.folderPath, record.name);
    // Another extension can mean another format, other rules another document: both need the bytes again.
    if (oldPath === entry.path || record.rules !== rules || extensionOf(record.name) !== extensionOf(entry.name))
      continue;
    if (record.state === 'gone' || !(await leadsTo(context, oldPath, entry.inode))) return candidate;
  }
  return undefined;
}

async function leadsTo(context: MoveContext, path: string, inode: number): Promise<boolean> {
  try {
    return (await context.source.stat(path, context.signal)).inode === inode;
  } catch (error) {
    // Only a clear "not there" makes it a move.
    return !(error instanceof CrawlerError && error.code === 'not_found');
  }
}
