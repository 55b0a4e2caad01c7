import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { abortable } from '../base/abortable.js';
import { systemClock } from '../base/clock.js';
import { throwIfCancelled } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { makeFolder } from '../base/make-folder.js';
import { packageVersion } from '../base/package-root.js';
import type { Crawler } from '../crawler/crawler.js';
import type { RunSummary } from '../crawler/run-record.js';
import type { ScanRunner } from '../crawler/scan/scan-runner.js';
import { EngineConnection } from '../engine/engine-connection.js';
import type { SearchEngine } from '../engine/engine.js';
import { readIncidents } from '../engine/index-incidents.js';
import { openEngine } from '../engine/registry.js';
import { openExtractor, SharedExtraction, smallTextsFirst, type ExtractorService } from '../extract/index.js';
import { BulkWriter } from '../ingest/bulk-writer.js';
import { CountingIngester } from '../ingest/counting-ingester.js';
import { DocumentBuilder } from '../ingest/document-builder.js';
import { DocumentRules } from '../ingest/document-rules.js';
import type { Ingester } from '../ingest/ingest.js';
import { DocumentIngester } from '../ingest/ingester.js';
import { readStaticMetadata } from '../ingest/static-metadata.js';
import { JobMonitor } from '../operations/monitor/job-monitor.js';
import type { Activity, RunActivity } from '../operations/monitor/monitor.js';
import { openPasswords } from '../passwords/registry.js';
import { crawlerCommand } from '../settings/crawler-command.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { TreeSource } from '../source/source.js';
import { Spool } from '../source/spool.js';
import type { ReasonCounts } from '../state/catalog.js';
import { JobLock } from '../state/job-lock.js';
import { prepareCheckpoint } from '../state/prepare-checkpoint.js';
import { beginsWithTexts } from './begins-with-texts.js';
import { buildCrawler } from './build-crawler.js';
import type { JobOptions } from './job-options.js';
import { startRestService, type RunningRest } from './start-rest.js';

/** How long documents in hand and requests in flight may take to come to their end once the job is being stopped. */
const FINISH_MS = 25_000;
/** After that, how long the engine may take for what is finished. */
const WRITE_MS = 2_000;

/** A running job: every object of the program, built in one place and stopped in the opposite order. */
export class Job {
  readonly engine: SearchEngine;
  /** Takes documents into the index of the job. */
  readonly ingester: Ingester;
  readonly #lock: JobLock;
  readonly #extractor: ExtractorService;
  readonly #writer: BulkWriter;
  readonly #crawler: Crawler | undefined;
  readonly #runner: ScanRunner | undefined;
  readonly #monitor: JobMonitor;
  readonly #source: TreeSource | undefined;
  readonly #rest: RunningRest | undefined;
  readonly #index: string;
  readonly #logger: Logger;
  readonly #ending: Ending;
  #stopping: Promise<void> | undefined;

  private constructor(parts: JobParts) {
    this.engine = parts.engine;
    this.#lock = parts.lock;
    this.#extractor = parts.extractor;
    this.#writer = parts.writer;
    this.#crawler = parts.crawler;
    this.#runner = parts.runner;
    this.#monitor = parts.monitor;
    this.#source = parts.source;
    this.#rest = parts.rest;
    this.ingester = parts.ingester;
    this.#index = parts.index;
    this.#logger = parts.logger;
    this.#ending = parts.ending;
  }

  /**
   * Builds and starts everything. Throws a CrawlerError with a sentence, leaving nothing behind; `cancelled` when it was
   * stopped before it had started.
   */
  static async start(options: JobOptions): Promise<Job> {
    const { signal = new AbortController().signal } = options;
    makeFolder(options.jobDirectory, 'The folder of the job');
    const lock = JobLock.acquire(join(options.jobDirectory, 'job.lock'), options.settings.name);
    const undo: (() => unknown)[] = [() => lock.release()];
    const ending = { stop: new AbortController(), cancel: new AbortController() };
    // Every document under way listens to them.
    for (const { signal: each } of Object.values(ending)) setMaxListeners(0, each);
    const breakOff = (): void => ending.stop.abort();
    if (signal.aborted) breakOff();
    else signal.addEventListener('abort', breakOff, { once: true });
    try {
      const job = new Job(await assemble(options, lock, ending, undo));
      signal.removeEventListener('abort', breakOff);
      if (signal.aborted) void job.stop();
      else signal.addEventListener('abort', () => void job.stop(), { once: true });
      return job;
    } catch (error) {
      for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined);
      throw error;
    }
  }

  /** What the job does at this moment. */
  activity(): Activity {
    return this.#monitor.activity();
  }

  /** What is not in the index, or not all of it; undefined without a crawl. */
  async reasons(): Promise<ReasonCounts | undefined> {
    return await this.#runner?.reasons();
  }

  /** How far the job has come; undefined without a crawl. */
  runSummary(): JobRunSummary | undefined {
    if (this.#crawler === undefined) return undefined;
    return { ...this.#crawler.runSummary(), run: this.activity().run };
  }

  /** Address of the REST service; undefined without one. */
  get url(): string | undefined {
    return this.#rest?.url;
  }

  /** Documents that are being extracted, or written into the job's index. */
  documentsInHand(): number {
    return this.activity().current.length + this.#writer.unanswered(this.#index);
  }

  /** Resolves when the runs of `--loop N` are over and nothing keeps the program up, or when the job was stopped. */
  async ended(): Promise<{ readonly failed: boolean }> {
    if (this.#crawler !== undefined) return await this.#crawler.ended;
    const { signal } = this.#ending.stop;
    return await new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failed: false })));
  }

  /**
   * Drops what has not been begun, finishes the documents in hand and the requests in flight (within 25 s), flushes, saves
   * the checkpoint, closes. What was not finished stays pending. Safe to call twice.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { stop, cancel } = this.#ending;
    const giveUp = setTimeout(() => this.#giveUp(), FINISH_MS);
    // The scan hears of it before the first document of its queue comes back.
    const crawlEnded = this.#crawler?.close();
    stop.abort();
    await Promise.all([crawlEnded, this.#rest?.stop(FINISH_MS)]);
    await this.#writer.close(cancel.signal.aborted ? WRITE_MS : FINISH_MS);
    clearTimeout(giveUp);
    await Promise.all([this.#monitor.close(), this.#source?.close(), this.#extractor.close(), this.engine.close()]);
    this.#lock.release();
  }

  #giveUp(): void {
    const documents = this.activity().current.map(({ document }) => `[${document}]`);
    if (documents.length > 0) {
      this.#logger.warn(`Gave up after ${FINISH_MS / 1000} s; still pending: ${documents.join(', ')}.`);
    }
    this.#ending.cancel.abort();
  }
}

/** What became of a job's last run. */
export interface JobRunSummary extends RunSummary {
  /** Its counts; undefined before the first. */
  readonly run: RunActivity | undefined;
}

/** The two steps in which a job ends. */
interface Ending {
  /** Nothing new is begun: waiting ends, and so does whatever waits in a queue. */
  readonly stop: AbortController;
  /** Documents in hand are given up. */
  readonly cancel: AbortController;
}

interface JobParts {
  readonly engine: SearchEngine;
  readonly lock: JobLock;
  readonly extractor: ExtractorService;
  readonly writer: BulkWriter;
  readonly crawler: Crawler | undefined;
  readonly runner: ScanRunner | undefined;
  readonly monitor: JobMonitor;
  readonly source: TreeSource | undefined;
  readonly rest: RunningRest | undefined;
  readonly ingester: Ingester;
  readonly index: string;
  readonly logger: Logger;
  readonly ending: Ending;
}

async function assemble(
  options: JobOptions,
  lock: JobLock,
  ending: Ending,
  undo: (() => unknown)[],
): Promise<JobParts> {
  const { settings, logger } = options;
  const { signal: stop } = ending.stop;
  let rest: RunningRest | undefined;
  const checkpoints = await prepareCheckpoint(options);
  const spool = new Spool(settings.fs.tempDir, 'crawl');
  await spool.clean();
  const baseUrl = (): string | undefined => rest?.url;
  const parts = await openParts(options, { spool, baseUrl, stop, undo });
  throwIfCancelled(stop);
  const { engine, connection, extractor, writer, ingester, monitor } = parts;
  for (const { message } of readIncidents(options.jobDirectory)) options.logger.warn(unacknowledged(message, options));
  const signals = { queueSignal: stop, signal: ending.cancel.signal };
  const crawler = crawls(options)
    ? await buildCrawler(options, { ...parts, ...signals, checkpoints, undo })
    : undefined;
  // A service answers before the engine is there. Otherwise the threads of crawl and index start side by side.
  const connected = options.rest ? undefined : connection.prepare();
  connected?.catch(() => undefined);
  if (crawler !== undefined) {
    if (options.restart) await abortable(stop, crawler.runner.forgetRules());
    await abortable(stop, crawler.crawler.prepare());
  }
  if (options.rest) {
    rest = await startRestService({ ...options, engine, connection, ingester, monitor, crawler: crawler?.crawler });
    const running = rest;
    undo.push(() => running.stop(0));
  }
  if (connected !== undefined) await abortable(stop, connected);
  throwIfCancelled(stop);
  await crawler?.crawler.start(options.rest);
  const { crawler: built, runner, source } = crawler ?? {};
  const { index } = settings.engine;
  const threads = { extractor, writer, crawler: built, runner, monitor, source };
  return { engine, lock, ...threads, rest, ingester, index, logger, ending };
}

interface WorkingParts {
  readonly staticMetadata: ReturnType<typeof readStaticMetadata>;
  readonly engine: SearchEngine;
  readonly connection: EngineConnection;
  readonly extractor: SharedExtraction;
  readonly writer: BulkWriter;
  readonly ingester: CountingIngester;
  readonly monitor: JobMonitor;
}

interface PartsContext {
  /** Holds remote files. */
  readonly spool: Spool;
  readonly baseUrl: () => string | undefined;
  readonly stop: AbortSignal;
  readonly undo: (() => unknown)[];
}

/** Everything from bytes to the index: what crawl and service share. */
async function openParts(options: JobOptions, { spool, baseUrl, stop, undo }: PartsContext): Promise<WorkingParts> {
  const { settings, jobDirectory, logger, documentLog } = options;
  const clock = systemClock;
  const staticMetadata = readStaticMetadata(settings);
  const version = packageVersion();
  const extractor = new SharedExtraction(
    await openExtractor(settings, logger, {
      jobDirectory,
      signal: stop,
      isPrepared: true,
      inBackground: options.rest,
      isAwaited: crawls(options) && !existsSync(join(jobDirectory, 'catalog.db')) && !(await beginsWithTexts(settings)),
    }),
  );
  undo.push(() => extractor.close());
  const engine = await openEngine(settings, {
    jobDirectory,
    baseUrl,
    version,
    clock,
    logger,
    owned: true,
    stop,
  });
  undo.push(() => engine.close());
  const connection = new EngineConnection(engine, logger, stop);
  const writer = new BulkWriter({ engine, ...settings.engine, logger });
  const rules = new DocumentRules(settings, staticMetadata);
  const passwords = openPasswords(settings, logger);
  const builder = new DocumentBuilder({
    rules,
    extractor: smallTextsFirst(extractor, settings),
    passwords,
    spool,
    now: () => clock.now(),
    logger,
  });
  const ingester = new CountingIngester(new DocumentIngester({ rules, builder, engine, writer, documentLog }));
  const monitor = new JobMonitor({
    engine,
    connection,
    extractor,
    writer,
    ingester,
    clock,
    documentMs: longestExtraction(settings),
  });
  return { staticMetadata, engine, connection, extractor, writer, ingester, monitor };
}

/** Milliseconds that one document may take, whoever extracts it and with all of its pictures. */
function longestExtraction({ extractor: { provider, limits, tika }, fs: { ocr } }: JobSettings): number {
  const textMs = provider === 'embedded' ? limits.timeMs : Math.max(limits.timeMs, tika.timeoutMs);
  return ocr.enabled ? textMs + ocr.documentTimeoutMs : textMs;
}

/** A loss is reported at every start until somebody acknowledges it. */
function unacknowledged(message: string, { settings: { name }, jobDirectory }: JobOptions): string {
  const command = crawlerCommand({
    command: 'verify',
    operands: [name],
    options: ['--acknowledge'],
    configDir: dirname(jobDirectory),
  });
  return `${message} [${command}] acknowledges it.`;
}

/** `--loop 0`, or a job without a root, has no crawler at all. */
function crawls({ loops, settings }: JobOptions): boolean {
  return loops !== 0 && settings.fs.url !== '';
}
