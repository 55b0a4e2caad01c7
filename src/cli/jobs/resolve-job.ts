import { hasSettings, hasState } from '../../settings/jobs.js';
import { adHocName, adHocNames } from './ad-hoc-job.js';
import type { JobLocations } from './job-locations.js';
import { looksLikePath, pathOf } from './looks-like-path.js';

/** The job that a positional argument means. */
export interface ResolvedJob {
  readonly name: string;
  /** The folder of an ad-hoc job (`crawler ./docs`). */
  readonly root: string | undefined;
}

const DEFAULT_JOB = 'crawler';
/** Jobs of people who come from FSCrawler and never named theirs. */
const PEER_DEFAULT_JOB = 'fscrawler';

/** A name, or the folder that the job crawls; without either, the job that FSCrawler would take. */
export function resolveJob(argument: string | undefined, locations: JobLocations): ResolvedJob {
  const { configDir } = locations;
  if (argument === undefined) return { name: defaultJob(configDir), root: undefined };
  if (!looksLikePath(argument)) return { name: argument, root: undefined };
  const root = pathOf(argument);
  return { name: jobAt(root, locations) ?? adHocName(root, configDir), root };
}

/** The job whose root is the folder. Of several, the one that was made for it; else none, since nobody can tell which. */
function jobAt(root: string, locations: JobLocations): string | undefined {
  const here = locations.all.filter((location) => location.provider === 'local' && location.root === root);
  const [only, ...others] = here;
  if (only !== undefined && others.length === 0) return only.job;
  return here.find(({ job }) => adHocNames(root).includes(job))?.job;
}

export function defaultJob(configDir: string): string {
  return isKnown(configDir, PEER_DEFAULT_JOB) && !isKnown(configDir, DEFAULT_JOB) ? PEER_DEFAULT_JOB : DEFAULT_JOB;
}

export function isKnown(configDir: string, name: string): boolean {
  return hasSettings(configDir, name) || hasState(configDir, name);
}
