import type { Logger } from '../base/logger.js';
import type { Activity } from '../crawler/monitor.js';
import type { ScanProgress } from '../crawler/scan/scan-port.js';
import type { JobSettings } from '../settings/job-settings.js';

/** What a job is started with. */
export interface JobOptions {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  /** Runs to make; negative is endless, 0 crawls nothing. */
  readonly loops: number;
  readonly rest: boolean;
  /** Forget the checkpoint and index every file again. */
  readonly restart: boolean;
  readonly debug: boolean;
  readonly logger: Logger;
  readonly documentLog: Logger;
  readonly onProgress: (progress: ScanProgress, activity: Activity) => void;
  /** Count an unknown tree ahead of its first scan, for an estimate of its end. */
  readonly wantsTotal: boolean;
  /** Stops the job, also while it is being started. */
  readonly signal: AbortSignal;
}
