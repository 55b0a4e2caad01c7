import type { Logger } from '../../base/logger.js';
import type { JobSettings } from '../../settings/job-settings.js';

/** A job as the person names it. */
export interface JobContext {
  /** `fs.url` is absolute. */
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}
