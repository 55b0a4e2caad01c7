import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { hasSettings } from '../../settings/jobs.js';
import { SqliteCatalog } from '../../state/sqlite-catalog.js';
import type { JobContext } from './job-context.js';

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
    if (error instanceof CrawlerError && error.code !== 'catalog_damaged') throw error;
    throw new CrawlerError(
      'corrupt',
      `The catalog [${path}] cannot be read (${messageOf(error)}). The next run of the job repairs it.`,
      { cause: error, subject: path },
    );
  }
}

/** What to say where a first run has to come before. */
export function notRunYet({ settings, jobDirectory }: Pick<JobContext, 'settings' | 'jobDirectory'>): CrawlerError {
  const { name: job, fs } = settings;
  const configDir = dirname(jobDirectory);
  // A folder without a job gets one when it is crawled.
  const operands = [hasSettings(configDir, job) ? job : fs.url];
  const run = crawlerCommand({ operands, options: ['--loop', '1'], configDir });
  return new CrawlerError(
    'not_found',
    `Job [${job}] has not been run yet: there is no catalog in [${jobDirectory}]. Run [${run}] first.`,
    { subject: jobDirectory },
  );
}
