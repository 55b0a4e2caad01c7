import { systemClock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { packageVersion } from '../base/package-root.js';
import type { CrawlerControl } from '../crawler/control.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { SearchEngine } from '../engine/engine.js';
import { acknowledgeIncidents, readIncidents } from '../engine/index-incidents.js';
import { searchFieldsOf } from '../engine/search-fields.js';
import type { Ingester } from '../ingest/ingest.js';
import type { JobMonitor } from '../operations/monitor/job-monitor.js';
import type { ThreadInspector } from '../operations/inspector/thread-inspector.js';
import type { Originals } from '../operations/original/originals.js';
import { fetchSources } from './fetch-sources.js';
import type { McpServiceParts } from './mcp-of-service.js';
import type { EngineReadiness, IndexIncidents, McpEndpoint } from '../rest/rest-options.js';
import type { JobSettings } from '../settings/job-settings.js';
import { settingRows } from '../settings/setting-table.js';
import { redactedSettings } from '../settings/redacted.js';
import type { FetchSources } from '../source/fetch.js';
import { isEmbedded } from '../settings/engine-provider.js';

export interface RestParts {
  readonly jobDirectory: string;
  readonly settings: JobSettings;
  readonly originOf?: (setting: string) => string;
  readonly debug: boolean;
  readonly logger: Logger;
  readonly engine: SearchEngine;
  readonly connection: EngineConnection;
  readonly ingester: Ingester;
  readonly crawler: CrawlerControl | undefined;
  readonly monitor: JobMonitor;
}

export interface RunningRest {
  readonly url: string;
  stop(graceMs: number): Promise<void>;
}

/** Starts the service. It is up at once and says so while the engine is not; the engine is waited for meanwhile. */
export async function startRestService(parts: RestParts): Promise<RunningRest> {
  const [{ RestService }, { parseListenAddress }, { RateHistory }] = await Promise.all([
    import('../rest/rest-service.js'),
    import('../rest/listen-address.js'),
    import('../operations/monitor/rate-history.js'),
  ]);
  const { settings, connection, logger } = parts;
  const { rest, fs, name, engine } = settings;
  const { loopback, everywhere } = await parseListenAddress(rest.url);
  const sources = fetchSources(parts, !loopback);
  const history = new RateHistory(() => parts.monitor.measure());
  const inspector = inspectorOf(parts);
  const service = new RestService({
    url: rest.url,
    enableCors: rest.enableCors,
    strictStatus: rest.strictStatus,
    maxUploadBytes: rest.maxUploadSize,
    apiKeys: rest.apiKeys,
    readKeys: rest.readKeys,
    ui: rest.ui,
    allowedHosts: rest.allowedHosts,
    legacy: rest.legacy ?? false,
    debug: parts.debug,
    version: packageVersion(),
    jobName: name,
    index: engine.index,
    searchFields: searchFieldsOf(settings),
    folderIndex: fs.indexFolders ? engine.indexFolder : undefined,
    tagFields: rest.facets,
    originals: fs.url === '' ? undefined : originalsOf(parts),
    settingsView: (baseUrl) => settingsView(settings, baseUrl, everywhere),
    engine: parts.engine,
    engineReady: () => readinessOf(connection),
    ingester: parts.ingester,
    crawler: parts.crawler,
    indexIncidents: incidentsOf(parts),
    monitor: parts.monitor,
    history,
    inspector: inspector?.open,
    spoolDirectory: fs.tempDir,
    fetchSources: sources,
    mcp: rest.mcp === 'off' ? undefined : () => openMcp({ ...parts, inspector: inspector?.open }, sources),
    logger,
  });
  const { url, listening } = await service.start().catch((error: unknown) => {
    history.close();
    throw error;
  });
  announce(parts, url, listening);
  const stopped = new AbortController();
  void followEngine(parts, inspector?.open, stopped.signal);
  return {
    url,
    stop: async (graceMs) => {
      stopped.abort();
      history.close();
      await Promise.all([service.stop(graceMs), inspector?.close()]);
    },
  };
}

function announce({ settings: { rest }, logger }: RestParts, url: string, listening: string): void {
  logger.info(`Crawler Rest service started on [${listening}]`);
  if (rest.ui !== 'off') logger.info(`Search page: ${url}/ui/`);
  if (rest.legacy === true) logger.info('It also answers at the addresses of FSCrawler 2 (rest.legacy).');
}

function incidentsOf({ jobDirectory }: RestParts): IndexIncidents {
  return { read: () => readIncidents(jobDirectory), acknowledge: () => acknowledgeIncidents(jobDirectory) };
}

/** Loaded with the first request of an assistant. */
async function openMcp(parts: McpServiceParts, sources: FetchSources): Promise<McpEndpoint> {
  const { mcpOfService } = await import('./mcp-of-service.js');
  return mcpOfService(parts, sources);
}

/** Opened with the first request for one. */
function originalsOf({ settings, jobDirectory, logger }: RestParts): Originals {
  let opened: Promise<Originals> | undefined;
  return {
    async open(document, signal) {
      opened ??= import('../operations/original/open-originals.js').then(({ openOriginals }) => {
        return openOriginals({ settings, jobDirectory, logger });
      });
      return await (await opened).open(document, signal);
    },
  };
}

/** Loaded with the first question, which also starts its thread. */
function inspectorOf({ settings, jobDirectory, logger, originOf }: RestParts):
  | {
      readonly open: () => Promise<ThreadInspector>;
      readonly close: () => Promise<void>;
    }
  | undefined {
  if (settings.fs.url === '') return undefined;
  let opened: Promise<ThreadInspector> | undefined;
  const open = async (): Promise<ThreadInspector> => {
    const { ThreadInspector } = await import('../operations/inspector/thread-inspector.js');
    return new ThreadInspector({ settings, jobDirectory, origins: originsOf(originOf) }, logger);
  };
  return {
    open: () => (opened ??= open()),
    close: async () => (await opened)?.close(),
  };
}

/** Waits for the engine. From then on tree and index are compared at a rate, if the job crawls: only then one follows the other. */
async function followEngine(
  { settings, crawler, connection, logger }: RestParts,
  inspector: (() => Promise<ThreadInspector>) | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { verifyRateMs: rateMs } = settings.rest;
  await connection.retryUntilReady(systemClock, signal);
  if (rateMs < 0 || crawler === undefined || inspector === undefined) return;
  const { VerifySchedule } = await import('../operations/inspector/verify-schedule.js');
  const schedule = new VerifySchedule({
    rateMs,
    clock: systemClock,
    logger,
    status: () => crawler.status(),
    isEngineReady: () => connection.problem === undefined,
    inspector,
  });
  await schedule.run(signal);
}

/** Rules are settings of the tree and of its metadata files. */
function originsOf(originOf: (setting: string) => string = () => 'default'): Readonly<Record<string, string>> {
  const keys = settingRows.map(({ path }) => path).filter((path) => /^(?:fs|tags)\./.test(path));
  return Object.fromEntries(keys.map((key) => [key, originOf(key)]));
}

function readinessOf({ problem, connecting }: EngineConnection): EngineReadiness {
  if (problem === undefined) return { ready: true };
  return { ready: false, message: problem, ...(connecting === undefined ? {} : { connecting }) };
}

/** The embedded index is reached through the service itself. `0.0.0.0` is no address that anybody could use. */
function settingsView(settings: JobSettings, baseUrl: string, everywhere: boolean): Readonly<Record<string, unknown>> {
  const view = redactedSettings(settings);
  const own = !isEmbedded(settings.engine) ? {} : { urls: [`${baseUrl}/_engine`] };
  return {
    ...view,
    engine: { ...(view['engine'] as object), ...own },
    rest: { ...(view['rest'] as object), ...(everywhere ? { url: baseUrl } : {}) },
  };
}
