import { KindCounts, type KindCount } from '../../crawler/scan/kind-counts.js';
import { decide } from '../../crawler/scan/reconcile.js';
import type { Entry } from '../../model/entry.js';
import type { FileRecord } from '../../state/catalog.js';
import { walkTree, type FolderView, type Inspection } from '../job/tree-walk.js';

/** What a run has to do, and what listing the tree costs. */
export interface RunWork {
  /** Files that the run has settled already, or has still to settle. */
  readonly files: readonly KindCount[];
  /** Files and folders that a scan sees. */
  readonly entries: number;
  readonly walkMs: number;
}

/**
 * Counts the work of a run beside the scan itself, under the same rules. A file counts once, whenever its folder is looked at:
 * before the scan has come to it because it has to be indexed, and afterwards because its record is younger than the run.
 * @param sinceMs when the run began, epoch milliseconds
 */
export async function countRunWork(inspection: Inspection, sinceMs: number, nowMs: number): Promise<RunWork> {
  const started = performance.now();
  const counts = new KindCounts();
  let entries = 0;
  for await (const view of walkTree(inspection)) {
    if (view.kind !== 'listed' || view.listing.ignored) continue;
    entries += view.listing.entries.length;
    const records = recordsOf(inspection, view);
    for (const entry of view.listing.entries) {
      if (isWork(inspection, view, entry, { record: records.get(entry.name), sinceMs, nowMs })) counts.add(entry);
    }
  }
  return { files: counts.list, entries, walkMs: performance.now() - started };
}

type Listed = FolderView & { readonly kind: 'listed' };

function recordsOf({ catalog }: Inspection, { record }: Listed): ReadonlyMap<string, FileRecord> {
  if (catalog === undefined || record === undefined) return new Map();
  return new Map(catalog.records.files(record.id).map((each) => [each.name, each]));
}

interface Known {
  readonly record: FileRecord | undefined;
  readonly sinceMs: number;
  readonly nowMs: number;
}

function isWork({ rules }: Inspection, view: Listed, entry: Entry, { record, sinceMs, nowMs }: Known): boolean {
  if (entry.kind === 'folder') return false;
  const result = rules.selection.judge(entry, rules.virtualPath(entry.path));
  if (!result.selected) return false;
  if (record !== undefined && record.state !== 'sent' && record.atMs >= sinceMs) return true;
  const { kind } = decide(entry, result, record, view.fingerprint, nowMs);
  return kind === 'index' || kind === 'adopt';
}
