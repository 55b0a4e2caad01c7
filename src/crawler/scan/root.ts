import { isWithin } from '../../base/path.js';
import type { Catalog } from '../../state/catalog.js';
import type { ScanContext } from './scan-context.js';

/** Root of the last scan. */
const ROOT = 'scan.root';

/**
 * Before a scan of the whole tree: what lies below the present root and below that of the last scan is indexed again, since its
 * documents say where they are below the former one (`path.virtual`).
 */
export function noteRoot({ facts }: Pick<Catalog, 'facts'>, root: string): void {
  const before = facts.fact(ROOT);
  if (before === root) return;
  if (before !== undefined && (isWithin(before, root) || isWithin(root, before))) facts.forgetRules();
  facts.setFact(ROOT, root);
}

/**
 * After the walk: what the catalog knows of other roots is gone from the tree. Nobody says whether the setting or the documents
 * are meant, so that it waits for approval (delete-guard.ts).
 */
export function markOtherRootsGone({ kind, catalog, rules }: ScanContext): void {
  if (kind !== 'scan') return;
  for (const { id } of catalog.deletions.otherRoots(rules.root)) catalog.deletions.markFolderGone(id);
}
