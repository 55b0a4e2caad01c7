import { resolve } from 'node:path';
import type { Job as RunningJob } from '../../app/job.js';
import { openLogs, type Logs } from '../../app/logging.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { packageVersion } from '../../base/package-root.js';
import { startThreadAhead } from '../../base/start-thread.js';
import { makeConfigDirectory } from '../../settings/config-directory.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { jobDirectory } from '../../settings/jobs.js';
import { withAbsoluteRoot } from '../../settings/with-absolute-root.js';
import { keepFilesPrivate } from '../../state/private-files.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { chooseJob, hasRootFromOutside, type ChosenJob } from '../jobs/choose-job.js';
import { JobLocations } from '../jobs/job-locations.js';
import { printJobs } from '../jobs/print-jobs.js';
import { resolveJob } from '../jobs/resolve-job.js';
import { tooMany } from '../jobs/unknown-job.js';
import { logOptions } from '../log-options.js';
import type { CommandLine, RunOptions } from '../options.js';
import { Progress } from '../progress.js';
import { stopRequest } from '../signals.js';
import { stoppedLine, stoppingLine } from '../stop-lines.js';
import { printSummary, summarise } from '../summary.js';
import { listJobsCommand, setupCommand } from './jobs.js';

/** `crawler [job|folder]`: runs a job until its runs are over or a signal comes. Returns the exit code. */
export async function run(argument: string | undefined, options: RunOptions, line: CommandLine): Promise<number> {
  if (options.version === true) {
    console.log(packageVersion());
    return EXIT_OK;
  }
  if (argument !== undefined && line.excess.length > 0) throw tooMany(argument, line.excess);
  const configDir = resolve(options.config_dir);
  if (options.list) return listJobsCommand(configDir);
  const locations = new JobLocations(configDir, options.set);
  if (options.setup) return await setupCommand(configDir, resolveJob(argument, locations));
  refuseCredentials(options);
  if (options.upgrade) {
    console.log(`Upgrading job [${resolveJob(argument, locations).name}]. No rule implemented. Skipping.`);
    return EXIT_OK;
  }
  if (line.isBare && !hasRootFromOutside(configDir, options)) {
    line.printHelp();
    await printJobs(configDir);
    return EXIT_OK;
  }
  const chosen = chooseJob(argument, configDir, options);
  makeConfigDirectory(configDir);
  const logging = logOptions(configDir, options);
  keepFilesPrivate({
    configDir,
    jobDirectory: jobDirectory(configDir, chosen.loaded.settings.name),
    logDirectory: logging.directory,
  });
  startAhead(chosen.loaded.settings, options);
  const logs = openLogs(logging);
  try {
    return await runJob(configDir, chosen, options, logs);
  } catch (error) {
    unlessStopped(error);
    logs.logger.info(stoppedLine(undefined));
    return EXIT_OK;
  } finally {
    await logs.close();
  }
}

/** What takes its time to start and needs nothing of the rest of the program. */
function startAhead({ fs }: JobSettings, { loop }: RunOptions): void {
  if (loop !== 0 && fs.url !== '') startThreadAhead('crawl-thread');
}

async function runJob(configDir: string, chosen: ChosenJob, options: RunOptions, logs: Logs): Promise<number> {
  const { logger, documentLog } = logs;
  const { settings, warnings, originOf } = chosen.loaded;
  for (const warning of [...warnings, ...chosen.remarks]) logger.warn(warning);
  if (options.loop === 0 && !options.rest) {
    const { startWithoutRun } = await import('../../state/prepare-checkpoint.js');
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
    settings: withAbsoluteRoot(settings),
    originOf,
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
  const failed = await runToEnd(job, { settings, configDir, options, progress, logger: shown, signal });
  if (signal.aborted) logger.info(stoppedLine(job.runSummary()));
  return failed ? EXIT_FAILURE : EXIT_OK;
}

/** A job that a signal has ended before it was started has not failed. */
function unlessStopped(error: unknown): void {
  const isStopped = error instanceof CrawlerError && error.code === 'cancelled' && stopRequest().by !== undefined;
  if (!isStopped) throw error;
}

interface Running {
  readonly settings: JobSettings;
  readonly configDir: string;
  readonly options: RunOptions;
  readonly progress: Progress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Until its runs are over, or it is stopped. Returns whether its last run failed. */
async function runToEnd(job: RunningJob, running: Running): Promise<boolean> {
  const { settings, configDir, options, progress, logger, signal } = running;
  if (options.loop < 0) logger.info('Crawler started in watch mode. It will run unless you stop it with CTRL+C.');
  const ticker = progress.enabled ? setInterval(() => progress.refresh(job.activity()), TICK_MS) : undefined;
  const { failed } = await job.ended();
  clearInterval(ticker);
  progress.end();
  // Asked of the index while it is open, and said last.
  const summary = signal.aborted || options.silent ? undefined : await summarise(job, { settings, configDir, failed });
  try {
    await job.stop();
  } finally {
    printSummary(summary);
  }
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
