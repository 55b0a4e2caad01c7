import { availableParallelism } from 'node:os';
import type { Logger } from '../base/logger.js';
import type { JobSettings } from '../settings/job-settings.js';
import { announceOcr } from './announce-ocr.js';
import { extractionLimits } from './extraction-limits.js';
import type { Extraction, ExtractorService } from './extraction.js';

export interface OpenExtractorOptions {
  /** Where the version of the Tika server is remembered; it must exist. Left out: nothing is. */
  readonly jobDirectory?: string;
  /** Ends the waiting for a Tika server. */
  readonly signal?: AbortSignal;
  /** Fails where the isolation that `extractor.sandbox: strict` asks for is not available, instead of with the first document. */
  readonly isPrepared?: boolean;
}

/**
 * The extractor service of a job (`extractor.provider`): sandbox processes, one a core, or a Tika server, or both.
 * @throws CrawlerError `settings_invalid` as `isPrepared` says; with a Tika server what `openTikaExtractor` throws
 */
export async function openExtractor(
  settings: JobSettings,
  logger: Logger,
  { jobDirectory, signal = new AbortController().signal, isPrepared = false }: OpenExtractorOptions = {},
): Promise<ExtractorService> {
  const { provider, tika } = settings.extractor;
  if (provider === 'embedded' || tika.url === undefined) return await openPool(settings, logger, isPrepared);
  const { openTikaExtractor } = await import('./tika/open-tika-extractor.js');
  return await openTikaExtractor(
    {
      settings: settings.extractor,
      url: tika.url,
      limits: extractionLimits(settings.extractor.limits).document,
      jobDirectory,
      openPool: () => openPool(settings, logger, isPrepared),
      logger,
    },
    signal,
  );
}

export interface PoolOptions {
  /** The maximum number of processes. */
  readonly size: number;
  /** As in the settings. */
  readonly limits: JobSettings['extractor']['limits'];
  readonly logger: Logger;
  /** `extractor.sandbox` */
  readonly sandbox: JobSettings['extractor']['sandbox'];
  /** With `strict` the first process is started at once. */
  readonly isPrepared?: boolean;
}

/**
 * The extractors of this program, in child processes. None is started before the first document, unless as `isPrepared` says.
 * @throws CrawlerError `settings_invalid` when `isPrepared` and the processes cannot be isolated as they must be
 */
export async function openExtractionPool(options: PoolOptions): Promise<ExtractorService> {
  const { size, limits, logger, sandbox, isPrepared = false } = options;
  const { isolatedPool } = await import('./runtime/isolated-pool.js');
  const pool = isolatedPool(sandbox, { size, logger, limits: extractionLimits(limits) });
  if (isPrepared && sandbox === 'strict') await prepared(pool);
  return pool;
}

async function prepared(pool: { prepare(): Promise<void>; close(): Promise<void> }): Promise<void> {
  try {
    await pool.prepare();
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function openPool(
  { extractor, fs }: JobSettings,
  logger: Logger,
  isPrepared: boolean,
): Promise<ExtractorService> {
  const size = extractor.processes ?? availableParallelism();
  const { limits, sandbox } = extractor;
  const pool = await openExtractionPool({ size, logger, limits, sandbox, isPrepared });
  return fs.indexContent ? afterTheFirstWithPictures(pool, () => void announceOcr(fs.ocr, logger)) : pool;
}

/**
 * A service that calls `work` after its first document that may hold pictures: finding a program for them starts others, and
 * a run over texts needs none.
 */
function afterTheFirstWithPictures(service: ExtractorService, work: () => void): ExtractorService {
  let isAwaited = true;
  return {
    version: service.version,
    concurrency: service.concurrency,
    activity: () => service.activity(),
    close: () => service.close(),
    async extract(...request) {
      const extraction = await service.extract(...request);
      if (isAwaited && mayHoldPictures(extraction)) {
        isAwaited = false;
        work();
      }
      return extraction;
    },
  };
}

function mayHoldPictures({ contentType = '', members }: Extraction): boolean {
  return members.length > 0 || !/^(?:text\/|application\/(?:json|xml)\b)|^$/.test(contentType);
}
