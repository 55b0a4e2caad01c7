import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CrawlerError } from '../base/errors.js';
import { isWithin, joinPath, normaliseRoot } from '../base/path.js';
import { jobDirectory, listJobs } from '../settings/jobs.js';
import type { LoadedSettings } from '../settings/load-settings.js';
import { loadJob, withAbsoluteRoot } from './inspected-place.js';
import { resolveJob } from './resolve-job.js';

export interface JobOfPath {
  readonly loaded: LoadedSettings;
  readonly settings: LoadedSettings['settings'];
  readonly jobDirectory: string;
  /** As the job's source knows it. */
  readonly path: string;
}

/** The job that a path belongs to: the one that is named, or the only one whose root holds it. */
export function jobOfPath(
  path: string,
  configDir: string,
  options: { readonly job?: string; readonly set: readonly string[] },
): JobOfPath {
  if (options.job !== undefined) {
    const resolved = resolveJob(options.job, configDir);
    const loaded = loadJob(configDir, resolved, options.set);
    return toJob(loaded, configDir, resolved.name, path);
  }
  const found = listJobs(configDir)
    .map((name) => candidate(configDir, name, path, options.set))
    .filter((each) => each !== undefined);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  throw new CrawlerError(
    'not_found',
    only === undefined
      ? `No job in [${configDir}] crawls [${resolve(path)}]: it is outside of every job's root. Name the job with --job if it should.`
      : `Several jobs crawl [${resolve(path)}]: ${found.map(({ settings }) => settings.name).join(', ')}. Choose one with --job.`,
    { subject: path },
  );
}

/** A job whose settings are broken can not be asked about its root. */
function candidate(configDir: string, name: string, path: string, set: readonly string[]): JobOfPath | undefined {
  try {
    const job = toJob(loadJob(configDir, { name, root: undefined }, set), configDir, name, path);
    const { url } = job.settings.fs;
    return url !== '' && isWithin(normaliseRoot(url), job.path) ? job : undefined;
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'settings_invalid') return undefined;
    throw error;
  }
}

function toJob(loaded: LoadedSettings, configDir: string, name: string, path: string): JobOfPath {
  const settings = withAbsoluteRoot(loaded);
  const root = normaliseRoot(settings.fs.url);
  const known = settings.fs.provider === 'local' ? localPath(root, path) : remotePath(root, path);
  return { loaded, settings, jobDirectory: jobDirectory(configDir, name), path: known };
}

/** A path of another machine: in full, or below the root. */
function remotePath(root: string, path: string): string {
  return isWithin(root, path) ? path : joinPath(root, path.replace(/^\/+/, ''));
}

/** The root may be written with links in it, or the path. */
function localPath(root: string, path: string): string {
  const absolute = normaliseRoot(resolve(path));
  if (isWithin(root, absolute)) return absolute;
  try {
    const [realRoot, real] = [realpathSync(root), realpathSync(absolute)];
    return isWithin(realRoot, real) ? root + real.slice(realRoot.length) : absolute;
  } catch {
    return absolute;
  }
}
