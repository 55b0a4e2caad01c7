import { availableParallelism } from 'node:os';
import { CrawlerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ExtractorService } from '../extract/extraction.js';
import { defaultLimits, OWN_END, type ExtractionLimits, type WorkerLimits } from '../extract/limits.js';
import { ExtractionPool } from '../extract/pool/extraction-pool.js';
import { AutoExtractor } from '../extract/tika/auto-extractor.js';
import { TikaExtractor } from '../extract/tika/tika-extractor.js';
import { TikaServer } from '../extract/tika/tika-server.js';
import { TikaTypes } from '../extract/tika/tika-types.js';
import { waitForTika } from '../extract/tika/wait-for-tika.js';
import type { JobSettings } from '../settings/job-settings.js';
import { announceOcr } from './announce-ocr.js';
import { LastTika } from './last-tika.js';

export interface ExtractorPlace {
  /** Where the version of the Tika server is remembered; it must exist. Left out: nothing is. */
  readonly jobDirectory?: string;
  /** Ends the waiting for a Tika server. */
  readonly signal?: AbortSignal;
}

/**
 * The extractor service of a job (`extractor.provider`): sandbox processes, one a core, or a Tika server, or both.
 * @throws CrawlerError `unavailable` when the only extractor is a Tika server that is not there, `settings_invalid` when
 * something else is at its address
 */
export async function openExtractor(
  settings: JobSettings,
  logger: Logger,
  place: ExtractorPlace = {},
): Promise<ExtractorService> {
  const { provider, tika } = settings.extractor;
  if (provider === 'embedded' || tika.url === undefined) return openPool(settings, logger);
  const signal = place.signal ?? new AbortController().signal;
  const site = { url: tika.url, server: new TikaServer({ ...tika, url: tika.url, logger }) };
  if (provider === 'auto') return await openAuto(settings, logger, site, place, signal);
  const { startTimeoutMs } = tika;
  const { version } = await waitForTika({ ...site, startTimeoutMs, logger }, signal);
  return openTika(settings, logger, site.server, version);
}

interface TikaSite {
  readonly url: string;
  readonly server: TikaServer;
}

async function openAuto(
  settings: JobSettings,
  logger: Logger,
  site: TikaSite,
  { jobDirectory }: ExtractorPlace,
  signal: AbortSignal,
): Promise<ExtractorService> {
  const last = jobDirectory === undefined ? undefined : new LastTika(jobDirectory);
  const lastVersion = await last?.version();
  // Whoever has seen the server before need not wait for it.
  const startTimeoutMs = lastVersion === undefined && last !== undefined ? settings.extractor.tika.startTimeoutMs : 0;
  const knowledge = await waitForTika({ ...site, startTimeoutMs, logger }, signal).catch((error: unknown) =>
    withoutTika(error, logger),
  );
  if (knowledge !== undefined && knowledge.version !== lastVersion) await last?.remember(knowledge.version);
  return new AutoExtractor({
    embedded: openPool(settings, logger),
    tika: openTika(settings, logger, site.server, knowledge?.version ?? lastVersion ?? 'unknown'),
    types: new TikaTypes(site.server, site.url, knowledge),
  });
}

function withoutTika(error: unknown, logger: Logger): undefined {
  if (!(error instanceof CrawlerError) || error.code !== 'unavailable') throw error;
  logger.warn(`${error.message} Files that need it are recorded as not indexed, and tried again later.`);
}

function openTika({ extractor }: JobSettings, logger: Logger, server: TikaServer, tikaVersion: string): TikaExtractor {
  const { tika, limits } = extractor;
  return new TikaExtractor({
    server,
    tikaVersion,
    concurrency: tika.concurrency ?? extractor.processes ?? availableParallelism(),
    timeoutMs: tika.timeoutMs,
    limits: limitsOf(limits).document,
    logger,
  });
}

function openPool({ extractor, fs }: JobSettings, logger: Logger): ExtractionPool {
  if (fs.indexContent) void announceOcr(fs.ocr, logger);
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
      outputCharacters: limits.textBytes,
      unpackedBytes: limits.unpackedBytes,
      entryBytes: Math.max(limits.unpackedBytes / 2, Math.min(document.entryBytes, limits.unpackedBytes)),
      ratio: limits.ratio,
      parts: limits.members,
      depth: limits.depth,
      timeMs: OWN_END * limits.timeMs,
      memoryBytes: OWN_END * limits.memoryBytes,
    },
    worker: { ...worker, documentMs: limits.timeMs, ...memoryOf(limits.memoryBytes) },
  };
}

/** Of the memory of a process half is for JavaScript; one that keeps two fifths is replaced, unless that is very little. */
function memoryOf(memoryBytes: number): Pick<WorkerLimits, 'memoryBytes' | 'heapMib' | 'recycleBytes'> {
  const { recycleBytes } = defaultLimits.worker;
  return {
    memoryBytes,
    heapMib: Math.max(LEAST_HEAP_MIB, Math.floor(memoryBytes / 2 / MIB)),
    recycleBytes: Math.max(0.4 * memoryBytes, Math.min(recycleBytes, 0.75 * memoryBytes)),
  };
}

const MIB = 1024 * 1024;
/** Below that not even the libraries can be loaded. */
const LEAST_HEAP_MIB = 64;
