import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openLogs, type Logs } from '../../app/logging.js';
import type { Job as RunningJob } from '../../app/job.js';
import { CrawlerError } from '../../base/errors.js';
import type { LogLevel } from '../../base/logger.js';
import { requireWritable } from '../../base/require-writable.js';
import { packageVersion } from '../../base/package-root.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import { jobDirectory } from '../../settings/jobs.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import type { RunOptions } from '../options.js';
import { Progress } from '../progress.js';
import { requireFolder, resolveJob, writeAdHocSettings, type ResolvedJob } from '../resolve-job.js';
import { untilSignal } from '../signals.js';
import { printSummary } from '../summary.js';
import { listJobsCommand, setupCommand } from './jobs.js';

/** `crawler [job|folder]`: runs a job until its runs are over or a signal comes. Returns the exit code. */
export async function run(argument: string | undefined, options: RunOptions & { version?: boolean }): Promise<number> {
  if (options.version === true) {
    console.log(packageVersion());
    return EXIT_OK;
  }
  const configDir = resolve(options.config_dir);
  mkdirSync(configDir, { recursive: true });
  requireWritable(configDir, 'The config directory');
  if (options.list) return listJobsCommand(configDir);
  const job = resolveJob(argument, configDir);
  if (options.setup) return await setupCommand(configDir, job.name);
  refuseCredentials(options);
  if (options.upgrade) {
    console.log(`Upgrading job [${job.name}]. No rule implemented. Skipping.`);
    return EXIT_OK;
  }
  const loaded = await load(configDir, job, options);
  const logs = openLogs(logOptions(configDir, options));
  try {
    return await runJob(configDir, loaded, options, logs);
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
    logger.warn('Number of runs is set to 0 and rest layer has not been started. Exiting');
    return EXIT_OK;
  }
  const { Job } = await import('../../app/job.js');
  const progress = new Progress({ enabled: process.stderr.isTTY && !options.silent, stream: process.stderr });
  const signal = untilSignal();
  const job = await Job.start({
    settings: { ...settings, fs: { ...settings.fs, url: settings.fs.url === '' ? '' : resolve(settings.fs.url) } },
    jobDirectory: jobDirectory(configDir, settings.name),
    loops: options.loop,
    rest: options.rest,
    restart: options.restart,
    debug: options.debug || options.trace,
    logger: progress.around(logger),
    documentLog,
    onProgress: (each, activity) => progress.show(each, activity),
    wantsTotal: progress.enabled,
  });
  if (options.loop < 0) logger.info('Crawler started in watch mode. It will run unless you stop it with CTRL+C.');
  const ticker = progress.enabled ? setInterval(() => progress.refresh(job.activity()), TICK_MS) : undefined;
  const ended = await Promise.race([job.ended(), signal.received.then(() => ({ failed: false }))]);
  clearInterval(ticker);
  progress.end();
  if (!signal.wasReceived && !options.silent) await printSummary(job, settings);
  await stop(job, signal);
  return ended.failed ? EXIT_FAILURE : EXIT_OK;
}

/** A second signal ends the program at once; the state on disk stays consistent. */
async function stop(job: RunningJob, signal: ReturnType<typeof untilSignal>): Promise<void> {
  await Promise.race([job.stop(), signal.receivedAgain]);
  signal.release();
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
