import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { normaliseRoot } from '../../base/path.js';
import { printByteSize } from '../../base/units.js';
import { openTreeSource } from '../../source/registry.js';
import type { JobContext } from '../job/job-context.js';
import { broken, ok, skipped, warning, type Check } from './check.js';

/** Root of the tree: can it be reached and listed? */
export async function rootCheck({ settings, jobDirectory, signal }: JobContext): Promise<Check> {
  const { fs } = settings;
  if (fs.url === '') return skipped('root', 'fs.url is empty: nothing is crawled');
  const remarks: string[] = [];
  const context = { configDirectory: dirname(jobDirectory), log: (message: string) => remarks.push(message) };
  const source = await openTreeSource(settings, context);
  try {
    const { entries } = await source.probe(normaliseRoot(fs.url), signal);
    const text = [`[${fs.url}] (${fs.provider}) can be listed: ${entries} entries`, ...remarks].join('; ');
    return entries > 0
      ? ok('root', text)
      : warning('root', `[${fs.url}] (${fs.provider}) is empty`, 'Is its disk mounted?');
  } catch (error) {
    return broken('root', messageOf(error), 'Check fs.url and the permissions of the user that runs the crawler.');
  } finally {
    await source.close();
  }
}

/** The job's folder holds catalog, checkpoint and the embedded index. */
export function jobFolderCheck({ jobDirectory }: JobContext): Check {
  const folder = nearestExisting(jobDirectory);
  const what = folder === jobDirectory ? `[${jobDirectory}]` : `[${jobDirectory}] (will be made in [${folder}])`;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const closed = ['catalog.db', 'index.db', '_checkpoint.json'].filter((name) => isClosed(join(jobDirectory, name)));
    if (closed.length === 0) return ok('job folder', `${what} can be written`);
    return broken(
      'job folder',
      `${closed.join(', ')} in ${what} cannot be written`,
      'Give them to the user that runs the crawler (chown).',
    );
  } catch {
    return broken(
      'job folder',
      `${what} cannot be written by this user`,
      'Give it to the user that runs the crawler (chown), or use another --config_dir.',
    );
  }
}

const LITTLE_BYTES = 2 * 1024 ** 3;
const FAR_TOO_LITTLE_BYTES = 200 * 1024 ** 2;

/** Room for the job's folder and for what is spooled while it is extracted. */
export function diskChecks({ settings, jobDirectory }: JobContext): readonly Check[] {
  const folders = new Map([
    [nearestExisting(jobDirectory), 'job folder'],
    [nearestExisting(settings.fs.tempDir), 'fs.temp_dir'],
  ]);
  return [...folders].map(([folder, what]) => {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const free = bavail * bsize;
    const text = `${printByteSize(free)} of ${printByteSize(blocks * bsize)} free for ${what} [${folder}]`;
    if (free >= LITTLE_BYTES) return ok('disk', text);
    const remedy = 'Free some space, or move it to another disk: a full disk stops the crawler (nothing is lost).';
    return free < FAR_TOO_LITTLE_BYTES ? broken('disk', text, remedy) : warning('disk', text, remedy);
  });
}

function nearestExisting(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function isClosed(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch {
    return true;
  }
}
