import { availableParallelism } from 'node:os';
import { CrawlerError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type { JobSettings } from '../../settings/job-settings.js';
import type { ExtractorService } from '../extraction.js';
import type { DocumentLimits } from '../limits.js';
import { AutoExtractor } from './auto-extractor.js';
import { TikaExtractor } from './tika-extractor.js';
import { TikaServer } from './tika-server.js';
import { TikaTypes } from './tika-types.js';
import { TikaVersionStore } from './tika-version-store.js';
import { waitForTika } from './wait-for-tika.js';

export interface OpenTikaOptions {
  readonly settings: JobSettings['extractor'];
  readonly url: string;
  readonly limits: DocumentLimits;
  /** Where the version of the server is remembered; undefined: emptyResult is. */
  readonly jobDirectory: string | undefined;
  /** The embedded extractor, for `auto`. */
  readonly openPool: () => Promise<ExtractorService>;
  readonly logger: Logger;
}

/**
 * The extractor service of `extractor.provider: tika` and `auto`.
 * @throws CrawlerError `unavailable` when the only extractor is a server that is not there, `settings_invalid` when something
 * else is at its address
 */
export async function openTikaExtractor(options: OpenTikaOptions, signal: AbortSignal): Promise<ExtractorService> {
  const { settings, url, logger } = options;
  const server = new TikaServer({ ...settings.tika, url, logger });
  if (settings.provider === 'auto') return await openAuto(options, server, signal);
  const { startTimeoutMs } = settings.tika;
  const { version } = await waitForTika({ server, url, startTimeoutMs, logger }, signal);
  return openTika(options, server, version);
}

async function openAuto(options: OpenTikaOptions, server: TikaServer, signal: AbortSignal): Promise<ExtractorService> {
  const { settings, url, jobDirectory, openPool, logger } = options;
  const store = jobDirectory === undefined ? undefined : new TikaVersionStore(jobDirectory);
  const lastVersion = await store?.version();
  // A job that has seen the server before need not wait for it.
  const startTimeoutMs = lastVersion === undefined && store !== undefined ? settings.tika.startTimeoutMs : 0;
  const info = await waitForTika({ server, url, startTimeoutMs, logger }, signal).catch((error: unknown) =>
    withoutTika(error, logger),
  );
  if (info !== undefined && info.version !== lastVersion) await store?.remember(info.version);
  return new AutoExtractor({
    embedded: await openPool(),
    tika: openTika(options, server, info?.version ?? lastVersion ?? 'unknown'),
    types: new TikaTypes(server, url, info),
  });
}

function withoutTika(error: unknown, logger: Logger): undefined {
  if (!(error instanceof CrawlerError) || error.code !== 'unavailable') throw error;
  logger.warn(`${error.message} Files that need it are recorded as not indexed, and tried again later.`);
}

function openTika(
  { settings: { tika, processes }, limits, logger }: OpenTikaOptions,
  server: TikaServer,
  tikaVersion: string,
): TikaExtractor {
  return new TikaExtractor({
    server,
    tikaVersion,
    concurrency: tika.concurrency ?? processes ?? availableParallelism(),
    timeoutMs: tika.timeoutMs,
    limits,
    logger,
  });
}
