import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { packageVersion } from '../base/package-root.js';
import { normaliseRoot } from '../base/path.js';
import { printDuration } from '../base/units.js';
import { Crawler } from '../crawler/crawler.js';
import { IngestPort } from '../crawler/scan/ingest-port.js';
import type { ScanProgress } from '../crawler/scan/scan-port.js';
import type { SearchEngine } from '../engine/engine.js';
import { openEngine } from '../engine/registry.js';
import type { ExtractorService } from '../extract/extraction.js';
import { BulkWriter } from '../ingest/bulk-writer.js';
import { DocumentRules } from '../ingest/document-rules.js';
import { DocumentIngester } from '../ingest/ingester.js';
import { sweepSpool } from '../ingest/spool.js';
import { openPasswords } from '../passwords/registry.js';
import type { JobSettings } from '../settings/job-settings.js';
import { openTreeSource } from '../source/registry.js';
import type { TreeSource } from '../source/source.js';
import { CheckpointFile } from '../state/checkpoint-file.js';
import { JobLock } from '../state/job-lock.js';
import { EngineGate } from './engine-gate.js';
import { openExtractor } from './open-extractor.js';
import { readStaticMetadata } from './static-metadata.js';
import { startRestService, type RunningRest } from './start-rest.js';
import { ThreadScanRunner } from './thread-scan-runner.js';

export interface JobOptions {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  /** Runs to make; negative is endless, 0 crawls nothing. */
  readonly loops: number;
  readonly rest: boolean;
  /** Forget the checkpoint and index every file again. */
  readonly restart: boolean;
  readonly debug: boolean;
  readonly logger: Logger;
  readonly documentLog: Logger;
  readonly onProgress: (progress: ScanProgress) => void;
  /** Count the tree ahead of the scan, for an estimate of its end. */
  readonly wantsTotal: boolean;
  readonly onTotal: (files: number) => void;
}

const STOP_GRACE_MS = 30_000;

/** A running job: every object of the program, built in one place and stopped in the opposite order. */
export class Job {
  readonly engine: SearchEngine;
  readonly #lock: JobLock;
  readonly #extractor: ExtractorService;
  readonly #writer: BulkWriter;
  readonly #crawler: Crawler | undefined;
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
  readonly source: TreeSource | undefined;
  readonly rest: RunningRest | undefined;
  readonly cancel: AbortController;
}

async function assemble(options: JobOptions, lock: JobLock, undo: (() => unknown)[]): Promise<JobParts> {
  const { settings, jobDirectory, logger } = options;
  let rest: RunningRest | undefined;
  const checkpoints = await prepareCheckpoint(options);
  await sweepSpool(settings.fs.tempDir, systemClock.now());
  const staticMetadata = readStaticMetadata(settings);
  const baseUrl = (): string | undefined => rest?.url;
  const version = packageVersion();
  const engine = await openEngine(settings, { jobDirectory, baseUrl, version, clock: systemClock, logger });
  undo.push(() => engine.close());
  const cancel = new AbortController();
  // Every document under way listens to it.
  setMaxListeners(0, cancel.signal);
  const gate = new EngineGate(engine, logger, cancel.signal);
  const extractor = openExtractor(settings, logger);
  undo.push(() => extractor.close());
  const rules = new DocumentRules(settings, staticMetadata);
  const writer = new BulkWriter({ engine, ...settings.engine, logger });
  const ingester = new DocumentIngester({
    ...options,
    rules,
    extractor,
    engine,
    writer,
    passwords: openPasswords(settings, logger),
    spoolDirectory: settings.fs.tempDir,
    now: () => systemClock.now(),
  });
  const crawler = crawls(options)
    ? await buildCrawler(options, {
        checkpoints,
        staticMetadata,
        engine,
        gate,
        extractor,
        writer,
        ingester,
        cancel,
        undo,
      })
    : undefined;
  if (options.rest) {
    rest = await startRestService({ ...options, engine, gate, ingester, crawler: crawler?.crawler });
    const running = rest;
    undo.push(() => running.stop(0));
  } else await gate.prepare();
  if (crawler !== undefined) {
    if (options.restart) await crawler.runner.forgetRules();
    await crawler.crawler.start(options.rest);
  }
  const { crawler: built, source } = crawler ?? {};
  return { engine, lock, extractor, writer, crawler: built, source, rest, cancel };
}

/** `--loop 0`, or a job without a root, has no crawler at all. */
function crawls({ loops, settings }: JobOptions): boolean {
  return loops !== 0 && settings.fs.url !== '';
}

interface BuiltCrawler {
  readonly crawler: Crawler;
  readonly runner: ThreadScanRunner;
  readonly source: TreeSource;
}

interface CrawlerParts {
  readonly checkpoints: CheckpointFile;
  readonly staticMetadata: ReturnType<typeof readStaticMetadata>;
  readonly engine: SearchEngine;
  readonly gate: EngineGate;
  readonly extractor: ExtractorService;
  readonly writer: BulkWriter;
  readonly ingester: DocumentIngester;
  readonly cancel: AbortController;
  readonly undo: (() => unknown)[];
}

async function buildCrawler(options: JobOptions, parts: CrawlerParts): Promise<BuiltCrawler> {
  const { settings, jobDirectory, logger, documentLog } = options;
  const { engine, writer, ingester, extractor } = parts;
  const source = await openTreeSource(settings, {
    configDirectory: dirname(jobDirectory),
    log: (message) => logger.warn(message),
  });
  parts.undo.push(() => source.close());
  if (options.wantsTotal)
    void source.census?.(normaliseRoot(settings.fs.url), parts.cancel.signal).then(options.onTotal, () => undefined);
  const port = new IngestPort(
    {
      source,
      ingester,
      engine,
      writer,
      logger,
      documentLog,
      index: settings.engine.index,
      withAttributes: settings.fs.attributesSupport,
      withAcl: settings.fs.attributesSupport && settings.fs.aclSupport,
      onProgress: (progress) => {
        crawler.onProgress(progress);
        options.onProgress(progress);
      },
    },
    parts.cancel.signal,
  );
  const runner = new ThreadScanRunner({
    port,
    indexIdentity: () => parts.gate.identity(),
    data: {
      settings,
      jobDirectory,
      extractorVersion: extractor.version,
      staticMetadata: parts.staticMetadata,
      // Two batches with the engine, one that fills, and what the pool works on.
      maxUnderWay: 3 * settings.engine.bulkSize + 4 * extractor.concurrency,
    },
  });
  parts.undo.push(() => runner.close());
  const crawler = new Crawler({
    job: settings.name,
    root: normaliseRoot(settings.fs.url),
    updateRateMs: settings.fs.updateRateMs,
    updateRateText: printDuration(settings.fs.updateRateMs),
    rules: { loops: options.loops, staysUp: options.rest },
    continueOnError: settings.fs.continueOnError,
    runner,
    checkpoints: parts.checkpoints,
    clock: systemClock,
    logger,
  });
  return { crawler, runner, source };
}

async function prepareCheckpoint({ jobDirectory, restart, settings, logger }: JobOptions): Promise<CheckpointFile> {
  const checkpoints = new CheckpointFile(jobDirectory);
  if (restart) await checkpoints.clearAll();
  try {
    if (await checkpoints.migrateLegacyStatus()) {
      logger.info(`Migrated the legacy _status.json of job [${settings.name}] to _checkpoint.json and removed it.`);
    }
  } catch (error) {
    logger.warn(`Error migrating legacy _status.json: ${messageOf(error)}`);
  }
  return checkpoints;
}
