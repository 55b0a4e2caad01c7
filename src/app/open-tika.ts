import { availableParallelism } from 'node:os';
import { CrawlerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ExtractorService } from '../extract/extraction.js';
import { AutoExtractor } from '../extract/tika/auto-extractor.js';
import { TikaExtractor } from '../extract/tika/tika-extractor.js';
import { TikaServer } from '../extract/tika/tika-server.js';
import { TikaTypes } from '../extract/tika/tika-types.js';
import { waitForTika } from '../extract/tika/wait-for-tika.js';
import type { JobSettings } from '../settings/job-settings.js';
import { extractionLimits } from './extraction-limits.js';
import { LastTika } from './last-tika.js';

export interface TikaUse {
  readonly url: string;
  /** Where the version of the server is remembered; left out: nothing is. */
  readonly jobDirectory: string | undefined;
  /** The embedded extractor, for `auto`. */
  readonly openPool: () => ExtractorService;
}

/**
 * The extractor service of `extractor.provider: tika` and `auto`.
 * @throws CrawlerError `unavailable` when the only extractor is a server that is not there, `settings_invalid` when something
 * else is at its address
 */
export async function openTikaExtractor(
  settings: JobSettings,
  logger: Logger,
  use: TikaUse,
  signal: AbortSignal,
): Promise<ExtractorService> {
  const { provider, tika } = settings.extractor;
  const site = { url: use.url, server: new TikaServer({ ...tika, url: use.url, logger }) };
  if (provider === 'auto') return await openAuto(settings, logger, site, use, signal);
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
  { jobDirectory, openPool }: TikaUse,
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
    embedded: openPool(),
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
    limits: extractionLimits(limits).document,
    logger,
  });
}
