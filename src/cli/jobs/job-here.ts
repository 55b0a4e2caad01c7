import { cwd } from 'node:process';
import { CrawlerError } from '../../base/errors.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { knownJobs } from '../../settings/jobs.js';
import type { JobLocations } from './job-locations.js';
import { defaultJob, isKnown } from './resolve-job.js';
import { listed } from './unknown-job.js';

/**
 * The job that a command means which names none: the one whose tree holds the current folder, else the default job, else
 * the only one there is.
 *
 * @param command for the advice where there are several
 * @throws CrawlerError `usage` where nobody can tell
 */
export function jobHere(command: string, locations: JobLocations): string {
  const { configDir } = locations;
  const here = locations.around(cwd()).map(({ job }) => job);
  const [only, ...others] = here;
  if (only !== undefined && others.length === 0) return only;
  const usual = defaultJob(configDir);
  if (here.length === 0 && isKnown(configDir, usual)) return usual;
  const candidates = here.length > 0 ? here : knownJobs(configDir);
  const [single, ...more] = candidates;
  if (single === undefined) {
    const first = crawlerCommand({ operands: ['./folder'], options: ['--loop', '1'], configDir });
    throw new CrawlerError(
      'usage',
      `There are no jobs in [${configDir}] yet. [${first}] makes one for a folder and indexes it.`,
    );
  }
  if (more.length === 0) return single;
  const example = crawlerCommand({ command, operands: [single], configDir });
  throw new CrawlerError('usage', `Say which job is meant: ${listed(candidates)}. For example: [${example}]`);
}
