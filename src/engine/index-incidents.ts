import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../base/errors.js';

/**
 * What has happened to the embedded index of a job: it was damaged, or gone, and what became of its documents. Kept in a file
 * of the job's folder until a person has acknowledged it, so that no loss passes without a word.
 */
export interface IndexIncident {
  /** ISO instant. */
  readonly at: string;
  /** Tells this one from others: the identity of the index that followed. */
  readonly identity: string;
  /** A sentence or more for people. */
  readonly message: string;
  /** Where the damaged file is kept. */
  readonly kept: string | null;
  /** How many documents there were before; null when nothing tells. */
  readonly documents: number | null;
  readonly recovered: number;
  /** Documents without a file of the tree behind them (uploads) that were not recovered. */
  readonly lost: number;
  /** Some of those, by name. */
  readonly lost_documents: readonly LostDocument[];
}

export interface LostDocument {
  readonly id: string;
  readonly filename: string | null;
}

const FILE = 'index-incidents.json';

/** Those that nobody has acknowledged, the oldest first. A file that cannot be read is one of its own. */
export function readIncidents(jobDirectory: string): readonly IndexIncident[] {
  const path = join(jobDirectory, FILE);
  try {
    const { incidents } = JSON.parse(readFileSync(path, 'utf8')) as { incidents: readonly IndexIncident[] };
    return incidents.filter(({ message }) => typeof message === 'string');
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? [] : [unreadable(path, error)];
  }
}

/** Once, however often it is called for the same incident. */
export function addIncident(jobDirectory: string, incident: IndexIncident): void {
  const known = readIncidents(jobDirectory);
  if (known.some(({ identity }) => identity === incident.identity)) return;
  const path = join(jobDirectory, FILE);
  const text = JSON.stringify({ incidents: [...known, incident] }, undefined, 2);
  writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Returns what was acknowledged. */
export function acknowledgeIncidents(jobDirectory: string): readonly IndexIncident[] {
  const known = readIncidents(jobDirectory);
  rmSync(join(jobDirectory, FILE), { force: true });
  return known;
}

function unreadable(path: string, error: unknown): IndexIncident {
  const message = `[${path}] cannot be read (${messageOf(error)}). It says what the index had lost.`;
  const nothing = { kept: null, documents: null, recovered: 0, lost: 0, lost_documents: [] };
  return { at: new Date().toISOString(), identity: '', message, ...nothing };
}
