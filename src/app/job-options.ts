import type { Logger } from '../base/logger.js';
import type { DocumentEvent } from '../crawler/scan-thread/scan-host.js';
import type { ScanProgress } from '../crawler/scan/scan-port.js';
import type { Activity } from '../operations/monitor/monitor.js';
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
  /** Where the value of a setting was given, for sentences about rules. */
  readonly originOf?: (setting: string) => string;
  readonly logger: Logger;
  readonly documentLog: Logger;
  readonly onProgress: (progress: ScanProgress, activity: Activity) => void;
  /** What became of a document of a crawl, as it happens. */
  readonly onDocument?: (event: DocumentEvent) => void;
  /** Stops the job, also while it is being started. */
  readonly signal?: AbortSignal;
}
