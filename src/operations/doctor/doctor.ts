import { systemClock } from '../../base/clock.js';
import { packageVersion } from '../../base/package-root.js';
import type { SearchEngine } from '../../engine/engine.js';
import { openEngine } from '../../engine/registry.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { JobPlace } from '../job/job-place.js';
import { readCatalog } from '../job/read-catalog.js';
import { attempt, skipped, type Check } from './check.js';
import { catalogCheck, clockCheck, runCheck, watchCheck } from './crawl-checks.js';
import { engineChecks } from './engine-checks.js';
import { engineClockCheck } from './engine-clock.js';
import { extractorCheck, ocrCheck } from './extraction-checks.js';
import { memoryCheck, nodeCheck } from './machine-checks.js';
import { diskChecks, jobFolderCheck, rootCheck } from './place-checks.js';
import { settingsChecks } from './settings-checks.js';

/** `crawler doctor`: looks at everything that a job needs. Each check stands alone, so that one look tells all. */
export async function* examine(place: JobPlace, loaded: LoadedSettings): AsyncGenerator<readonly Check[]> {
  yield [nodeCheck(), memoryCheck(place.settings)];
  yield settingsChecks(loaded);
  if (loaded.originOf('fs.url') === 'default') yield [skipped('root', 'fs.url is not set: nothing is crawled')];
  else yield await attempt('root', () => rootCheck(place));
  yield [jobFolderCheck(place)];
  yield await attempt('disk', () => Promise.resolve(diskChecks(place)));
  yield await attempt('run', () => runCheck(place));
  yield await attempt('catalog', () => Promise.resolve(catalogChecks(place)));
  yield await attempt('engine', () => engineOf(place));
  yield await attempt('engine clock', () => engineClockCheck(place.settings));
  yield await attempt('extractor', () => extractorCheck(place));
  yield await attempt('ocr', () => ocrCheck(place));
}

function catalogChecks(place: JobPlace): readonly Check[] {
  const catalog = readCatalog(place.jobDirectory);
  try {
    return [catalogCheck(place, catalog), watchCheck(place, catalog), clockCheck(catalog, systemClock.now())];
  } finally {
    catalog?.close();
  }
}

async function engineOf(place: JobPlace): Promise<readonly Check[]> {
  const { settings, jobDirectory, logger } = place;
  let engine: SearchEngine | undefined;
  try {
    return await engineChecks(place, async () => {
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
