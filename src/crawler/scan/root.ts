import { CrawlerError } from '../../base/errors.js';
import { isWithin } from '../../base/path.js';
import type { TreeSource } from '../../source/source.js';
import type { Catalog } from '../../state/catalog.js';
import type { ScanContext } from './scan-context.js';

/** Root of the last scan. */
const ROOT = 'scan.root';

interface RootCheck {
  readonly catalog: Pick<Catalog, 'records'>;
  readonly rules: { readonly root: string };
  readonly source: Pick<TreeSource, 'probe'>;
}

/** A root that is missing, or whose disk is not mounted, removes nothing. Returns its device. */
export async function checkRoot({ catalog, rules, source }: RootCheck, signal: AbortSignal): Promise<number> {
  const probe = await source.probe(rules.root, signal);
  const known = catalog.records.folderByPath(rules.root);
  const isKnown = known === undefined || known.device === 0 || probe.device === known.device;
  if (isKnown || probe.entries > 0) return probe.device;
  throw new CrawlerError(
    'not_found',
    `[${rules.root}] is empty and on another device than last time: its disk seems not to be mounted. Nothing is removed from the index.`,
    { subject: rules.root },
  );
}

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

/** Roots of earlier scans whose documents have not been let go yet. Folders below the root are gone like any other. */
export function formerRoots({ deletions }: Pick<Catalog, 'deletions'>, root: string): readonly string[] {
  return deletions.goneRoots().filter((path) => !isWithin(root, path));
}
