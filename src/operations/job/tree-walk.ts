import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import { readListing, type FolderListing } from '../../crawler/scan/folder-listing.js';
import type { ScanRules } from '../../crawler/scan/scan-rules.js';
import { isUndecided, type SelectionResult } from '../../crawler/scan/selection.js';
import type { TreeSource } from '../../source/source.js';
import type { Catalog, FolderRecord } from '../../state/catalog.js';

/** The roles of the catalog that only read. */
export type ReadableCatalog = Pick<Catalog, 'facts' | 'records' | 'reports'>;

/** What every inspection of a job shares: the tree, what the catalog knows about it, and the rules. Nothing here writes. */
export interface Inspection {
  readonly rules: ScanRules;
  readonly source: TreeSource;
  /** Undefined before the first run. */
  readonly catalog: ReadableCatalog | undefined;
  readonly signal: AbortSignal;
}

/** A folder of the tree, or one that only the catalog knows. */
export type FolderView =
  | {
      readonly kind: 'listed';
      readonly path: string;
      readonly record: FolderRecord | undefined;
      readonly listing: FolderListing;
      /** Hash of what shapes the documents of its files, besides the files. */
      readonly fingerprint: number;
      /** The catalog saw exactly this listing under these rules: the next scan will pass the folder over. */
      readonly settled: boolean;
    }
  /** It is there and cannot be listed: the catalog keeps what it knows. */
  | {
      readonly kind: 'closed';
      readonly path: string;
      readonly record: FolderRecord | undefined;
      readonly fault: CrawlerError;
    }
  /** Only the catalog knows it: it was removed, or a rule leaves it out now. */
  | { readonly kind: 'gone' | 'left_out'; readonly path: string; readonly record: FolderRecord };

interface Stop {
  readonly path: string;
  readonly record: FolderRecord | undefined;
  readonly state: 'there' | 'gone' | 'left_out' | 'undecided';
  /** What was not decided. */
  readonly rule?: string;
}

/** Listing is synchronous work: whoever else has something to do in this thread gets a turn this often. */
const YIELD_MS = 10;

/**
 * Walks tree and catalog together, depth first, a folder at a time: what is in either of the two is seen once. Only the
 * folders beside the way to the current one are in memory. Folders that are not there and that the catalog has marked gone
 * are not seen; their files are the catalog's `filesOfGoneFolders`.
 *
 * Throws when the root cannot be listed, or the connection is lost.
 */
export async function* walkTree(inspection: Inspection): AsyncGenerator<FolderView> {
  const { rules, source, catalog, signal } = inspection;
  await source.probe(rules.root, signal);
  const stack: Stop[] = [{ path: rules.root, record: catalog?.records.folderByPath(rules.root), state: 'there' }];
  let lastYieldMs = performance.now();
  for (let stop = stack.pop(); stop !== undefined; stop = stack.pop()) {
    throwIfCancelled(signal);
    if (performance.now() - lastYieldMs > YIELD_MS) {
      await yieldToEvents();
      lastYieldMs = performance.now();
    }
    const view = await viewOf(inspection, stop);
    if (view === undefined) continue;
    yield view;
    stack.push(...below(inspection, view));
  }
}

async function viewOf({ rules, source, signal }: Inspection, stop: Stop): Promise<FolderView | undefined> {
  const { path, record } = stop;
  if (stop.state === 'undecided') {
    return { kind: 'closed', path, record, fault: new CrawlerError('timed_out', stop.rule ?? '', { subject: path }) };
  }
  if (stop.state !== 'there') return record === undefined ? undefined : { kind: stop.state, path, record };
  try {
    const listing = await readListing(source, path, rules.selection, signal);
    const fingerprint = rules.fingerprint(listing.metadata);
    const settled = record?.digest === listing.digest.value(rules.listingSeed(fingerprint));
    return { kind: 'listed', path, record, listing, fingerprint, settled };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof CrawlerError) || error.code === 'unavailable' || error.code === 'timed_out') throw error;
    if (error.code === 'not_found') return record === undefined ? undefined : { kind: 'gone', path, record };
    return { kind: 'closed', path, record, fault: error };
  }
}

/** The folders to see next: those of the listing, and those that only the catalog knows. */
function below(inspection: Inspection, view: FolderView): Stop[] {
  // What lies in a folder that cannot be listed is kept as it was.
  if (view.kind === 'closed') return [];
  const known = view.record === undefined ? [] : (inspection.catalog?.records.subfolders(view.record.id) ?? []);
  if (view.kind === 'listed' && !view.listing.ignored) return listedBelow(inspection, view.listing, known);
  const state = view.kind === 'gone' ? 'gone' : 'left_out';
  return known.map((record) => ({ path: record.path, record, state }));
}

function stateOf(result: SelectionResult): Pick<Stop, 'state' | 'rule'> {
  if (result.selected) return { state: 'there' };
  return isUndecided(result) ? { state: 'undecided', rule: result.rule } : { state: 'left_out' };
}

function listedBelow(inspection: Inspection, listing: FolderListing, known: readonly FolderRecord[]): Stop[] {
  const { rules, catalog } = inspection;
  const records = new Map(known.map((record) => [record.path, record]));
  const stops: Stop[] = [];
  for (const entry of listing.entries) {
    if (entry.kind !== 'folder') continue;
    // A folder that was marked gone may be there again.
    const record = records.get(entry.path) ?? catalog?.records.folderByPath(entry.path);
    records.delete(entry.path);
    const result = rules.selection.judge(entry, rules.virtualPath(entry.path));
    stops.push({ path: entry.path, record, ...stateOf(result) });
  }
  for (const record of records.values()) stops.push({ path: record.path, record, state: 'gone' });
  return stops;
}
