import { packageVersion } from '../base/package-root.js';
import type { AddDocument, McpContext } from '../mcp/mcp-context.js';
import { folderId } from '../operations/job/folder-id.js';
import type { JobContext } from '../operations/job/job-context.js';
import type { JobIndex } from './job-index.js';

export interface JobMcp {
  readonly context: McpContext;
  close(): Promise<void>;
}

/**
 * What assistants ask of a job, for a process beside its crawler: here nothing is locked, and nothing is written. What answers is loaded
 * with the first call, and the index is opened then: a client waits for the start of its server, and a job may be crawled for
 * the first time while that is running.
 */
export function mcpOfJob(job: JobContext, originOf: (setting: string) => string, add?: AddDocument): JobMcp {
  const { settings, jobDirectory, logger } = job;
  let loading: Promise<JobIndex> | undefined;
  const opened = (): Promise<JobIndex> =>
    (loading ??= import('./job-index.js').then(({ JobIndex: Opened }) => new Opened(job)));
  const context: McpContext = {
    jobName: settings.name,
    version: packageVersion(),
    isLocal: settings.fs.provider === 'local',
    folderIndex: settings.fs.indexFolders ? settings.engine.indexFolder : undefined,
    folderId: (folder) => folderId(settings, folder),
    index: async () => await (await opened()).open(),
    explain: async (path, signal) => {
      const [{ explainPath }, { pathInJob }] = await Promise.all([
        import('../operations/explain/explain-path.js'),
        import('../operations/explain/path-in-job.js'),
      ]);
      return await explainPath({ ...job, signal }, pathInJob(settings, path), originOf);
    },
    failuresNamed: async (name, most, signal) => {
      const { failuresNamed } = await import('../operations/failures/failures-named.js');
      return await failuresNamed({ jobDirectory, signal }, name, most);
    },
    status: async (signal) => {
      const [{ jobStatus }, { recordedCrawl }] = await Promise.all([
        import('../operations/status/job-status.js'),
        import('../operations/status/recorded-crawl.js'),
      ]);
      const index = await opened();
      const engine = index.exists() ? (await index.open()).search.searched.engine : undefined;
      const crawl = await recordedCrawl(job);
      return await jobStatus({ job: settings.name, jobDirectory, index: settings.engine.index, crawl, engine }, signal);
    },
    add,
    logger,
  };
  return { context, close: async () => await (await loading)?.close() };
}
