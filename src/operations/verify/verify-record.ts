import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../base/errors.js';
import { total, type Finding, type Verification } from './findings.js';

/** The result of the last comparison that came to its end, as it stands in `_verify.json` of the job's folder. */
export interface VerifyRecord {
  /** ISO instant at which it began: what has changed since is not part of it. */
  readonly at: string;
  readonly took_ms: number;
  /** No difference was found. */
  readonly equal: boolean;
  readonly verification: Omit<Verification, 'deep'>;
  /** The first differences, 200 at most. */
  readonly findings: readonly Omit<Finding, 'place' | 'overlooked' | 'pending'>[];
}

/** Differences, and folders that could not be listed, that are named. */
const MOST_NAMED = 200;

/** Gathers the findings of one comparison. */
export class VerifyRecorder {
  readonly #startedMs: number;
  readonly #findings: VerifyRecord['findings'][number][] = [];

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  add({ kind, path, what, pending, id, reason, detail }: Finding): void {
    if (pending || this.#findings.length >= MOST_NAMED) return;
    const details = { ...(id === undefined ? {} : { id }), ...(reason === undefined ? {} : { reason }) };
    this.#findings.push({ kind, path, what, ...details, ...(detail === undefined ? {} : { detail }) });
  }

  record({ counts, differences, pending, reasons, held, closedFolders }: Verification, endedMs: number): VerifyRecord {
    return {
      at: new Date(this.#startedMs).toISOString(),
      took_ms: Math.max(0, Math.round(endedMs - this.#startedMs)),
      equal: total(differences) === 0,
      verification: { counts, differences, pending, reasons, held, closedFolders: closedFolders.slice(0, MOST_NAMED) },
      findings: this.#findings,
    };
  }
}

export async function writeVerifyRecord(jobDirectory: string, record: VerifyRecord): Promise<void> {
  const path = pathIn(jobDirectory);
  await writeFile(`${path}.tmp`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** Undefined where nothing was ever compared, and where the file cannot be read: then nobody knows. */
export async function readVerifyRecord(jobDirectory: string): Promise<VerifyRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(pathIn(jobDirectory), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is VerifyRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { at, took_ms: tookMs, equal, verification, findings } = value as Partial<Record<keyof VerifyRecord, unknown>>;
  const isDated = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  const isWhole = typeof verification === 'object' && verification !== null && Array.isArray(findings);
  return isDated && isWhole && typeof tookMs === 'number' && typeof equal === 'boolean';
}

function pathIn(jobDirectory: string): string {
  return join(jobDirectory, '_verify.json');
}
