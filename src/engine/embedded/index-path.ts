import { join } from 'node:path';

/** The file of a job's embedded index, whether it exists or not. SQLite keeps its log beside it (`-wal`, `-shm`). */
export function indexPath(jobDirectory: string): string {
  return join(jobDirectory, 'index.db');
}
