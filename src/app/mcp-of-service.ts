import { abortable } from '../base/abortable.js';
import { packageVersion } from '../base/package-root.js';
import { CrawlerError } from '../base/errors.js';
import { withTimeout } from '../base/with-timeout.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import { searchFieldsOf } from '../engine/search-fields.js';
import { McpEndpoint } from '../mcp/mcp-endpoint.js';
import { addDocument } from '../operations/add/add-document.js';
import { explainPath } from '../operations/explain/explain-path.js';
import { failuresNamed } from '../operations/failures/failures-named.js';
import { pathInJob } from '../operations/explain/path-in-job.js';
import { folderId } from '../operations/job/folder-id.js';
import { jobStatus, type CrawlFacts } from '../operations/status/job-status.js';
import { DocumentTexts } from '../search/document-text.js';
import { IndexSearch } from '../search/index-search.js';
import type { FetchSources } from '../source/fetch.js';
import type { Logger } from '../base/logger.js';
import type { CrawlerControl } from '../crawler/control.js';
import type { SearchEngine } from '../engine/engine.js';
import type { Ingester } from '../ingest/ingest.js';
import type { CrawlMonitor } from '../operations/monitor/monitor.js';
import type { ThreadInspector } from '../operations/inspector/thread-inspector.js';
import type { JobSettings } from '../settings/job-settings.js';

export interface McpServiceParts {
  readonly jobDirectory: string;
  readonly settings: JobSettings;
  readonly originOf?: (setting: string) => string;
  readonly logger: Logger;
  readonly engine: SearchEngine;
  readonly connection: EngineConnection;
  readonly ingester: Ingester;
  readonly crawler: CrawlerControl | undefined;
  readonly monitor: CrawlMonitor;
  /** Undefined where the job has no tree. */
  readonly inspector: (() => Promise<Pick<ThreadInspector, 'questions'>>) | undefined;
}

/** What assistants ask of a job over its service. */
export function mcpOfService(parts: McpServiceParts, fetchSources: FetchSources): McpEndpoint {
  const { settings, jobDirectory, logger, engine, ingester, connection, inspector } = parts;
  const { index, indexFolder } = settings.engine;
  const search = new IndexSearch({ engine, index, searchFields: searchFieldsOf(settings) });
  const texts = new DocumentTexts(search);
  const job = { settings, jobDirectory, logger };
  const { originOf = () => 'the settings' } = parts;
  return new McpEndpoint({
    jobName: settings.name,
    version: packageVersion(),
    isLocal: settings.fs.provider === 'local',
    folderIndex: settings.fs.indexFolders ? indexFolder : undefined,
    folderId: (folder) => folderId(settings, folder),
    index: async () => {
      await settled(connection);
      if (connection.problem === undefined) return { search, texts };
      throw new CrawlerError('unavailable', connection.problem);
    },
    explain: async (path, signal) => {
      const located = pathInJob(settings, path);
      // A folder may have a million files below it: they are counted in the thread that answers `_crawler/why`, too.
      if (inspector !== undefined) return await (await inspector()).questions.why(located);
      return await explainPath({ ...job, signal, engine }, located, originOf);
    },
    failuresNamed: async (name, most, signal) => await failuresNamed({ jobDirectory, signal }, name, most),
    status: async (signal) =>
      await jobStatus(
        {
          job: settings.name,
          jobDirectory,
          index,
          crawl: crawlFacts(parts),
          engine: connection.problem === undefined ? engine : undefined,
        },
        signal,
      ),
    add:
      settings.rest.mcp === 'add'
        ? async (source, signal) => await addDocument({ ingester, fetchSources }, source, signal)
        : undefined,
    logger,
  });
}

/** A service that has just started may be asked before its search engine is connected. */
const CONNECTING_MS = 5000;

async function settled({ connecting }: EngineConnection): Promise<void> {
  if (connecting === undefined) return;
  const { signal } = new AbortController();
  await withTimeout(signal, CONNECTING_MS, async (limited) => {
    await abortable(limited, connecting).catch(() => undefined);
  });
}

function crawlFacts({ crawler, monitor }: McpServiceParts): CrawlFacts {
  const status = crawler?.status();
  const { totals, remainingMs } = monitor.activity();
  return { state: status?.state ?? 'NEVER_RAN', lastScanMs: status?.scanEndMs, remainingMs, totals };
}
