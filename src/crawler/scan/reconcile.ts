import { ANOTHER_DISK, type Entry } from '../../model/entry.js';
import type { Reason } from '../../model/reason.js';
import type { FileRecord, Fingerprint } from '../../state/catalog.js';
import { isUndecided, type SelectionResult } from './selection.js';

/**
 * What to do about one file: the listing against the catalog. Pure; clocks are never compared with file times.
 */
export type Decision =
  | { readonly kind: 'same' }
  | { readonly kind: 'index' }
  /** The document is in the index: the record was rebuilt from it and fits the file, or the file was gone and is back. */
  | { readonly kind: 'adopt' }
  /** `remove`: a document of it is in the index and has to go. */
  | { readonly kind: 'leave_out'; readonly reason: Reason; readonly rule: string; readonly remove: boolean };

/** Rules value of a record that was rebuilt from the index: size and date are known, everything else is not. */
export const ADOPTED = -1;

export function decide(
  entry: Entry,
  result: SelectionResult,
  record: FileRecord | undefined,
  rules: number,
  nowMs: number,
): Decision {
  if (staysAsItIs(entry, result, record)) return { kind: 'same' };
  if (!result.selected) return leaveOut(result.reason, result.rule, record);
  if (record === undefined) return { kind: 'index' };
  if (record.rules === ADOPTED) return fits(entry, record) ? { kind: 'adopt' } : { kind: 'index' };
  const unchanged = record.rules === rules && sameFingerprint(fingerprintOf(entry), record);
  if (unchanged && record.state === 'gone') return { kind: 'adopt' };
  return unchanged && isSettled(record, nowMs) ? { kind: 'same' } : { kind: 'index' };
}

/** Nobody can say at the moment whether the document still belongs into the index. */
function staysAsItIs(entry: Entry, result: SelectionResult, record: FileRecord | undefined): boolean {
  return (isUndecided(result) && record !== undefined) || hiddenTarget(entry, record) !== undefined;
}

/** True of a followed link that had a document, and leads to nothing now. */
export function hasLostTarget(entry: Entry, record: FileRecord | undefined): boolean {
  return entry.kind === 'dangling' && mayHaveDocument(record) && hiddenTarget(entry, record) === undefined;
}

/**
 * Why the target of a followed link cannot be seen at the moment, although nothing says that it is gone: its document stays.
 * Undefined where that is not so, or nothing is known of the file.
 */
export function hiddenTarget({ kind, path }: Entry, record: FileRecord | undefined): string | undefined {
  if (!mayHaveDocument(record)) return undefined;
  if (kind === 'unreachable') return `[${path}] is a link to what cannot be read.`;
  const isUnmounted = kind === 'dangling' && record.version === ANOTHER_DISK;
  return isUnmounted ? `[${path}] is a link to another disk, which seems not to be mounted.` : undefined;
}

/** Whether the record of a file that did not change needs no further attempt. */
function isSettled(record: FileRecord, nowMs: number): boolean {
  switch (record.state) {
    case 'indexed':
      return true;
    case 'skipped':
      // Only what the text decided stays decided; a rule that left it out before now lets it in.
      return record.reason === 'filtered';
    case 'failed':
      return nowMs < record.retryMs;
    case 'gone':
    case 'sent':
      return false;
  }
}

export function fingerprintOf(entry: Entry): Fingerprint {
  return {
    size: entry.size,
    modifiedMs: entry.modifiedMs ?? 0,
    changedMs: entry.changedMs ?? 0,
    createdMs: entry.createdMs ?? 0,
    inode: entry.inode,
    version: entry.version ?? '',
  };
}

export function mayHaveDocument(record: FileRecord | undefined): record is FileRecord {
  return record !== undefined && record.state !== 'skipped';
}

function leaveOut(reason: Reason, rule: string, record: FileRecord | undefined): Decision {
  const known = record?.state === 'skipped' && record.reason === reason;
  if (known) return { kind: 'same' };
  return { kind: 'leave_out', reason, rule, remove: mayHaveDocument(record) };
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return (
    a.size === b.size &&
    a.modifiedMs === b.modifiedMs &&
    a.changedMs === b.changedMs &&
    a.inode === b.inode &&
    a.version === b.version
  );
}

/** Indexed dates have milliseconds; the file system has more. */
function fits(entry: Entry, record: FileRecord): boolean {
  return entry.size === record.size && Math.trunc(entry.modifiedMs ?? 0) === Math.trunc(record.modifiedMs);
}

/**
 * The record of a file that the listing does not hold any more. Only one that was indexed may come back as it was: of any
 * other nobody knows whether there is a document.
 */
export function goneRecord(record: FileRecord): FileRecord {
  return { ...record, state: 'gone', rules: record.state === 'indexed' ? record.rules : 0 };
}
