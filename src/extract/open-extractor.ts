import { availableParallelism } from 'node:os';
import type { Logger } from '../base/logger.js';
import type { JobSettings } from '../settings/job-settings.js';
import { announceOcr } from './announce-ocr.js';
import { extractionLimits } from './extraction-limits.js';
import type { Extraction, ExtractorService } from './extraction.js';
import type { ExtractionPool } from './runtime/pool/extraction-pool.js';

export interface OpenExtractorOptions {
  /** Where the version of the Tika server is remembered; it must exist. Left out: nothing is. */
  readonly jobDirectory?: string;
  /** Ends the waiting for a Tika server. */
  readonly signal?: AbortSignal;
  /** Fails where the isolation that `extractor.sandbox: strict` asks for is not available, instead of with the first document. */
  readonly isPrepared?: boolean;
  /** Documents follow at once: the first process starts now, beside everything else that starts. */
  readonly isAwaited?: boolean;
  /** Somebody may be waiting for answers of this program, which go before extraction. */
  readonly inBackground?: boolean;
}

/**
 * The extractor service of a job (`extractor.provider`): sandbox processes, one a core, or a Tika server, or both.
 * @throws CrawlerError `settings_invalid` as `isPrepared` says; with a Tika server what `openTikaExtractor` throws
 */
export async function openExtractor(
  settings: JobSettings,
  logger: Logger,
  { jobDirectory, signal = new AbortController().signal, ...start }: OpenExtractorOptions = {},
): Promise<ExtractorService> {
  const { provider, tika } = settings.extractor;
  if (provider === 'embedded' || tika.url === undefined) return await openPool(settings, logger, start);
  const { openTikaExtractor } = await import('./tika/open-tika-extractor.js');
  return await openTikaExtractor(
    {
      settings: settings.extractor,
      url: tika.url,
      limits: extractionLimits(settings.extractor.limits).document,
      jobDirectory,
      // A server answers first, and may leave nothing to the processes.
      openPool: () => openPool(settings, logger, { ...start, isAwaited: false }),
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
  /** `extractor.sandbox_documents` */
  readonly documentsPerProcess?: number;
  /** With `strict` the first process is started at once, and awaited. */
  readonly isPrepared?: boolean;
  /** The first process is started at once. */
  readonly isAwaited?: boolean;
  /** What else this program does goes before extraction. */
  readonly inBackground?: boolean;
}

/**
 * The extractors of this program, in child processes. None is started before the first document, unless as `isPrepared` and
 * `isAwaited` say.
 * @throws CrawlerError `settings_invalid` when `isPrepared` and the processes cannot be isolated as they must be
 */
export async function openExtractionPool(options: PoolOptions): Promise<ExtractorService> {
  return await startPool(options);
}

async function startPool(options: PoolOptions): Promise<ExtractionPool> {
  const { sandbox, isPrepared = false, isAwaited = false, limits, ...rest } = options;
  const { isolatedPool } = await import('./runtime/isolated-pool.js');
  const pool = isolatedPool(sandbox, { ...rest, limits: extractionLimits(limits) });
  if (isPrepared && sandbox === 'strict') await prepared(pool);
  else if (isAwaited) pool.startFirst();
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
  start: Pick<PoolOptions, 'isPrepared' | 'isAwaited' | 'inBackground'>,
): Promise<ExtractorService> {
  const size = extractor.processes ?? availableParallelism();
  const { limits, sandbox, sandboxDocuments: documentsPerProcess } = extractor;
  const pool = await startPool({ size, logger, limits, sandbox, documentsPerProcess, ...start });
  if (!fs.indexContent) return pool;
  return afterTheFirstWithPictures(pool, () => void announceOcr(fs.ocr, logger, pool.programs));
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
