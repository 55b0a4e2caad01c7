import type { ScanProgress } from './scan-port.js';
import { WorkTime } from './scan-rates.js';

/** The running counts of a scan. */
export class Tally {
  readonly work = new WorkTime();
  seen = 0;
  files = 0;
  deleted = 0;
  failed = 0;
  completedFolders = 0;
  pendingFolders = 0;
  currentPath: string | undefined;
  lastError: string | undefined;

  snapshot(): ScanProgress {
    return {
      seen: this.seen,
      files: this.files,
      deleted: this.deleted,
      failed: this.failed,
      completedFolders: this.completedFolders,
      pendingFolders: this.pendingFolders,
      currentPath: this.currentPath,
      lastError: this.lastError,
    };
  }
}
