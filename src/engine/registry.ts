import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { aliasOfJob } from '../model/index-names.js';
import type { JobSettings } from '../settings/job-settings.js';
import { indexPath } from './embedded/index-path.js';
import { indexFormat } from './embedded/store/upgrades.js';
import type { SearchEngine } from './engine.js';
import { isEmbedded } from '../settings/engine-provider.js';

export interface EngineContext {
  /** `<config_dir>/<job>`: where the embedded index lives. */
  readonly jobDirectory: string;
  /** Base address of the REST service, when it is up. */
  readonly baseUrl: () => string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From then on an engine that is away or busy is not waited for any more. */
  readonly stop?: AbortSignal;
  /** This process runs the job, so that it may repair a damaged index. */
  readonly owned?: boolean;
}

/** The file of the embedded index in the folder of a job, whether it exists or not, and how its format is upgraded. */
export const embeddedIndex = { pathIn: indexPath, format: indexFormat } as const;

/** The engine that the settings of a job mean. Loaded on demand. */
export async function openEngine(settings: JobSettings, context: EngineContext): Promise<SearchEngine> {
  if (isEmbedded(settings.engine)) {
    const { EmbeddedEngine } = await import('./embedded/embedded-engine.js');
    const { jobDirectory: directory, baseUrl, version, logger, owned = false } = context;
    const { index, searchTimeoutMs } = settings.engine;
    return new EmbeddedEngine({ directory, baseUrl, version, logger, owned, index, searchTimeoutMs });
  }
  const { ElasticEngine } = await import('./elastic/elastic-engine.js');
  const { engine, fs, name } = settings;
  const structured = fs.jsonSupport || fs.xmlSupport;
  return new ElasticEngine({
    connection: {
      urls: engine.urls,
      apiKey: engine.apiKey,
      username: engine.username,
      password: engine.password,
      caCertificatePath: engine.caCertificate,
      sslVerification: engine.sslVerification,
      pathPrefix: engine.pathPrefix,
    },
    templates: {
      // Templates use it for nothing but the alias of the index.
      jobName: aliasOfJob(name),
      index: engine.index,
      indexFolder: engine.indexFolder,
      pushTemplates: engine.pushTemplates,
      forcePushTemplates: engine.forcePushTemplates,
      semanticSearch: engine.semanticSearch,
      foldersWanted: fs.indexFolders,
      documentsWanted: !(fs.addAsInnerObject && structured),
    },
    pipeline: engine.pipeline,
    startTimeoutMs: engine.startTimeoutMs,
    logger: context.logger,
    clock: context.clock,
    stop: context.stop,
  });
}
