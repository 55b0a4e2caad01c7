import { crawlerCommand } from '../../settings/crawler-command.js';
import type { DeleteGuard } from '../../settings/setting-types.js';
import type { Catalog, GoneCounts } from '../../state/catalog.js';
import { formerRoots } from './root.js';
import type { ScanContext } from './scan-context.js';
import type { ScanRules } from './scan-rules.js';

/**
 * Holds deletions back that look like an accident: a disk that is not mounted, a folder emptied by mistake. What is gone
 * then stays `gone` in the catalog, with its documents in the index, until a scan finds it again or a person approves.
 *
 * The catalog keeps two facts for it: the device of the root when deletions were last let through, and what is held.
 */
export interface HeldDeletions {
  readonly documents: number;
  readonly folders: number;
  readonly sinceMs: number;
  /** Why, and what to do. */
  readonly message: string;
}

const HELD = 'deletions.held';
const DEVICE = 'root.device';
/** Tells what is held from what the running scan has found gone since (`GoneCounts.digest`). */
const HELD_DIGEST = 'deletions.held_digest';

/** A share means little on a small tree. */
const LEAST = 1000;
/** On another device than last time, half of the documents is too many in any case. */
const HALF = 50;

/** Device of the root when deletions were last let through; undefined before. */
export function lastRootDevice(catalog: Pick<Catalog, 'facts'>): number | undefined {
  const device = catalog.facts.fact(DEVICE);
  return device === undefined ? undefined : Number(device);
}

/** Returns whether what is gone has to stay in the index, and writes that down. */
export function holdsDeletions(context: ScanContext): boolean {
  const { catalog, rules, rootDevice } = context;
  const gone = catalog.deletions.goneCounts();
  const known = catalog.facts.fact(DEVICE);
  const moved = known !== undefined && rootDevice !== 0 && known !== String(rootDevice);
  const roots = rules.deleteGuard.kind === 'off' ? [] : formerRoots(catalog, rules.root);
  const limit = gone.files === 0 || roots.length > 0 ? 0 : limitOf(rules.deleteGuard, moved, catalog);
  if (gone.files <= limit) {
    if (heldDeletions(catalog) !== undefined) catalog.facts.setFact(HELD, undefined);
    if (known !== String(rootDevice)) catalog.facts.setFact(DEVICE, String(rootDevice));
    return false;
  }
  const message =
    roots.length > 0 ? sentenceOfRoots(rules, gone.files, roots) : sentence(rules, gone.files, limit, moved);
  hold(context, gone, message);
  return true;
}

function hold({ catalog, clock, kind, port }: ScanContext, gone: GoneCounts, message: string): void {
  const last = heldDeletions(catalog);
  const sinceMs = last?.sinceMs ?? clock.now();
  const held: HeldDeletions = { documents: gone.files, folders: gone.folders, sinceMs, message };
  catalog.facts.setFact(HELD, JSON.stringify(held));
  catalog.facts.setFact(HELD_DIGEST, gone.digest);
  if (kind === 'scan' || last?.documents !== held.documents) port.log('warn', message);
}

function sentence({ job, root }: ScanRules, documents: number, limit: number, moved: boolean): string {
  const where = moved ? ` [${root}] is on another device than last time.` : '';
  return `${documents} documents of job [${job}] are gone, more than the ${limit} that fs.delete_guard lets through: they stay in the index.${where} If a disk is not mounted, mount it, and the next scan finds them again. If they are really gone: ${approval(job)}.`;
}

function sentenceOfRoots({ job, root }: ScanRules, documents: number, roots: readonly string[]): string {
  const before = roots.map((each) => `[${each}]`).join(', ');
  return `${documents} documents of job [${job}] are not below [${root}] (fs.url), but come from ${before}, where it crawled before: they stay in the index. If fs.url is wrong, correct it, and the next scan finds them again. If they are really to go: ${approval(job)}.`;
}

function approval(job: string): string {
  return `[${crawlerCommand({ command: 'approve', operands: [job] })}], or POST /_crawler/approve`;
}

export function heldDeletions(catalog: Pick<Catalog, 'facts'>): HeldDeletions | undefined {
  const text = catalog.facts.fact(HELD);
  return text === undefined ? undefined : (JSON.parse(text) as HeldDeletions);
}

/** Rows that are released in one transaction: nobody who writes to the catalog waits long. */
const PAGE = 5000;

export type Approval =
  | { readonly kind: 'approved'; readonly held: HeldDeletions }
  /** Nothing was let through, since this is held now. */
  | { readonly kind: 'changed'; readonly held: HeldDeletions | undefined }
  /** Nothing was let through: a scan that has not ended has found other files gone, or some of them again. */
  | { readonly kind: 'scanning'; readonly held: HeldDeletions }
  | { readonly kind: 'nothing_held' };

/**
 * Lets exactly what is held at this moment through: the next run removes it.
 * @param expected documents that the person has seen; when others are held by now, nothing is let through
 */
export function approveDeletions(catalog: Pick<Catalog, 'facts' | 'deletions'>, expected?: number): Approval {
  const held = heldDeletions(catalog);
  if (expected !== undefined && held?.documents !== expected) return { kind: 'changed', held };
  if (held === undefined) return { kind: 'nothing_held' };
  const gone = catalog.deletions.goneCounts();
  const digest = catalog.facts.fact(HELD_DIGEST) ?? gone.digest;
  if (gone.files !== held.documents || gone.digest !== digest) return { kind: 'scanning', held };
  releaseAll(catalog);
  catalog.facts.setFact(HELD, undefined);
  catalog.facts.setFact(DEVICE, undefined);
  return { kind: 'approved', held };
}

export function releaseAll(catalog: Pick<Catalog, 'deletions'>): void {
  while (catalog.deletions.releaseGone(PAGE) > 0);
}

/** The number of documents that one scan may remove. */
function limitOf(guard: DeleteGuard, moved: boolean, catalog: Pick<Catalog, 'reports'>): number {
  switch (guard.kind) {
    case 'off':
      return Infinity;
    case 'documents':
      return moved ? Math.min(guard.documents, shareOf(catalog, HALF)) : guard.documents;
    case 'percent':
      return moved ? shareOf(catalog, guard.percent) : Math.max(LEAST, shareOf(catalog, guard.percent));
  }
}

function shareOf(catalog: Pick<Catalog, 'reports'>, percent: number): number {
  const { states } = catalog.reports.totals();
  return Math.floor((((states.indexed ?? 0) + (states.gone ?? 0)) * percent) / 100);
}
