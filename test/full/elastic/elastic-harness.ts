import { systemClock, type Clock } from '../../../src/base/clock.js';
import { silentLogger, type Logger } from '../../../src/base/logger.js';
import { ElasticEngine, type ElasticEngineDeps } from '../../../src/engine/elastic/elastic-engine.js';
import type { ElasticConnection } from '../../../src/engine/elastic/nodes.js';
import type { RetryPolicy } from '../../../src/engine/elastic/retry-state.js';
import type { ElasticTemplates } from '../../../src/engine/elastic/push-templates.js';

export interface EngineOptions {
  readonly urls: readonly string[];
  readonly connection?: Partial<ElasticConnection>;
  readonly templates?: Partial<ElasticTemplates>;
  readonly pipeline?: string;
  readonly startTimeoutMs?: number;
  readonly retry?: RetryPolicy;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/**
 * An engine with the settings of a job called `job` whose documents index is `templates.index` or `job_docs`. A test that
 * wants no templates has no index of folders either, unless it says so.
 */
export function elasticEngine(options: EngineOptions): ElasticEngine {
  const deps: ElasticEngineDeps = {
    connection: { urls: options.urls, sslVerification: true, ...options.connection },
    templates: {
      jobName: 'job',
      index: 'job_docs',
      indexFolder: 'job_folder',
      pushTemplates: true,
      forcePushTemplates: false,
      semanticSearch: true,
      foldersWanted: options.templates?.pushTemplates !== false,
      documentsWanted: true,
      ...options.templates,
    },
    pipeline: options.pipeline,
    startTimeoutMs: options.startTimeoutMs ?? 60_000,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    ...(options.retry === undefined ? {} : { retry: options.retry }),
  };
  return new ElasticEngine(deps);
}

/** What a server says at its root. */
export function rootAnswer(number = '8.19.0'): unknown {
  return { name: 'node', version: { number, build_flavor: 'default' }, tagline: 'You Know, for Search' };
}
