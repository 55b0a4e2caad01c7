import { CrawlerError, throwIfCancelled } from '../base/errors.js';
import { silentLogger } from '../base/logger.js';
import { hasSettings, jobDirectory } from '../settings/jobs.js';
import { writeAdHocSettings } from '../cli/jobs/ad-hoc-job.js';
import type { Job } from '../app/job.js';
import { checkOptions } from './check-options.js';
import { locateJob, type LocatedJob } from './locate-job.js';
import type { Crawl, CrawlOptions, CrawlStatus, CrawlSummary, DocumentEvent } from './types.js';

const OPTIONS = [
  'configDir',
  'settings',
  'logger',
  'signal',
  'runs',
  'watch',
  'rest',
  'restart',
  'onDocument',
] as const;

/**
 * Starts to crawl a job: a folder of documents, by a path with a separator in it (`/data`, `./docs`), or a job of `configDir`
 * by its name. It is the job that `crawler <place>` would run, with the same index; a folder without a job gets one.
 *
 * @returns once the crawl has begun
 * @throws CrawlerError `not_found` for a folder or a job that does not exist, `settings_invalid` with every problem of the
 *   settings, `conflict` while another crawl of the job is running, `unavailable` when the search engine is away, `denied` and
 *   `disk_full` for the files of the job, `cancelled` when `signal` is aborted meanwhile, `usage` for options that do not exist
 */
export async function crawl(place: string, options: CrawlOptions = {}): Promise<Crawl> {
  const startedMs = performance.now();
  checkOptions('crawl', options, OPTIONS);
  const { signal = new AbortController().signal } = options;
  throwIfCancelled(signal);
  const { runs = 1, rest = false } = options;
  if (!Number.isInteger(runs) || runs < -1) {
    throw new CrawlerError(
      'usage',
      `[${runs}] is not a number of runs. Give a whole number, or -1 to run without end.`,
    );
  }
  const opened = preparedJob(place, options);
  if (opened.settings.fs.url === '' && !rest) {
    throw new CrawlerError(
      'settings_invalid',
      `The job [${opened.settings.name}] has nothing to crawl: fs.url is empty.`,
      {
        subject: 'fs.url',
      },
    );
  }
  const counts = { skipped: 0 };
  const job = await startJob(opened, { ...options, runs, rest, signal }, counts);
  return new RunningCrawl(job, { name: opened.settings.name, signal, startedMs, counts });
}

/** A folder becomes an ordinary job, which has its settings in a file. */
function preparedJob(place: string, options: CrawlOptions): LocatedJob {
  const { watch, settings } = options;
  const given = watch === undefined ? settings : { ...settings, 'fs.watch': watch };
  const chosen = given === undefined ? options : { ...options, settings: given };
  const opened = locateJob(place, chosen, 'run');
  const {
    configDir,
    root,
    settings: { name },
  } = opened;
  if (root === undefined || hasSettings(configDir, name)) return opened;
  writeAdHocSettings(configDir, { name, root });
  return locateJob(place, chosen, 'run');
}

type StartOptions = CrawlOptions & Required<Pick<CrawlOptions, 'runs' | 'rest' | 'signal'>>;

async function startJob(
  { configDir, settings, warnings }: LocatedJob,
  { logger = silentLogger, runs, rest, restart = false, signal, onDocument }: StartOptions,
  counts: { skipped: number },
): Promise<Job> {
  for (const warning of warnings) logger.warn(warning);
  const { Job: JobClass } = await import('../app/job.js');
  return await JobClass.start({
    settings,
    jobDirectory: jobDirectory(configDir, settings.name),
    loops: runs,
    rest,
    restart,
    debug: false,
    logger,
    documentLog: silentLogger,
    onProgress: () => undefined,
    onDocument: (event: DocumentEvent) => {
      if (event.state === 'skipped') counts.skipped += 1;
      onDocument?.(event);
    },
    signal,
  });
}

interface CrawlContext {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly startedMs: number;
  readonly counts: { readonly skipped: number };
}

class RunningCrawl implements Crawl {
  readonly job: string;
  readonly url: string | undefined;
  readonly done: Promise<CrawlSummary>;
  readonly #running: Job;
  #isStopped = false;

  constructor(running: Job, context: CrawlContext) {
    this.job = context.name;
    this.url = running.url;
    this.#running = running;
    this.done = this.#end(context);
    // A caller that does not await the end does not get its error.
    this.done.catch(() => undefined);
  }

  status(): CrawlStatus {
    const { run, filesPerSecond, remainingMs, current } = this.#running.activity();
    const { indexed = 0, deleted: removed = 0, failed = 0, total } = run ?? {};
    return {
      indexed,
      removed,
      failed,
      total,
      filesPerSecond,
      remainingMs,
      current: current.map(({ document, elapsedMs }) => ({ document, elapsedMs })),
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end({ signal, startedMs, counts }: CrawlContext): Promise<CrawlSummary> {
    const job = this.#running;
    const { failed } = await job.ended();
    const isStopped = this.#isStopped || signal.aborted;
    const reasons = isStopped ? undefined : await job.reasons().catch(() => undefined);
    const { indexed, removed, failed: failures } = this.status();
    const error = failed ? job.runSummary()?.lastError : undefined;
    await job.stop();
    throwIfCancelled(signal);
    return {
      outcome: isStopped ? 'stopped' : failed ? 'failed' : 'completed',
      indexed,
      removed,
      failed: failures,
      skipped: counts.skipped,
      reasons: reasons ?? {},
      error,
      elapsedMs: performance.now() - startedMs,
    };
  }
}
