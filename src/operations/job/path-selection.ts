import { CrawlerError } from '../../base/errors.js';
import { baseName, isWithin, joinPath, parentPath } from '../../base/path.js';
import { IGNORE_MARKERS, isIgnoreMarker } from '../../crawler/scan/folder-marks.js';
import type { Entry } from '../../model/entry.js';
import type { Reason } from '../../model/reason.js';
import type { TreeSource } from '../../source/source.js';
import type { Inspection } from './tree-walk.js';

/** What tree and rules say about one path, from the root down. `at` is the folder (or the path itself) that decided. */
export type PathSelection =
  | { readonly kind: 'selected'; readonly entry: Entry }
  | {
      readonly kind: 'left_out';
      readonly at: string;
      readonly reason: Reason;
      /** The rule that decided, as it is written, or the marker file. */
      readonly rule: string;
      readonly entry: Entry | undefined;
    }
  /** There is nothing at `at`. */
  | { readonly kind: 'absent'; readonly at: string }
  | { readonly kind: 'unreadable'; readonly at: string; readonly message: string }
  | { readonly kind: 'outside' };

/** Judges a path as a scan would, without walking the tree: only the folders on the way to it are looked at. */
export async function selectPath(inspection: Inspection, path: string): Promise<PathSelection> {
  const { rules } = inspection;
  if (!isWithin(rules.root, path)) return { kind: 'outside' };
  const way = wayTo(rules.root, path);
  for (const [at, place] of way.entries()) {
    const isLast = at === way.length - 1;
    const result = await selectStep(inspection, place, isLast);
    if (result.kind !== 'selected' || isLast) return result;
  }
  return { kind: 'outside' };
}

/** The root, the folders below it, and the path itself. */
function wayTo(root: string, path: string): string[] {
  const way = [path];
  for (let above = path; above !== root;) {
    const next = parentPath(above);
    if (next === undefined) break;
    above = next;
    way.unshift(above);
  }
  return way;
}

async function selectStep(inspection: Inspection, place: string, isLast: boolean): Promise<PathSelection> {
  const { rules } = inspection;
  let entry: Entry | undefined;
  try {
    entry = await entryAt(inspection, place);
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'denied') throw error;
    return { kind: 'unreadable', at: place, message: error.message };
  }
  if (entry === undefined) return { kind: 'absent', at: place };
  if (place !== rules.root) {
    const result = rules.selection.judge(entry, rules.virtualPath(place));
    if (!result.selected) {
      return {
        kind: 'left_out',
        at: place,
        reason: result.reason,
        rule: result.rule,
        entry: isLast ? entry : undefined,
      };
    }
  }
  if (entry.kind !== 'folder') return isLast ? { kind: 'selected', entry } : { kind: 'absent', at: place };
  const marker = await markerIn(inspection, place);
  if (marker === undefined) return { kind: 'selected', entry };
  return { kind: 'left_out', at: place, reason: 'ignored_folder', rule: marker, entry: isLast ? entry : undefined };
}

/**
 * The entry as a listing shows it. `stat` follows links, a listing need not: unless the catalog confirms what `stat` says,
 * the folder above is listed up to the entry.
 */
async function entryAt(inspection: Inspection, path: string): Promise<Entry | undefined> {
  const { rules, source, signal } = inspection;
  const found = await statOf(source, path, signal);
  if (path === rules.root || !source.features.identity || isConfirmed(inspection, path, found)) return found;
  try {
    for await (const batch of source.list(parentPath(path) ?? '', signal)) {
      const listed = batch.find((entry) => entry.path === path);
      if (listed !== undefined) return listed;
    }
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
  }
  return undefined;
}

/** What a listing has shown of the path was this folder or this file. */
function isConfirmed({ catalog }: Inspection, path: string, found: Entry | undefined): boolean {
  if (found === undefined || catalog === undefined) return false;
  if (found.kind === 'folder') return catalog.records.folderByPath(path) !== undefined;
  return catalog.records.fileByPath(parentPath(path) ?? '', baseName(path))?.inode === found.inode;
}

async function statOf(source: TreeSource, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  try {
    return await source.stat(path, signal);
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The path of the marker file that takes the folder out. */
async function markerIn(inspection: Inspection, folder: string): Promise<string | undefined> {
  const { source, catalog, signal } = inspection;
  for (const name of IGNORE_MARKERS) {
    const path = joinPath(folder, name);
    if ((await statOf(source, path, signal)) !== undefined) return path;
  }
  if (catalog?.records.folderByPath(folder)?.reason !== 'ignored_folder') return undefined;
  // In another case of letters.
  for await (const batch of source.list(folder, signal)) {
    const marker = batch.find(({ name }) => isIgnoreMarker(name));
    if (marker !== undefined) return marker.path;
  }
  return undefined;
}
