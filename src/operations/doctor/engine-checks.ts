import { CrawlerError, messageOf } from '../../base/errors.js';
import { grouped } from '../../base/grouped.js';
import { describeFile, formatText } from '../../base/file-format.js';
import { withTimeout } from '../../base/with-timeout.js';
import type { SearchEngine } from '../../engine/engine.js';
import { embeddedIndex } from '../../engine/registry.js';
import { isEmbedded } from '../../settings/engine-provider.js';
import { withoutCredentials } from '../../settings/without-credentials.js';
import type { JobContext } from '../job/job-context.js';
import { broken, ok, skipped, type Check } from './check.js';

const TIMEOUT_MS = 10_000;

/** Is the engine there, which one is it, what does it hold, and do its indices still have the fields they were made with? */
export function engineChecks(job: JobContext, open: () => Promise<SearchEngine>): Promise<readonly Check[]> {
  return withTimeout(job.signal, TIMEOUT_MS, (signal) => checkEngine(job, open, signal));
}

async function checkEngine(
  job: JobContext,
  open: () => Promise<SearchEngine>,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const where = placeOf(job);
  try {
    const engine = await open();
    const version = await engine.version(signal);
    const checks = [ok('engine', `${version} at ${where}`), ...(await indexChecks(job, engine, signal))];
    return [...checks, ...(await engine.diagnose(signal))];
  } catch (error) {
    const why = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : messageOf(error);
    const remedy = 'Check engine.urls, the network, engine.ca_certificate and the credentials; is the server running?';
    return [broken('engine', `${where}: ${why}`, remedy)];
  }
}

/** The addresses of a cluster; of an embedded index the format of its file, as soon as there is one. */
function placeOf({ settings: { engine }, jobDirectory }: JobContext): string {
  if (!isEmbedded(engine)) return engine.urls.map(withoutCredentials).join(', ');
  const file = describeFile(embeddedIndex.pathIn(jobDirectory), embeddedIndex.format);
  return file === undefined ? 'embedded index' : `embedded index, ${formatText(file)}`;
}

async function indexChecks({ settings }: JobContext, engine: SearchEngine, signal: AbortSignal): Promise<Check[]> {
  const { index, indexFolder } = settings.engine;
  const names = settings.fs.indexFolders ? [index, indexFolder] : [index];
  const checks: Check[] = [];
  for (const name of names) {
    try {
      const documents = await engine.count(name, undefined, signal);
      checks.push(ok('index', `[${name}] holds ${grouped(documents)} documents`));
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
      checks.push(skipped('index', `[${name}] does not exist yet: the first run makes it`));
    }
  }
  return checks;
}
