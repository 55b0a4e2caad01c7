import { CrawlerError } from '../../base/errors.js';
import type { SearchEngine } from '../../engine/engine.js';
import type { CatalogTotals } from '../../state/catalog.js';
import { total } from '../verify/findings.js';
import { readVerifyRecord } from '../verify/verify-record.js';

/** How far an answer of the index can be trusted, in few figures. Counts are null where nobody has counted. */
export interface JobStatus {
  readonly job: string;
  /** Of the crawl: RUNNING, PAUSED, STOPPED, COMPLETED, ERROR, or NEVER_RAN. */
  readonly state: string;
  /** Files that the crawl knows. */
  readonly files: number | null;
  readonly indexed: number | null;
  readonly failed: number | null;
  /** By a rule of the settings. */
  readonly left_out: number | null;
  /** Documents in the index, uploads among them; null when the engine does not answer. */
  readonly documents: number | null;
  /** End of the last scan, ISO 8601 in UTC. */
  readonly last_scan: string | null;
  /** The last comparison of tree and index that came to its end (`crawler verify`); null where there was none. */
  readonly verified: { readonly at: string; readonly equal: boolean; readonly differences: number } | null;
  /** Seconds that the scan under way may still take. */
  readonly remaining_time: number | null;
  /** Type and version of the search engine; null when it does not answer. */
  readonly engine: string | null;
}

/** What is known of the crawl. */
export interface CrawlFacts {
  readonly state: string;
  readonly lastScanMs: number | undefined;
  readonly remainingMs: number | undefined;
  readonly totals: CatalogTotals | undefined;
}

export interface StatusParts {
  readonly job: string;
  readonly jobDirectory: string;
  readonly index: string;
  readonly crawl: CrawlFacts;
  /** Undefined where there is no index yet. */
  readonly engine: SearchEngine | undefined;
}

export async function jobStatus(
  { job, jobDirectory, index, crawl, engine }: StatusParts,
  signal: AbortSignal,
): Promise<JobStatus> {
  const { state, lastScanMs, remainingMs, totals } = crawl;
  return {
    job,
    state,
    ...countsOf(totals),
    documents: engine === undefined ? null : await documentsIn(engine, index, signal),
    last_scan: lastScanMs === undefined ? null : new Date(lastScanMs).toISOString(),
    verified: await lastCheck(jobDirectory),
    remaining_time: remainingMs === undefined ? null : Math.ceil(remainingMs / 1000),
    engine: engine === undefined ? null : await versionOf(engine, signal),
  };
}

function countsOf(totals: CatalogTotals | undefined): Pick<JobStatus, 'files' | 'indexed' | 'failed' | 'left_out'> {
  if (totals === undefined) return { files: null, indexed: null, failed: null, left_out: null };
  const { indexed = 0, failed = 0, skipped = 0 } = totals.states;
  return { files: totals.files, indexed, failed, left_out: skipped };
}

async function lastCheck(jobDirectory: string): Promise<JobStatus['verified']> {
  const record = await readVerifyRecord(jobDirectory);
  if (record === undefined) return null;
  const { at, equal, verification } = record;
  return { at, equal, differences: total(verification.differences) };
}

async function documentsIn(engine: SearchEngine, index: string, signal: AbortSignal): Promise<number | null> {
  try {
    return await engine.count(index, undefined, signal);
  } catch (error) {
    return error instanceof CrawlerError && error.code === 'not_found' ? 0 : null;
  }
}

async function versionOf(engine: SearchEngine, signal: AbortSignal): Promise<string | null> {
  try {
    const version = await engine.version(signal);
    return version.startsWith('embedded') ? version : `${engine.type}-${version}`;
  } catch {
    return null;
  }
}
