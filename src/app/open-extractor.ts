import { availableParallelism } from 'node:os';
import type { Logger } from '../base/logger.js';
import { openExtractionPool, openTikaExtractor, type ExtractorService } from '../extract/index.js';
import type { JobSettings } from '../settings/job-settings.js';
import { announceOcr } from './announce-ocr.js';
import { extractionLimits } from './extraction-limits.js';

export interface ExtractorPlace {
  /** Where the version of the Tika server is remembered; it must exist. Left out: nothing is. */
  readonly jobDirectory?: string;
  /** Ends the waiting for a Tika server. */
  readonly signal?: AbortSignal;
}

/**
 * The extractor service of a job (`extractor.provider`): sandbox processes, one a core, or a Tika server, or both.
 * @throws what `openTikaExtractor` throws, with a Tika server
 */
export async function openExtractor(
  settings: JobSettings,
  logger: Logger,
  { jobDirectory, signal = new AbortController().signal }: ExtractorPlace = {},
): Promise<ExtractorService> {
  const { provider, tika } = settings.extractor;
  if (provider === 'embedded' || tika.url === undefined) return await openPool(settings, logger);
  return await openTikaExtractor(
    {
      settings: settings.extractor,
      url: tika.url,
      limits: extractionLimits(settings.extractor.limits).document,
      jobDirectory,
      openPool: () => openPool(settings, logger),
      logger,
    },
    signal,
  );
}

async function openPool({ extractor, fs }: JobSettings, logger: Logger): Promise<ExtractorService> {
  const pool = await openExtractionPool({
    size: extractor.processes ?? availableParallelism(),
    logger,
    limits: extractionLimits(extractor.limits),
  });
  return fs.indexContent ? beforeTheFirst(pool, () => void announceOcr(fs.ocr, logger)) : pool;
}

/** A service that calls `work` before its first document: a run that extracts nothing starts no program. */
function beforeTheFirst(service: ExtractorService, work: () => void): ExtractorService {
  let isFirst = true;
  return {
    version: service.version,
    concurrency: service.concurrency,
    activity: () => service.activity(),
    close: () => service.close(),
    extract(...request) {
      if (isFirst) work();
      isFirst = false;
      return service.extract(...request);
    },
  };
}
