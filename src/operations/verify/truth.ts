import { grouped } from '../../base/grouped.js';
import { total } from './findings.js';
import type { VerifyRecord } from './verify-record.js';

/**
 * Whether the index can be taken for the tree at this moment.
 *
 *   equal    the last comparison found no difference, and nothing has changed since
 *   pending  a comparison or a scan is under way, or something has changed or waits since the last comparison
 *   differs  the last comparison found differences
 *   unknown  nothing was ever compared
 */
export type TruthState = 'equal' | 'pending' | 'differs' | 'unknown';

export interface Truth {
  readonly state: TruthState;
  /** For a person. */
  readonly sentence: string;
}

export interface TruthFacts {
  /** The last comparison that came to its end. */
  readonly last: VerifyRecord | undefined;
  readonly checking: boolean;
  readonly scanning: boolean;
  /** Documents that wait for approval to be removed. */
  readonly held: number;
  /** Losses of the index that nobody has acknowledged. */
  readonly incidents: number;
  /** The catalog holds other documents than at that comparison, or later ones. */
  readonly changedSince: boolean;
  /** Repairs differences. */
  readonly repairCommand: string;
}

/** Equal only after a comparison that came to its end, and only while nothing speaks against it. */
export function truthOf(facts: TruthFacts): Truth {
  const { last, checking, repairCommand } = facts;
  if (checking) return { state: 'pending', sentence: 'Tree, catalog and index are being compared.' };
  if (last === undefined) return { state: 'unknown', sentence: 'Tree and index were never compared.' };
  const differences = total(last.verification.differences);
  if (!last.equal) {
    const found = counted(differences, 'difference was', 'differences were');
    return { state: 'differs', sentence: `${found} found. [${repairCommand}] repairs what differs.` };
  }
  const doubt = doubtOf(facts, last);
  if (doubt !== undefined) return { state: 'pending', sentence: doubt };
  return {
    state: 'equal',
    sentence: `No difference between tree, catalog and index: ${counted(last.verification.counts.selected, 'file', 'files')}.`,
  };
}

function doubtOf({ scanning, held, incidents, changedSince }: TruthFacts, last: VerifyRecord): string | undefined {
  const { pending, closedFolders } = last.verification;
  if (incidents > 0) return 'The index has lost documents, and nobody has acknowledged it.';
  if (held > 0) return `${counted(held, 'deletion waits', 'deletions wait')} for approval.`;
  if (scanning) return 'A scan is running.';
  if (changedSince) return 'The index was equal when it was compared. Scans have changed it since.';
  const waiting = total(pending);
  if (waiting > 0) return `No difference was found; ${counted(waiting, 'file waits', 'files wait')} for the next scan.`;
  if (closedFolders.length === 0) return undefined;
  const closed = counted(closedFolders.length, 'folder', 'folders');
  return `No difference was found, but ${closed} could not be listed and were not compared.`;
}

function counted(count: number, one: string, other: string): string {
  return `${grouped(count)} ${count === 1 ? one : other}`;
}
