import { availableParallelism } from 'node:os';
import type { Logger } from '../base/logger.js';
import type { ExtractorService } from '../extract/extraction.js';
import { defaultLimits, type ExtractionLimits } from '../extract/limits.js';
import { ExtractionPool } from '../extract/pool/extraction-pool.js';
import type { JobSettings } from '../settings/job-settings.js';

/** The extractor service of a job: one sandbox process a core, under the limits of `extractor.limits`. */
export function openExtractor({ extractor }: JobSettings, logger: Logger): ExtractorService {
  return new ExtractionPool({
    size: extractor.processes ?? availableParallelism(),
    logger,
    limits: limitsOf(extractor.limits),
  });
}

function limitsOf(limits: JobSettings['extractor']['limits']): ExtractionLimits {
  const { document, worker } = defaultLimits;
  return {
    document: {
      ...document,
      outputCharacters: Math.min(document.outputCharacters, limits.textBytes),
      unpackedBytes: limits.unpackedBytes,
      entryBytes: Math.min(document.entryBytes, limits.unpackedBytes),
      parts: limits.members,
      depth: limits.depth,
    },
    worker: { ...worker, documentMs: limits.timeMs, memoryBytes: limits.memoryBytes },
  };
}
