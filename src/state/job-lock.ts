import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database } from '../base/sqlite.js';
import { sqliteCode } from '../base/sqlite-code.js';
import { diskFull, isDiskFull } from '../base/disk-full.js';
import { CrawlerError, messageOf } from '../base/errors.js';

/**
 * One crawler a job. The lock is SQLite's file lock on an empty database: the system releases it when the process dies,
 * however it dies, so that no stale lock is ever left to be removed by hand.
 */
export class JobLock {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Throws `conflict` when another process holds the job. */
  static acquire(path: string, job: string): JobLock {
    let database: Database | undefined;
    try {
      database = new Database(path, { journal: 'DELETE', busyTimeoutMs: 0 });
      database.exec('BEGIN EXCLUSIVE');
      return new JobLock(database);
    } catch (error) {
      database?.close();
      if (sqliteCode(error) !== 'SQLITE_BUSY') throw unusable(path, error);
      throw new CrawlerError(
        'conflict',
        `Another crawler is running the job [${job}] (it holds [${path}]). Stop it first, or use another job or --config_dir.`,
        { cause: error, subject: path },
      );
    }
  }

  /** Whether a process holds the job. Takes nothing and makes no file. */
  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false;
    let database: Database | undefined;
    try {
      database = new Database(path, { readOnly: true, busyTimeoutMs: 0 });
      database.values('SELECT count(*) FROM sqlite_schema');
      return false;
    } catch (error) {
      if (sqliteCode(error) === 'SQLITE_BUSY') return true;
      throw unusable(path, error);
    } finally {
      database?.close();
    }
  }

  release(): void {
    this.#database.exec('ROLLBACK');
    this.#database.close();
  }
}

/** Garbage, a folder, a file of somebody else: it is not replaced, since another process may be about to lock it. */
function unusable(path: string, error: unknown): CrawlerError {
  if (isDiskFull(error)) return diskFull(dirname(path), error, 'Then start again.');
  return new CrawlerError(
    'corrupt',
    `The lock file [${path}] cannot be used (${messageOf(error)}). If no crawler is running on the job, remove the file and start again; it is made anew.`,
    { cause: error, subject: path },
  );
}
