import { join, resolve } from 'node:path';
import { openLogs, type Logs } from '../../app/logging.js';
import type { Job as RunningJob } from '../../app/job.js';
import { keepFilesPrivate } from '../../app/private-files.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger, LogLevel } from '../../base/logger.js';
import { makeFolder } from '../../base/make-folder.js';
import { packageVersion } from '../../base/package-root.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import { jobDirectory } from '../../settings/jobs.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import type { RunOptions } from '../options.js';
import { Progress } from '../progress.js';
import { requireFolder, resolveJob, writeAdHocSettings, type ResolvedJob } from '../resolve-job.js';
import { stopRequest } from '../signals.js';
import { stoppedLine, stoppingLine } from '../stop-lines.js';
import { printSummary } from '../summary.js';
import { listJobsCommand, setupCommand } from './jobs.js';

/** `crawler [job|folder]`: runs a job until its runs are over or a signal comes. Returns the exit code. */
export async function run(argument: string | undefined, options: RunOptions & { version?: boolean }): Promise<number> {
  if (options.version === true) {
    console.log(packageVersion());
    return EXIT_OK;
  }
  const configDir = resolve(options.config_dir);
  makeFolder(configDir);
  if (options.list) return listJobsCommand(configDir);
  const job = resolveJob(argument, configDir);
  if (options.setup) return await setupCommand(configDir, job.name);
  refuseCredentials(options);
  if (options.upgrade) {
    console.log(`Upgrading job [${job.name}]. No rule implemented. Skipping.`);
    return EXIT_OK;
  }
  const loaded = await load(configDir, job, options);
  const logging = logOptions(configDir, options);
  keepFilesPrivate({
    configDir,
    jobDirectory: jobDirectory(configDir, loaded.settings.name),
    logDirectory: logging.directory,
  });
  const logs = openLogs(logging);
  try {
    return await runJob(configDir, loaded, options, logs);
  } catch (error) {
    unlessStopped(error);
    logs.logger.info(stoppedLine(undefined));
    return EXIT_OK;
  } finally {
    await logs.close();
  }
}

async function load(configDir: string, job: ResolvedJob, options: RunOptions): Promise<LoadedSettings> {
  const { loadSettings } = await import('../../settings/load-settings.js');
  if (job.root !== undefined) {
    requireFolder(job.root);
    writeAdHocSettings(configDir, { name: job.name, root: job.root });
  }
  return loadSettings({
    configDir,
    job: job.name,
    env: process.env,
    overrides: options.watch ? [...options.set, 'fs.watch=true'] : options.set,
    fsJavaOpts: process.env['FS_JAVA_OPTS'],
    ...(job.root === undefined ? {} : { adHocRoot: job.root }),
  });
}

async function runJob(configDir: string, loaded: LoadedSettings, options: RunOptions, logs: Logs): Promise<number> {
  const { logger, documentLog } = logs;
  const { settings, warnings } = loaded;
  for (const warning of warnings) logger.warn(warning);
  if (options.loop === 0 && !options.rest) {
    const { startWithoutRun } = await import('../../app/prepare-checkpoint.js');
    const directory = jobDirectory(configDir, settings.name);
    await startWithoutRun({ settings, jobDirectory: directory, restart: options.restart, logger });
    logger.warn('Number of runs is set to 0 and rest layer has not been started. Exiting');
    return EXIT_OK;
  }
  const { signal } = stopRequest();
  const { Job } = await import('../../app/job.js');
  throwIfCancelled(signal);
  const progress = new Progress({ enabled: process.stderr.isTTY && !options.silent, stream: process.stderr });
  const shown = progress.around(logger);
  let inHand: () => number | undefined = () => undefined;
  const announce = (): void => shown.info(stoppingLine(inHand(), stopRequest().by));
  signal.addEventListener('abort', announce, { once: true });
  const job = await Job.start({
    settings: { ...settings, fs: { ...settings.fs, url: settings.fs.url === '' ? '' : resolve(settings.fs.url) } },
    jobDirectory: jobDirectory(configDir, settings.name),
    loops: options.loop,
    rest: options.rest,
    restart: options.restart,
    debug: options.debug || options.trace,
    logger: shown,
    documentLog,
    onProgress: (each, activity) => progress.show(each, activity),
    signal,
  });
  inHand = () => job.documentsInHand();
  const failed = await runToEnd(job, { settings, options, progress, logger: shown, signal });
  if (signal.aborted) logger.info(stoppedLine(job.standing()));
  return failed ? EXIT_FAILURE : EXIT_OK;
}

/** A job that a signal has ended before it was started has not failed. */
function unlessStopped(error: unknown): void {
  const isStopped = error instanceof CrawlerError && error.code === 'cancelled' && stopRequest().by !== undefined;
  if (!isStopped) throw error;
}

interface Running {
  readonly settings: LoadedSettings['settings'];
  readonly options: RunOptions;
  readonly progress: Progress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Until its runs are over, or it is stopped. Returns whether its last run failed. */
async function runToEnd(job: RunningJob, running: Running): Promise<boolean> {
  const { settings, options, progress, logger, signal } = running;
  if (options.loop < 0) logger.info('Crawler started in watch mode. It will run unless you stop it with CTRL+C.');
  const ticker = progress.enabled ? setInterval(() => progress.refresh(job.activity()), TICK_MS) : undefined;
  const { failed } = await job.ended();
  clearInterval(ticker);
  progress.end();
  if (!signal.aborted && !options.silent) await printSummary(job, settings, failed);
  await job.stop();
  return failed && !signal.aborted;
}

function refuseCredentials({ username, api_key: apiKey }: RunOptions): void {
  const refused = username === undefined ? (apiKey === undefined ? undefined : 'API_KEY') : 'USERNAME';
  if (refused === undefined) return;
  throw new CrawlerError(
    'settings_invalid',
    `We don't support reading the search engine's ${refused === 'API_KEY' ? 'API key' : 'username'} from the command line. Set the environment variable CRAWLER_ENGINE_${refused}, or engine.${refused.toLowerCase()} in the settings.`,
  );
}

/** A document that takes long is seen to take long. */
const TICK_MS = 1000;

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace'];

function logOptions(configDir: string, options: RunOptions): Parameters<typeof openLogs>[0] {
  const flag = options.trace ? 'trace' : options.debug ? 'debug' : undefined;
  const directory = process.env['LOG_DIR'];
  return {
    level: flag ?? levelOf('LOG_LEVEL') ?? 'info',
    documentLevel: levelOf('DOC_LEVEL') ?? flag ?? 'info',
    directory: directory === undefined || directory === '' ? join(configDir, 'logs') : resolve(directory),
    silent: options.silent,
  };
}

/** From the environment, or from `-DLOG_LEVEL=…` of FS_JAVA_OPTS as FSCrawler's users have it. */
function levelOf(variable: string): LogLevel | undefined {
  const java = new RegExp(`-D${variable}=(\\w+)`).exec(process.env['FS_JAVA_OPTS'] ?? '')?.[1];
  const text = (process.env[variable] ?? java)?.toLowerCase();
  return LEVELS.find((level) => level === text);
}
