import type { Clock } from '../../base/clock.js';
import { diskFull, isDiskFull } from '../../base/disk-full.js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { Semaphore } from '../../base/semaphore.js';
import type { WriteOperation, WriteOutcome } from '../../engine/engine.js';
import type { TreeSource } from '../../source/source.js';
import type { Catalog, FileKey } from '../../state/catalog.js';
import { isCatalogCorruption } from '../../state/open-catalog.js';
import type { CatalogWriter } from './catalog-writer.js';
import type { RecordClaims } from './record-claims.js';
import type { LocalTexts } from './local-texts.js';
import type { ScanPort } from './scan-port.js';
import type { ScanRules } from './scan-rules.js';
import type { ScanCounters } from './scan-counters.js';

/** A scan of the whole tree, or a partial scan of some of its folders in between; after an overflow of events that covers the whole tree as well. */
export type ScanKind = 'scan' | 'partial' | 'partial_of_tree';

/** What the steps of one scan share. */
export interface ScanContext {
  /** A partial scan goes through single folders; sub-folders that are known already are not walked. */
  readonly kind: ScanKind;
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly catalog: Catalog;
  readonly writer: CatalogWriter;
  readonly port: ScanPort;
  readonly counters: ScanCounters;
  readonly clock: Clock;
  /** Undefined where every file is for the extraction processes. */
  readonly texts: LocalTexts | undefined;
  /** Files under way at the same time. */
  readonly semaphore: Semaphore;
  readonly claims: RecordClaims;
  /** Files that share the document of one that goes: the next scan indexes them again (removal.ts). */
  readonly namesakes: FileKey[];
  /** True when an earlier scan left records: only then can a new file be a moved one. */
  readonly knowsTree: boolean;
  /** 0 where the source has no devices. */
  readonly rootDevice: number;
  /** Somebody is still writing the file: it is left for later, as it is known. */
  isUnstable(folder: string, name: string): boolean;
  readonly signal: AbortSignal;
  /** Resolves at once, or when a held scan continues. */
  gate(): Promise<void>;
  /** Ends the scan with this error as soon as what is under way has been answered. */
  fail(error: unknown): void;
}

/** Operations that must succeed for the scan to continue. Deleting what is not there is success. */
export async function writeAll(
  context: ScanContext,
  operations: readonly WriteOperation[],
): Promise<readonly WriteOutcome[]> {
  const outcomes = operations.length === 0 ? [] : await context.port.write(operations);
  const unreachable = outcomes.find(
    (each) => !each.ok && (each.code === 'unavailable' || each.code === 'rate_limited'),
  );
  if (unreachable !== undefined && !unreachable.ok) {
    throw new CrawlerError(unreachable.isDiskFull === true ? 'disk_full' : 'unavailable', unreachable.message);
  }
  return outcomes;
}

/** What ends a scan, as a sentence. `folder` is where the catalog lies. */
export function toFault(error: unknown, folder = 'the job'): CrawlerError {
  if (error instanceof CrawlerError) return error;
  if (isDiskFull(error))
    return diskFull(folder, error, 'The next run resumes where this one was, and nothing is lost.');
  const code = isCatalogCorruption(error) ? 'catalog_damaged' : 'internal';
  return new CrawlerError(code, messageOf(error), { cause: error });
}

export function isDone(outcome: WriteOutcome | undefined): boolean {
  return outcome !== undefined && (outcome.ok || outcome.code === 'not_found');
}
