import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { jobHere } from './job-here.js';
import type { JobLocations } from './job-locations.js';
import { looksLikePath, pathOf } from './looks-like-path.js';
import { isKnown, resolveJob } from './resolve-job.js';
import { statsOf } from './stats-of.js';

/** What a search is about: `crawler search [job|path] words…`. */
export interface SearchTarget {
  readonly job: string;
  /** Only what lies here or below, as the job knows it; undefined for all of the job. */
  readonly below: string | undefined;
  readonly words: readonly string[];
  /** Nobody has named the job: the answer does. */
  readonly isGuessed: boolean;
}

/**
 * Who is asked. The first word may be a job or a path; otherwise it is the first of the words to find, in the job that the
 * current folder belongs to.
 */
export function searchTarget(words: readonly string[], locations: JobLocations): SearchTarget {
  const [first, ...others] = words;
  if (first !== undefined && isPath(first)) {
    return { ...targetOfPath(first, locations), words: others, isGuessed: false };
  }
  if (first !== undefined && isKnown(locations.configDir, first)) {
    return { job: first, below: undefined, words: others, isGuessed: false };
  }
  return { job: jobHere('search', locations), below: undefined, words, isGuessed: true };
}

/** `and/or` is a path only where there is one. */
export function isPath(word: string): boolean {
  return looksLikePath(word) && (/^(?:[.~]|[/\\]|[A-Za-z]:[/\\])/.test(word) || existsSync(word));
}

function targetOfPath(word: string, locations: JobLocations): Pick<SearchTarget, 'job' | 'below'> {
  const { configDir } = locations;
  const path = pathOf(word);
  const own = resolveJob(word, locations).name;
  if (isKnown(configDir, own)) return { job: own, below: undefined };
  const around = locations.around(path);
  const [place, ...others] = around;
  if (place === undefined) throw notIndexed(path, configDir);
  if (others.length === 0) return { job: place.job, below: place.path };
  const example = crawlerCommand({ command: 'search', operands: [place.job, 'word'], configDir });
  throw new CrawlerError(
    'usage',
    `Several jobs crawl [${path}]: ${around.map(({ job }) => job).join(', ')}. Name one instead of the path, such as [${example}].`,
    { subject: path },
  );
}

function notIndexed(path: string, configDir: string): CrawlerError {
  const stats = statsOf(path);
  if (stats === undefined) return new CrawlerError('not_found', `[${path}] does not exist.`, { subject: path });
  const folder = stats.isDirectory() ? path : resolve(path, '..');
  const crawl = crawlerCommand({ operands: [folder], options: ['--loop', '1'], configDir });
  return new CrawlerError('not_found', `No job in [${configDir}] crawls [${path}]. Run [${crawl}] first.`, {
    subject: path,
  });
}
