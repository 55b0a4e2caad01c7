import { resolve } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { isWithin, normaliseRoot } from '../../base/path.js';
import { jobDirectory } from '../../settings/jobs.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { Purpose } from '../../settings/purpose.js';
import { withAbsoluteRoot } from '../../settings/with-absolute-root.js';
import { loadJob } from './inspected-job.js';

import { JobLocations, placeInTree, placeOnServer, type JobLocation } from './job-locations.js';
import { resolveJob, type ResolvedJob } from './resolve-job.js';

export interface JobOfPath {
  readonly loaded: LoadedSettings;
  readonly settings: LoadedSettings['settings'];
  readonly jobDirectory: string;
  /** As the job's source knows it. */
  readonly path: string;
}

export interface JobOfPathOptions {
  readonly job?: string;
  readonly set: readonly string[];
  readonly purpose: Purpose;
}

/** The job that a path belongs to: the one that is named, or the only one whose root holds it. */
export function jobOfPath(path: string, configDir: string, options: JobOfPathOptions): JobOfPath {
  const locations = new JobLocations(configDir, options.set);
  if (options.job !== undefined) return open(resolveJob(options.job, locations), path, configDir, options);
  const found = jobsAround(path, locations.all);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    return open({ name: only.job, root: undefined }, path, configDir, options);
  }
  throw new CrawlerError(
    'not_found',
    only === undefined
      ? `No job in [${configDir}] crawls [${resolve(path)}]: it is outside of every job's root. Name the job with --job if it should.`
      : `Several jobs crawl [${resolve(path)}]: ${found.map(({ job }) => job).join(', ')}. Choose one with --job.`,
    { subject: path },
  );
}

/** A path of another machine is meant only where this one has no job for it. */
function jobsAround(path: string, locations: readonly JobLocation[]): readonly JobLocation[] {
  const here = locations.filter(({ provider, root }) => provider === 'local' && placeInTree(root, path) !== undefined);
  if (here.length > 0) return here;
  const elsewhere = locations.filter(({ provider }) => provider !== 'local');
  const inFull = elsewhere.filter(({ root }) => isWithin(root, path));
  return inFull.length > 0 ? inFull : elsewhere;
}

function open(job: ResolvedJob, path: string, configDir: string, { set, purpose }: JobOfPathOptions): JobOfPath {
  const loaded = loadJob(configDir, job, { overrides: set, purpose });
  const settings = withAbsoluteRoot(loaded.settings);
  const root = normaliseRoot(settings.fs.url);
  const known =
    settings.fs.provider === 'local'
      ? (placeInTree(root, path) ?? normaliseRoot(resolve(path)))
      : placeOnServer(root, path);
  return { loaded, settings, jobDirectory: jobDirectory(configDir, settings.name), path: known };
}
