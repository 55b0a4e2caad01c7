import { dirname, join } from 'node:path';
import { systemClock } from '../base/clock.js';
import { normaliseRoot } from '../base/path.js';
import { printDuration } from '../base/units.js';
import { Crawler } from '../crawler/crawler.js';
import { ScanHost } from '../crawler/scan-thread/scan-host.js';
import { ThreadScanRunner } from '../crawler/scan-thread/thread-scan-runner.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { SearchEngine } from '../engine/engine.js';
import type { SharedExtraction } from '../extract/index.js';
import { MOST_IN_FLIGHT, type BulkWriter } from '../ingest/bulk-writer.js';
import type { CountingIngester } from '../ingest/counting-ingester.js';
import type { readStaticMetadata } from '../ingest/static-metadata.js';
import type { JobMonitor } from '../operations/monitor/job-monitor.js';
import { RunWorkCount } from '../operations/monitor/run-work-count.js';
import { openTreeSource } from '../source/registry.js';
import type { TreeSource } from '../source/source.js';
import { refuseNewerCatalog } from '../state/catalog-file.js';
import type { CheckpointFile } from '../state/checkpoint-file.js';
import type { JobOptions } from './job-options.js';

/** The crawler of a job with what it runs on. */
export interface BuiltCrawler {
  readonly crawler: Crawler;
  readonly runner: ThreadScanRunner;
  readonly source: TreeSource;
}

export interface CrawlerParts {
  readonly checkpoints: CheckpointFile;
  readonly staticMetadata: ReturnType<typeof readStaticMetadata>;
  readonly engine: SearchEngine;
  readonly connection: EngineConnection;
  readonly extractor: SharedExtraction;
  readonly writer: BulkWriter;
  readonly ingester: CountingIngester;
  readonly monitor: JobMonitor;
  /** Gives up documents whose extraction has not begun. */
  readonly queueSignal: AbortSignal;
  /** Gives up all documents. */
  readonly signal: AbortSignal;
  readonly undo: (() => unknown)[];
}

/** Builds the crawler with its source and its thread; `undo` learns how to take them down again. */
export async function buildCrawler(options: JobOptions, parts: CrawlerParts): Promise<BuiltCrawler> {
  const { settings, jobDirectory, logger, documentLog } = options;
  const { engine, writer, ingester, extractor, monitor } = parts;
  refuseNewerCatalog(join(jobDirectory, 'catalog.db'));
  const source = await openTreeSource(settings, {
    configDirectory: dirname(jobDirectory),
    log: (message) => logger.warn(message),
  });
  parts.undo.push(() => source.close());
  const host = new ScanHost(
    {
      source,
      ingester,
      engine,
      writer,
      logger,
      documentLog,
      index: settings.engine.index,
      ...(options.onDocument === undefined ? {} : { onDocument: options.onDocument }),
      onSmallText: ({ name, size }, elapsedMs) => extractor.addTime(name, size, elapsedMs),
      onProgress: (progress) => {
        crawler.onProgress(progress);
        monitor.onProgress(progress);
        options.onProgress(progress, monitor.activity());
      },
      onChangesDue: () => crawler.onChangesDue(),
      onWatchEnded: (message) => crawler.onWatchEnded(message),
    },
    parts.signal,
    parts.queueSignal,
  );
  const data = {
    settings,
    jobDirectory,
    extractorVersion: extractor.version,
    staticMetadata: parts.staticMetadata,
    // The batches with the engine, one that fills, and what the pool works on.
    maxUnderWay: (MOST_IN_FLIGHT + 1) * settings.engine.bulkSize + 4 * extractor.concurrency,
    inBackground: options.rest,
  };
  const runner = new ThreadScanRunner({ host, indexIdentity: () => parts.connection.identity(), data });
  parts.undo.push(() => runner.close());
  const crawler = new Crawler({
    job: settings.name,
    root: normaliseRoot(settings.fs.url),
    updateRateMs: settings.fs.updateRateMs,
    updateRateText: printDuration(settings.fs.updateRateMs),
    rules: { loops: options.loops, staysUp: options.rest },
    continueOnError: settings.fs.continueOnError,
    watches: settings.fs.watch,
    runner,
    checkpoints: parts.checkpoints,
    clock: systemClock,
    logger,
  });
  const work = source.features.cheapListing ? { work: new RunWorkCount(data) } : {};
  monitor.watch({ status: () => crawler.status(), totals: () => runner.totals(), ...work });
  return { crawler, runner, source };
}
