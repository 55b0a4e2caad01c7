import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import { packageVersion } from '../base/package-root.js';
import type { Crawler } from '../crawler/crawler.js';
import type { Activity } from '../crawler/monitor.js';
import type { ScanRunner } from '../crawler/scan/scan-runner.js';
import type { SearchEngine } from '../engine/engine.js';
import { readIncidents } from '../engine/index-incidents.js';
import { openEngine } from '../engine/registry.js';
import type { ExtractorService } from '../extract/extraction.js';
import { SharedExtraction } from '../extract/shared-extraction.js';
import { BulkWriter } from '../ingest/bulk-writer.js';
import { DocumentRules } from '../ingest/document-rules.js';
import { DocumentIngester } from '../ingest/ingester.js';
import { sweepSpool } from '../ingest/spool.js';
import { openPasswords } from '../passwords/registry.js';
import type { TreeSource } from '../source/source.js';
import type { CatalogTotals } from '../state/catalog.js';
import type { JobSettings } from '../settings/job-settings.js';
import { CheckpointFile } from '../state/checkpoint-file.js';
import { JobLock } from '../state/job-lock.js';
import { buildCrawler, estimateTotal } from './build-crawler.js';
import { CountingIngester } from './counting-ingester.js';
import { EngineGate } from './engine-gate.js';
import { JobMonitor } from './job-monitor.js';
import type { JobOptions } from './job-options.js';
import { openExtractor } from './open-extractor.js';
import { readStaticMetadata } from './static-metadata.js';
import { startRestService, type RunningRest } from './start-rest.js';

const STOP_GRACE_MS = 30_000;

/** A running job: every object of the program, built in one place and stopped in the opposite order. */
export class Job {
  readonly engine: SearchEngine;
  readonly #lock: JobLock;
  readonly #extractor: ExtractorService;
  readonly #writer: BulkWriter;
  readonly #crawler: Crawler | undefined;
  readonly #runner: ScanRunner | undefined;
  readonly #monitor: JobMonitor;
  readonly #source: TreeSource | undefined;
  readonly #rest: RunningRest | undefined;
  readonly #cancel: AbortController;
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
    this.#cancel = parts.cancel;
  }

  /** Builds and starts everything. Throws a CrawlerError with a sentence, leaving nothing behind. */
  static async start(options: JobOptions): Promise<Job> {
    mkdirSync(options.jobDirectory, { recursive: true });
    const lock = JobLock.acquire(join(options.jobDirectory, 'job.lock'), options.settings.name);
    const undo: (() => unknown)[] = [() => lock.release()];
    try {
      return new Job(await assemble(options, lock, undo));
    } catch (error) {
      for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined);
      throw error;
    }
  }

  /** What the job does at this moment. */
  activity(): Activity {
    return this.#monitor.activity();
  }

  /** What the catalog holds; undefined without a crawl. */
  async totals(): Promise<CatalogTotals | undefined> {
    return await this.#runner?.totals();
  }

  /** Resolves when the runs of `--loop N` are over and nothing keeps the program up. */
  async ended(): Promise<{ readonly failed: boolean }> {
    if (this.#crawler === undefined) return await new Promise(() => undefined);
    return await this.#crawler.ended;
  }

  /** Finishes what is in flight (bounded), flushes, saves the checkpoint, closes. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const giveUp = setTimeout(() => this.#cancel.abort(), STOP_GRACE_MS);
    await this.#rest?.stop(STOP_GRACE_MS);
    await this.#crawler?.close();
    await this.#writer.close(STOP_GRACE_MS);
    clearTimeout(giveUp);
    await this.#source?.close();
    await this.#extractor.close();
    await this.engine.close();
    this.#lock.release();
  }
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
  readonly cancel: AbortController;
}

async function assemble(options: JobOptions, lock: JobLock, undo: (() => unknown)[]): Promise<JobParts> {
  const { settings } = options;
  let rest: RunningRest | undefined;
  const checkpoints = await prepareCheckpoint(options);
  await sweepSpool(settings.fs.tempDir, systemClock.now());
  const baseUrl = (): string | undefined => rest?.url;
  const cancel = new AbortController();
  // Every document under way listens to it.
  setMaxListeners(0, cancel.signal);
  const parts = await openParts(options, baseUrl, cancel.signal, undo);
  const { engine, gate, extractor, writer, ingester, monitor } = parts;
  for (const { message } of readIncidents(options.jobDirectory)) options.logger.warn(unacknowledged(message, settings));
  const crawler = crawls(options) ? await buildCrawler(options, { ...parts, checkpoints, cancel, undo }) : undefined;
  if (crawler !== undefined) {
    if (options.restart) await crawler.runner.forgetRules();
    await crawler.crawler.prepare();
  }
  if (options.rest) {
    rest = await startRestService({ ...options, engine, gate, ingester, monitor, crawler: crawler?.crawler });
    const running = rest;
    undo.push(() => running.stop(0));
  } else await gate.prepare();
  if (crawler !== undefined) {
    await crawler.crawler.start(options.rest);
    if (options.rest || options.wantsTotal)
      void estimateTotal(crawler, settings.fs.url, monitor, cancel.signal).catch(() => undefined);
  }
  const { crawler: built, runner, source } = crawler ?? {};
  return { engine, lock, extractor, writer, crawler: built, runner, monitor, source, rest, cancel };
}

interface WorkingParts {
  readonly staticMetadata: ReturnType<typeof readStaticMetadata>;
  readonly engine: SearchEngine;
  readonly gate: EngineGate;
  readonly extractor: ExtractorService;
  readonly writer: BulkWriter;
  readonly ingester: CountingIngester;
  readonly monitor: JobMonitor;
}

/** Everything from bytes to the index: what crawl and service share. */
async function openParts(
  { settings, jobDirectory, logger, documentLog }: JobOptions,
  baseUrl: () => string | undefined,
  signal: AbortSignal,
  undo: (() => unknown)[],
): Promise<WorkingParts> {
  const clock = systemClock;
  const staticMetadata = readStaticMetadata(settings);
  const version = packageVersion();
  const engine = await openEngine(settings, { jobDirectory, baseUrl, version, clock, logger, owned: true });
  undo.push(() => engine.close());
  const gate = new EngineGate(engine, logger, signal);
  const extractor = new SharedExtraction(await openExtractor(settings, logger, { jobDirectory, signal }));
  undo.push(() => extractor.close());
  const writer = new BulkWriter({ engine, ...settings.engine, logger });
  const ingester = new CountingIngester(
    new DocumentIngester({
      rules: new DocumentRules(settings, staticMetadata),
      extractor,
      engine,
      writer,
      passwords: openPasswords(settings, logger),
      spoolDirectory: settings.fs.tempDir,
      now: () => clock.now(),
      logger,
      documentLog,
    }),
  );
  const monitor = new JobMonitor({
    engine,
    gate,
    extractor,
    writer,
    ingester,
    clock,
    documentMs: longestExtraction(settings),
  });
  return { staticMetadata, engine, gate, extractor, writer, ingester, monitor };
}

/** Milliseconds that one document may take, whoever extracts it and with all of its pictures. */
function longestExtraction({ extractor: { provider, limits, tika }, fs: { ocr } }: JobSettings): number {
  const textMs = provider === 'embedded' ? limits.timeMs : Math.max(limits.timeMs, tika.timeoutMs);
  return ocr.enabled ? textMs + ocr.documentTimeoutMs : textMs;
}

/** A loss is told at every start until somebody has said that it was read. */
function unacknowledged(message: string, { name }: JobSettings): string {
  return `${message} [crawler verify ${name} --acknowledge] acknowledges it.`;
}

/** `--loop 0`, or a job without a root, has no crawler at all. */
function crawls({ loops, settings }: JobOptions): boolean {
  return loops !== 0 && settings.fs.url !== '';
}

async function prepareCheckpoint({ jobDirectory, restart, settings, logger }: JobOptions): Promise<CheckpointFile> {
  const checkpoints = new CheckpointFile(jobDirectory);
  if (restart) await checkpoints.clearAll();
  try {
    if (await checkpoints.migrateLegacyStatus()) {
      logger.info(
        `Migrated the legacy _status.json of job [${settings.name}] to _checkpoint.json; it is kept as _status.json.migrated.`,
      );
    }
  } catch (error) {
    logger.warn(`Error migrating legacy _status.json: ${messageOf(error)}`);
  }
  return checkpoints;
}
