import type { MetadataFile } from '../../ingest/document-rules.js';
import type { JobSettings } from '../../settings/job-settings.js';
import type { WatchReport } from '../../source/tree-watch.js';
import type { CatalogTotals, ReasonCounts } from '../../state/catalog.js';
import type { Approval, HeldDeletions } from '../scan/delete-guard.js';
import type { ScanPort } from '../scan/scan-port.js';
import type { ScanEnd, ScanRequest, UnfinishedScan } from '../scan/scan-runner.js';

/** What the thread that walks the tree and owns the catalog is started with (app/crawl-thread.ts). */
export interface ScanThreadData {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly extractorVersion: string;
  readonly staticMetadata: MetadataFile | undefined;
  /** Files under way at the same time. */
  readonly maxUnderWay: number;
  /** What the other threads do goes before it. */
  readonly inBackground: boolean;
}

/** What the main thread asks of that thread. Every scan gets the identity of the index as it is now. */
export interface ScanThread {
  unfinished(): Promise<UnfinishedScan | undefined>;
  run(request: ScanRequest, indexIdentity: string): Promise<ScanEnd>;
  watch(): Promise<WatchReport>;
  scanChanges(indexIdentity: string): Promise<ScanEnd>;
  heldDeletions(): Promise<HeldDeletions | undefined>;
  approveDeletions(expected: number | undefined): Promise<Approval>;
  hold(): Promise<void>;
  continue(): void;
  stop(): Promise<void>;
  forgetRules(): Promise<void>;
  discardProgress(): Promise<void>;
  totals(): Promise<CatalogTotals>;
  reasons(): Promise<ReasonCounts>;
  close(): Promise<void>;
}

/** What that thread asks of the main thread, where documents are made and written. */
export interface ScanThreadHost extends ScanPort {
  /** The watch has something to look at. */
  changesDue(): void;
  /** The watch has ended by itself. `message` is a sentence. */
  watchEnded(message: string): void;
}
