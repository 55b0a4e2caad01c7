import { systemClock } from '../../base/clock.js';
import { packageVersion } from '../../base/package-root.js';
import type { SearchEngine } from '../../engine/engine.js';
import { openEngine } from '../../engine/registry.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { JobContext } from '../job/job-context.js';
import { readCatalog } from '../job/read-catalog.js';
import { attempt, skipped, type Check } from './check.js';
import { catalogCheck, clockCheck, runCheck, watchCheck } from './crawl-checks.js';
import { engineChecks } from './engine-checks.js';
import { engineClockCheck } from './engine-clock.js';
import { extractorCheck, ocrCheck, sandboxCheck } from './extraction-checks.js';
import { memoryCheck, nodeCheck } from './machine-checks.js';
import { diskChecks, jobFolderCheck, rootCheck } from './storage-checks.js';
import { settingsChecks } from './settings-checks.js';

/** `crawler doctor`: checks everything that a job needs. No check depends on another, so that one run shows all problems. */
export async function* examine(job: JobContext, loaded: LoadedSettings): AsyncGenerator<readonly Check[]> {
  yield [nodeCheck(), memoryCheck(job.settings)];
  yield settingsChecks(loaded);
  if (loaded.originOf('fs.url') === 'default') yield [skipped('root', 'fs.url is not set: nothing is crawled')];
  else yield await attempt('root', () => rootCheck(job));
  yield [jobFolderCheck(job)];
  yield await attempt('disk', () => Promise.resolve(diskChecks(job)));
  yield await attempt('run', () => runCheck(job));
  yield await attempt('catalog', () => Promise.resolve(catalogChecks(job)));
  yield await attempt('engine', () => engineOf(job));
  yield await attempt('engine clock', () => engineClockCheck(job.settings));
  yield await attempt('extractor', () => extractorCheck(job));
  yield await attempt('sandbox', () => sandboxCheck(job));
  yield await attempt('ocr', () => ocrCheck(job));
}

function catalogChecks(job: JobContext): readonly Check[] {
  const catalog = readCatalog(job.jobDirectory);
  try {
    return [catalogCheck(job, catalog), watchCheck(job, catalog), clockCheck(catalog, systemClock.now())];
  } finally {
    catalog?.close();
  }
}

async function engineOf(job: JobContext): Promise<readonly Check[]> {
  const { settings, jobDirectory, logger } = job;
  let engine: SearchEngine | undefined;
  try {
    return await engineChecks(job, async () => {
      engine = await openEngine(settings, {
        jobDirectory,
        baseUrl: () => undefined,
        version: packageVersion(),
        clock: systemClock,
        logger,
      });
      return engine;
    });
  } finally {
    await engine?.close();
  }
}
