import { dirname, resolve } from 'node:path';
import { env } from 'node:process';
import { CrawlerError } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { printable } from '../../base/printable.js';
import type { JobContext } from '../../operations/job/job-context.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { jobDirectory } from '../../settings/jobs.js';
import { loadSettings, type LoadedSettings } from '../../settings/load-settings.js';
import type { Purpose } from '../../settings/purpose.js';
import { withAbsoluteRoot } from '../../settings/with-absolute-root.js';
import { stoppable } from '../stoppable.js';
import { requireFolder } from './ad-hoc-job.js';
import { jobHere } from './job-here.js';
import { JobLocations } from './job-locations.js';
import { isKnown, resolveJob, type ResolvedJob } from './resolve-job.js';
import { unknownJob } from './unknown-job.js';

export interface InspectionOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
}

export interface Inspection {
  /** The name of the command, for advice. */
  readonly command: string;
  readonly purpose: Purpose;
  /** What to say when a signal has ended it. */
  readonly stopped?: string;
  /** It also looks at a folder that no job crawls, as `crawler <folder>` would. */
  readonly anyFolder?: boolean;
}

/** The job that a command looks at, with its settings loaded. Nothing is made for a job that does not exist. */
export interface InspectedJobContext extends JobContext {
  readonly loaded: LoadedSettings;
}

/** Runs `work` on a job; a signal cancels it. Throws `not_found` for a job that nobody has made. */
export async function withInspectedJob(
  argument: string | undefined,
  options: InspectionOptions,
  inspection: Inspection,
  work: (job: InspectedJobContext) => Promise<number>,
): Promise<number> {
  const configDir = resolve(options.config_dir);
  const job = inspectedJob(argument, new JobLocations(configDir, options.set), inspection);
  const loaded = loadJob(configDir, job, { overrides: options.set, purpose: inspection.purpose });
  const stopped = inspection.stopped ?? 'Stopped.';
  return await stoppable(
    (signal) =>
      work({
        loaded,
        settings: withAbsoluteRoot(loaded.settings),
        jobDirectory: jobDirectory(configDir, loaded.settings.name),
        logger: {
          ...silentLogger,
          warn: (message) => console.error(printable(message)),
          error: (message) => console.error(printable(message)),
        },
        signal,
      }),
    stopped,
  );
}

/** A command on the job as a message shows it; without a name, a run. */
export function commandOn(
  { settings, jobDirectory: directory }: Pick<JobContext, 'settings' | 'jobDirectory'>,
  command: string | undefined,
  ...options: readonly string[]
): string {
  const configDir = dirname(directory);
  return crawlerCommand({
    operands: [settings.name],
    options,
    configDir,
    ...(command === undefined ? {} : { command }),
  });
}

function inspectedJob(
  argument: string | undefined,
  locations: JobLocations,
  { command, anyFolder }: Inspection,
): ResolvedJob {
  const { configDir } = locations;
  const job = resolveJob(argument ?? jobHere(command, locations), locations);
  if (job.root === undefined || anyFolder === true || isKnown(configDir, job.name)) return job;
  const above = locations.around(job.root)[0]?.job;
  if (above === undefined) return job;
  throw new CrawlerError(
    'usage',
    `[${job.root}] has no job of its own: it is part of the job [${above}]. [${crawlerCommand({ command, operands: [above], configDir })}] inspects all of it.`,
    { subject: job.root },
  );
}

export interface LoadOptions {
  readonly overrides: readonly string[];
  readonly purpose: Purpose;
}

/** The settings of a job that exists, or of one that `crawler <folder>` would make. */
export function loadJob(configDir: string, job: ResolvedJob, { overrides, purpose }: LoadOptions): LoadedSettings {
  const isMade = isKnown(configDir, job.name);
  if (job.root !== undefined && !isMade) requireFolder(job.root);
  const loaded = loadSettings({
    configDir,
    job: job.name,
    env,
    overrides,
    fsJavaOpts: env['FS_JAVA_OPTS'],
    purpose,
    ...(job.root === undefined ? {} : { adHocRoot: job.root }),
  });
  if (!isMade && job.root === undefined && loaded.originOf('fs.url') === 'default') {
    throw unknownJob(job.name, configDir, 'not_found');
  }
  if ((purpose === 'tree' || purpose === 'contents') && loaded.originOf('fs.url') === 'default') {
    throw new CrawlerError(
      'settings_invalid',
      `The job [${job.name}] crawls nothing: its settings do not name a root (fs.url).`,
    );
  }
  return loaded;
}
