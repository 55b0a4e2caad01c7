import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { SqliteCatalog } from '../../state/sqlite-catalog.js';

export function catalogPath(jobDirectory: string): string {
  return join(jobDirectory, 'catalog.db');
}

/** The catalog of a job, for reading only; undefined before its first run. */
export function readCatalog(jobDirectory: string): SqliteCatalog | undefined {
  const path = catalogPath(jobDirectory);
  if (!existsSync(path)) return undefined;
  let catalog: SqliteCatalog | undefined;
  try {
    catalog = new SqliteCatalog(path, { readOnly: true });
    catalog.check();
    return catalog;
  } catch (error) {
    catalog?.close();
    if (error instanceof CrawlerError) throw error;
    throw new CrawlerError(
      'corrupt',
      `The catalog [${path}] can not be read (${messageOf(error)}). The next run of the job mends it.`,
      { cause: error, subject: path },
    );
  }
}

/** What to say where a first run has to come before. */
export function notRunYet(job: string, jobDirectory: string): CrawlerError {
  return new CrawlerError(
    'not_found',
    `Job [${job}] has not been run yet: there is no catalog in [${jobDirectory}]. Run [crawler ${job} --loop 1] first.`,
    { subject: jobDirectory },
  );
}
