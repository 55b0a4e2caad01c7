import type { ErrorCode } from '../../base/errors.js';
import type { CatalogTotals, ReasonCounts } from '../../state/catalog.js';
import type { WatchReport } from '../../source/tree-watch.js';
import type { Approval, HeldDeletions } from './delete-guard.js';
import type { ScanProgress } from './scan-port.js';

/** How the crawler drives a scan, wherever it runs (the crawl's own thread, or the same one in tests). */
export interface ScanRunner {
  /** The scan that was begun and not ended, if any. */
  unfinished(): Promise<UnfinishedScan | undefined>;
  /** Runs a scan to its end: continues the unfinished one when `resume` is set and there is one. Never rejects. */
  run(request: ScanRequest): Promise<ScanEnd>;
  /** Takes no further file; resolves when what was under way has been answered and recorded. */
  hold(): Promise<void>;
  continue(): void;
  /** Ends the running scan early, resumable. Resolves when its progress is recorded. */
  stop(): Promise<void>;
  /** Forgets the progress of an unfinished scan: the next one begins at the root. */
  discardProgress(): Promise<void>;
  /** Watches the tree from now on; resolves when every folder is watched, or will not be. */
  watch(): Promise<WatchReport>;
  /**
   * Scans the folders that were seen to change, once their files have come to rest. Never rejects; ended by the next `run`.
   * Not while a scan is unfinished.
   */
  scanChanges(): Promise<ScanEnd>;
  /** What the guard holds back (delete-guard.ts). */
  heldDeletions(): Promise<HeldDeletions | undefined>;
  /** Lets through what is held at this moment, if it is as many documents as expected; the next run removes it. */
  approveDeletions(expected: number | undefined): Promise<Approval>;
  /** What the catalog holds. Counting takes a moment on large trees. */
  totals(): Promise<CatalogTotals>;
  /** Part of them, which is at hand. */
  reasons(): Promise<ReasonCounts>;
  close(): Promise<void>;
}

export interface ScanRequest {
  readonly resume: boolean;
  /**
   * The unfinished scan is another process's: nobody knows what happened to its completed folders meanwhile, so they are
   * looked at again once the pending ones are done. Unchanged, that costs their listing.
   */
  readonly afterRestart: boolean;
  readonly scanId: string;
  readonly startedMs: number;
}

export interface PartialScanRequest {
  readonly folders: readonly string[];
  /** Anything in the tree may have changed. */
  readonly wide: boolean;
}

export interface UnfinishedScan {
  readonly id: string;
  readonly startedMs: number;
  readonly pendingFolders: number;
}

export type ScanEnd =
  | { readonly kind: 'completed'; readonly progress: ScanProgress }
  /** Without progress when it did not begin, since the engine was still waited for. */
  | { readonly kind: 'stopped'; readonly progress: ScanProgress | undefined }
  | {
      readonly kind: 'failed';
      /** Undefined when the scan did not begin, since the engine was away. */
      readonly progress: ScanProgress | undefined;
      readonly code: ErrorCode;
      readonly message: string;
      /** The source or the engine could not be reached: the same call may succeed later. */
      readonly connection: boolean;
    };
