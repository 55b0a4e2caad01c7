import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JobPlace } from '../app/inspect/inspected-job.js';
import { CrawlerError } from '../base/errors.js';
import { silentLogger } from '../base/logger.js';
import { jobDirectory } from '../settings/jobs.js';
import { loadSettings, type LoadedSettings } from '../settings/load-settings.js';
import { requireFolder, resolveJob, type ResolvedJob } from './resolve-job.js';
import { stoppable } from './stoppable.js';

export interface PlaceOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
}

/** The job that a command looks at, with its settings loaded. Nothing is made for a job that does not exist. */
export interface InspectedPlace extends JobPlace {
  readonly loaded: LoadedSettings;
}

/** Runs `work` on a job; a signal cancels it. Throws `not_found` for a job that nobody has made. */
export async function withPlace(
  argument: string | undefined,
  options: PlaceOptions,
  work: (place: InspectedPlace) => Promise<number>,
): Promise<number> {
  const configDir = resolve(options.config_dir);
  const job = resolveJob(argument, configDir);
  const loaded = loadJob(configDir, job, options.set);
  return await stoppable((signal) =>
    work({
      loaded,
      settings: withAbsoluteRoot(loaded),
      jobDirectory: jobDirectory(configDir, job.name),
      logger: {
        ...silentLogger,
        warn: (message) => console.error(message),
        error: (message) => console.error(message),
      },
      signal,
    }),
  );
}

export function loadJob(configDir: string, job: ResolvedJob, overrides: readonly string[]): LoadedSettings {
  const isMade = existsSync(jobDirectory(configDir, job.name));
  if (job.root !== undefined && !isMade) requireFolder(job.root);
  const loaded = loadSettings({
    configDir,
    job: job.name,
    env: process.env,
    overrides,
    fsJavaOpts: process.env['FS_JAVA_OPTS'],
    ...(job.root === undefined ? {} : { adHocRoot: job.root }),
  });
  if (!isMade && loaded.isDefaultOnly) {
    throw new CrawlerError(
      'not_found',
      `There is no job [${job.name}] in [${configDir}]. [crawler --list] shows the jobs; [crawler ${job.name} --setup] makes one.`,
    );
  }
  return loaded;
}

/** A relative root means the folder in which the command is given, as it does for a run. */
export function withAbsoluteRoot({ settings }: LoadedSettings): LoadedSettings['settings'] {
  const { fs } = settings;
  return { ...settings, fs: { ...fs, url: fs.url === '' ? '' : resolve(fs.url) } };
}
