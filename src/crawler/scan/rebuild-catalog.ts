import { throwIfCancelled } from '../../base/errors.js';
import { baseName, isWithin, parentPath } from '../../base/path.js';
import type { Catalog, FileRecord } from '../../state/catalog.js';
import { ADOPTED } from './reconcile.js';
import type { IndexedFile, ScanPort } from './scan-port.js';
import type { ScanRules } from './scan-rules.js';

type WritableRecords = Pick<Catalog, 'frontier' | 'records' | 'batch'>;

/**
 * A lost catalog (new machine, damaged file) is made again from what the index says about its documents: path, size and
 * date. The next listing completes what fits and indexes only what does not; what is in the index but not in the tree any
 * more is removed as ever. Returns the number of documents found.
 * Broken off, it begins anew with the next scan.
 */
export async function rebuildCatalog(
  catalog: WritableRecords,
  port: ScanPort,
  rules: ScanRules,
  signal: AbortSignal,
): Promise<number> {
  let found = 0;
  for (let page = await port.indexPage('first'); page !== undefined; page = await port.indexPage('next')) {
    throwIfCancelled(signal);
    const places = page.filter((place) => isOurs(place, rules));
    found += places.length;
    catalog.batch(() => {
      for (const place of places) adopt(catalog, place, rules.root);
    });
  }
  if (found > 0) port.log('info', `The catalog was rebuilt from ${found} documents of the index.`);
  return found;
}

/** Uploads and the documents of other roots live in the same index. */
function isOurs(place: IndexedFile, rules: ScanRules): boolean {
  const folder = parentPath(place.real);
  return (
    folder !== undefined && isWithin(rules.root, folder) && place.id === rules.documentId(folder, baseName(place.real))
  );
}

function adopt(catalog: WritableRecords, place: IndexedFile, root: string): void {
  const folderId = ensureFolder(catalog, parentPath(place.real) ?? root, root);
  const record: FileRecord = {
    folderId,
    name: baseName(place.real),
    size: place.size ?? -1,
    modifiedMs: place.modifiedMs ?? 0,
    changedMs: 0,
    createdMs: 0,
    inode: 0,
    version: '',
    state: 'indexed',
    reason: undefined,
    message: undefined,
    rules: ADOPTED,
    tries: 0,
    atMs: 0,
    retryMs: 0,
  };
  catalog.records.saveFiles([record]);
}

/** The folder's record, with all folders above it up to the root. */
function ensureFolder(catalog: WritableRecords, path: string, root: string): number {
  const known = catalog.records.folderByPath(path);
  if (known !== undefined) return known.id;
  const above = path === root ? undefined : parentPath(path);
  const parentId = above === undefined ? 0 : ensureFolder(catalog, above, root);
  return catalog.frontier.addSubfolders(parentId, [path])[0]?.id ?? 0;
}
