import { env } from 'node:process';
import { CrawlerError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { hasSettings, jobDirectory, knownJobs } from '../../settings/jobs.js';
import { loadSettings, type LoadedSettings } from '../../settings/load-settings.js';
import type { RunOptions } from '../options.js';
import { requireFolder, writeAdHocSettings } from './ad-hoc-job.js';
import { JobLocations } from './job-locations.js';
import { defaultJob, isKnown, resolveJob, type ResolvedJob } from './resolve-job.js';
import { nearestMeaning, unknownJob } from './unknown-job.js';

export interface ChosenJob {
  readonly loaded: LoadedSettings;
  /** Worth a warning at the start. */
  readonly remarks: readonly string[];
}

/**
 * The job that a run is for, with its settings. A folder becomes a job; a job that has no settings needs a root from
 * somewhere else, so that a typing mistake starts nothing. Nothing is made before everything is known to be right.
 *
 * @throws CrawlerError `usage` for a name that is no job, `settings_invalid` for a job without anything to crawl
 */
export function chooseJob(argument: string | undefined, configDir: string, options: RunOptions): ChosenJob {
  const job = resolveJob(argument, new JobLocations(configDir, options.set));
  if (job.root !== undefined) requireFolder(job.root);
  const loaded = loadRunSettings(configDir, job, options);
  if (job.root === undefined) return { loaded, remarks: remarksOn(loaded, { argument, job, configDir, options }) };
  if (hasSettings(configDir, job.name)) return { loaded, remarks: [] };
  writeAdHocSettings(configDir, { name: job.name, root: job.root });
  // What is in the new file holds from the first run on.
  return { loaded: loadRunSettings(configDir, job, options), remarks: [] };
}

interface NamedRun {
  readonly argument: string | undefined;
  readonly job: ResolvedJob;
  readonly configDir: string;
  readonly options: RunOptions;
}

/** Throws where a run that is to crawl has nothing to crawl. */
function remarksOn(loaded: LoadedSettings, { argument, job, configDir, options }: NamedRun): readonly string[] {
  const isNew = !isKnown(configDir, job.name);
  const hasRoot = loaded.originOf('fs.url') !== 'default';
  const crawls = options.loop !== 0;
  if (crawls && !hasRoot) throw withoutRoot(argument, job, configDir, isNew);
  if (crawls && loaded.settings.fs.url === '' && !options.rest) throw emptyRoot(loaded, configDir);
  if (!isNew || argument === undefined) return [];
  if (!hasRoot) return options.rest ? [remarkOnUploads(job.name, configDir)] : [];
  const meant = nearestMeaning(job.name, configDir, true);
  return meant === undefined
    ? []
    : [`[${job.name}] is a new job: it crawls [${loaded.settings.fs.url}]. Did you mean ${meant}?`];
}

/** Whether a root is given without any file, for the job that is taken without a name. */
export function hasRootFromOutside(configDir: string, options: RunOptions): boolean {
  try {
    const job = { name: defaultJob(configDir), root: undefined };
    const { settings, originOf } = loadRunSettings(configDir, job, options);
    const origin = originOf('fs.url');
    return settings.fs.url !== '' && origin !== 'default' && !origin.startsWith('_settings');
  } catch (error) {
    // What is wrong with the settings is reported when the job is run.
    if (error instanceof CrawlerError && error.code === 'settings_invalid') return false;
    throw error;
  }
}

function loadRunSettings(configDir: string, job: ResolvedJob, options: RunOptions): LoadedSettings {
  return loadSettings({
    configDir,
    job: job.name,
    env,
    overrides: options.watch ? [...options.set, 'fs.watch=true'] : options.set,
    fsJavaOpts: env['FS_JAVA_OPTS'],
    ...(job.root === undefined ? {} : { adHocRoot: job.root }),
  });
}

function withoutRoot(
  argument: string | undefined,
  { name }: ResolvedJob,
  configDir: string,
  isNew: boolean,
): CrawlerError {
  if (!isNew) {
    const rest = crawlerCommand({ operands: [name], options: ['--loop', '0', '--rest'], configDir });
    return new CrawlerError(
      'settings_invalid',
      `The settings of the job [${name}] do not say what to crawl. Set fs.url in [${jobDirectory(configDir, name)}/_settings.yaml], or run [${rest}] to take documents over HTTP only.`,
      { subject: 'fs.url' },
    );
  }
  if (argument !== undefined) return unknownJob(name, configDir);
  const folder = crawlerCommand({ operands: ['./folder'], options: ['--loop', '1'], configDir });
  return new CrawlerError(
    'usage',
    `There is nothing to crawl: name a folder or a job, such as [${folder}], or set CRAWLER_FS_URL. There is no job [${name}] in [${configDir}], which is what is run without a name.`,
  );
}

function emptyRoot({ settings: { name }, originOf }: LoadedSettings, configDir: string): CrawlerError {
  const rest = crawlerCommand({ operands: [name], options: ['--rest'], configDir });
  return new CrawlerError(
    'settings_invalid',
    `${originOf('fs.url')}: fs.url is empty, so the job [${name}] has nothing to crawl. Name a folder, or run [${rest}] to take documents over HTTP only.`,
    { subject: 'fs.url' },
  );
}

function remarkOnUploads(name: string, configDir: string): string {
  const near = nearest(name, knownJobs(configDir));
  const meant = near === undefined || near === name ? '' : ` Did you mean the job [${near}]?`;
  return `The job [${name}] has no settings in [${configDir}]: it takes documents over HTTP with the defaults.${meant}`;
}
