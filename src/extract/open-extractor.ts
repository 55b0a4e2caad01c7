import { availableParallelism } from 'node:os';
import type { Logger } from '../base/logger.js';
import type { JobSettings } from '../settings/job-settings.js';
import { announceOcr } from './announce-ocr.js';
import { extractionLimits } from './extraction-limits.js';
import type { ExtractorService } from './extraction.js';

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
  const { openTikaExtractor } = await import('./tika/open-tika-extractor.js');
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
  if (fs.indexContent) void announceOcr(fs.ocr, logger);
  const { ExtractionPool } = await import('./runtime/pool/extraction-pool.js');
  return new ExtractionPool({
    size: extractor.processes ?? availableParallelism(),
    logger,
    limits: extractionLimits(extractor.limits),
  });
}
