import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { env } from 'node:process';
import { CrawlerError } from '../../base/errors.js';
import { isWithin, joinPath, normaliseRoot } from '../../base/path.js';
import type { Environment } from '../../settings/config-dir.js';
import { knownJobs } from '../../settings/jobs.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { loadSettings } from '../../settings/load-settings.js';

export interface JobLocation {
  /** Its folder in the config directory. */
  readonly job: string;
  readonly provider: JobSettings['fs']['provider'];
  /** As the source of the job knows it. */
  readonly root: string;
}

interface PlaceInJob {
  readonly job: string;
  readonly root: string;
  readonly path: string;
}

/** Where the jobs of a config directory have their trees, as far as they say so; found out once, and only when it is asked. */
export class JobLocations {
  readonly configDir: string;
  readonly overrides: readonly string[];
  readonly #environment: Environment;
  #all: readonly JobLocation[] | undefined;

  constructor(configDir: string, overrides: readonly string[], environment: Environment = env) {
    this.configDir = configDir;
    this.overrides = overrides;
    this.#environment = environment;
  }

  /** A job whose settings cannot be read has no place. */
  get all(): readonly JobLocation[] {
    this.#all ??= knownJobs(this.configDir)
      .map((job) => locationOf(this.configDir, job, this.overrides, this.#environment))
      .filter((location) => location !== undefined);
    return this.#all;
  }

  /** The local jobs whose root holds the path, and the path as they know it; of roots in each other, the innermost. */
  around(path: string): readonly PlaceInJob[] {
    const found = this.all.flatMap(({ job, provider, root }) => {
      const place = provider === 'local' ? placeInTree(root, path) : undefined;
      return place === undefined ? [] : [{ job, root, path: place }];
    });
    const depth = ({ path: place, root }: PlaceInJob): number => place.length - root.length;
    const least = Math.min(...found.map(depth));
    return found.filter((each) => depth(each) === least);
  }
}

function locationOf(
  configDir: string,
  job: string,
  overrides: readonly string[],
  environment: Environment,
): JobLocation | undefined {
  try {
    const { settings, originOf } = loadSettings({
      configDir,
      job,
      env: environment,
      overrides,
      fsJavaOpts: environment['FS_JAVA_OPTS'],
      purpose: 'location',
    });
    const { provider, url } = settings.fs;
    if (url === '' || originOf('fs.url') === 'default') return undefined;
    return { job, provider, root: normaliseRoot(provider === 'local' ? resolve(url) : url) };
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'settings_invalid') return undefined;
    throw error;
  }
}

/** A path of this machine as a local job knows it, or undefined outside of its root. Either may be written with links in it. */
export function placeInTree(root: string, path: string): string | undefined {
  const absolute = normaliseRoot(resolve(path));
  if (isWithin(root, absolute)) return absolute;
  try {
    const [realRoot, real] = [realpathSync(root), realpathSync(absolute)];
    return isWithin(realRoot, real) ? normaliseRoot(root + real.slice(realRoot.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** A path of another machine: in full, or below the root. */
export function placeOnServer(root: string, path: string): string {
  return isWithin(root, path) ? path : joinPath(root, path.replace(/^\/+/, ''));
}
