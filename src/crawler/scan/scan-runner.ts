import type { ErrorCode } from '../../base/errors.js';
import type { CatalogTotals } from '../../state/catalog.js';
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
  /** What the catalog holds. Counting takes a moment on large trees. */
  totals(): Promise<CatalogTotals>;
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

export interface UnfinishedScan {
  readonly id: string;
  readonly startedMs: number;
  readonly pendingFolders: number;
}

export type ScanEnd =
  | { readonly kind: 'completed'; readonly progress: ScanProgress }
  | { readonly kind: 'stopped'; readonly progress: ScanProgress }
  | {
      readonly kind: 'failed';
      /** Undefined when the scan did not begin, since the engine was away. */
      readonly progress: ScanProgress | undefined;
      readonly code: ErrorCode;
      readonly message: string;
      /** The source or the engine could not be reached: the same call may succeed later. */
      readonly connection: boolean;
    };
