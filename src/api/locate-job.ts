import { join, resolve } from 'node:path';
import { env } from 'node:process';
import { CrawlerError } from '../base/errors.js';
import { homeFolder } from '../base/home-folder.js';
import { requireFolder } from '../cli/jobs/ad-hoc-job.js';
import { JobLocations } from '../cli/jobs/job-locations.js';
import { isKnown, resolveJob } from '../cli/jobs/resolve-job.js';
import { knownJobs } from '../settings/jobs.js';
import type { JobSettings } from '../settings/job-settings.js';
import { loadSettings, type LoadedSettings } from '../settings/load-settings.js';
import type { Purpose } from '../settings/purpose.js';
import { withAbsoluteRoot } from '../settings/with-absolute-root.js';
import type { JobOptions } from './types.js';

/** A job that a program names by its folder of documents, or by its name. */
export interface LocatedJob {
  readonly configDir: string;
  /** The folder that was named; undefined for a job by its name. */
  readonly root: string | undefined;
  /** `fs.url` is absolute. */
  readonly settings: JobSettings;
  readonly warnings: readonly string[];
}

/**
 * The job of a place: the one that `crawler <place>` would take. Nothing is written.
 * @throws CrawlerError `not_found` for a folder or a job that does not exist, `settings_invalid` for its settings
 */
export function locateJob(place: string, { configDir, settings: given }: JobOptions, purpose: Purpose): LocatedJob {
  const directory = resolve(configDir ?? join(homeFolder(), '.crawler'));
  const environment = ownEnvironment();
  const { name: job, root } = resolveJob(place, new JobLocations(directory, [], environment));
  if (root !== undefined && purpose === 'run') requireFolder(root);
  const loaded = loadSettings({
    configDir: directory,
    job,
    env: environment,
    overrides: [],
    fsJavaOpts: undefined,
    purpose,
    ...(root === undefined ? {} : { adHocRoot: root }),
    ...(given === undefined ? {} : { given: { ...given } }),
  });
  if (root === undefined && !isKnown(directory, job) && !namesRoot(loaded)) throw unknownJob(job, directory);
  return { configDir: directory, root, settings: withAbsoluteRoot(loaded.settings), warnings: loaded.warnings };
}

/** The variables that placeholders may name: those that would be settings belong to the command line. */
function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:FS)?CRAWLER_/i.test(name)));
}

/** Whether anybody has said what to crawl. */
function namesRoot({ originOf }: Pick<LoadedSettings, 'originOf'>): boolean {
  return originOf('fs.url') !== 'default';
}

function unknownJob(job: string, configDir: string): CrawlerError {
  const jobs = knownJobs(configDir);
  const known = jobs.length === 0 ? 'There are no jobs yet.' : `The jobs are: ${jobs.join(', ')}.`;
  return new CrawlerError(
    'not_found',
    `There is no job [${job}] in [${configDir}]. ${known} To name a folder, give a path such as [./${job}].`,
    { subject: job },
  );
}
