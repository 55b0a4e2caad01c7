import type { DocumentCount } from '../../ingest/counting-ingester.js';
import type { DocumentTime } from '../../model/document-time.js';
import type { CatalogTotals } from '../../state/catalog.js';

/** What the job does at this moment, for the status, the terminal and the metrics. */
export interface Activity {
  /** Documents written, over the last half minute. */
  readonly filesPerSecond: number;
  /** Of the current run; undefined while an estimate would be a guess. */
  readonly remainingMs: number | undefined;
  /** The current run, or the last one; undefined before the first. */
  readonly run: RunActivity | undefined;
  /** What the catalog knows, some seconds old at most while it is asked for; undefined before the first count. */
  readonly totals: CatalogTotals | undefined;
  /** One for each running extraction. */
  readonly current: readonly DocumentTime[];
  /** Since the program started, longest first. */
  readonly slowest: readonly DocumentTime[];
  readonly queues: Queues;
}

/** How far a run has come. All counts are of this process: those of one that it resumes are not in them. */
export interface RunActivity {
  readonly indexed: number;
  readonly deleted: number;
  readonly failed: number;
  /** Files that are done with, whether they were indexed or not. */
  readonly settled: number;
  /** Files that the run has to settle; undefined while they have not been counted. */
  readonly total: number | undefined;
  /** The run continues a scan that another process began. */
  readonly isResumed: boolean;
}

export interface Queues {
  /** Folders that the scan has still to list. */
  readonly folders: number;
  /** Documents that wait for an extraction process. */
  readonly extraction: number;
  /** Documents that wait for the search engine. */
  readonly engine: number;
}

export interface Health {
  readonly engine: 'up' | 'away';
  /** A scan is running, nothing has moved for minutes, and no document is being extracted whose time is not over. */
  readonly stuck: boolean;
}

export interface CrawlMonitor {
  activity(): Activity;
  health(): Promise<Health>;
  documents(): readonly DocumentCount[];
}
