import { resolve } from 'node:path';
import { env } from 'node:process';
import { systemClock } from '../../base/clock.js';
import { CrawlerError } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { nearest } from '../../base/nearest.js';
import { isWithin } from '../../base/path.js';
import { packageVersion } from '../../base/package-root.js';
import { printable } from '../../base/printable.js';
import { openEngine } from '../../engine/registry.js';
import type { SearchEngine } from '../../engine/engine.js';
import { IndexSearch } from '../../search/index-search.js';
import { sortKeys, type SortOrder } from '../../search/sort-order.js';
import { suggest } from '../../search/suggestions.js';
import { searchFieldsOf } from '../../engine/search-fields.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import { hasState, jobDirectory, knownJobs } from '../../settings/jobs.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { loadSettings } from '../../settings/load-settings.js';
import { EXIT_OK } from '../exit-codes.js';
import { jsonLine, mark, pathOf, textLines } from '../hit-lines.js';
import { JobLocations } from '../jobs/job-locations.js';
import { isPath, searchTarget, type SearchTarget } from '../jobs/search-target.js';
import type { SearchOptions } from '../options.js';
import { counted } from '../report-lines.js';
import { adviceLines, asksWithoutWords, findRequest, printFacets } from '../search-request.js';
import { stoppable } from '../stoppable.js';
import { writeOut } from '../write-out.js';
import { isEmbedded } from '../../settings/engine-provider.js';

/** `crawler search [job|path] <words…>` */
export async function search(words: readonly string[], options: SearchOptions): Promise<number> {
  const configDir = resolve(options.config_dir);
  const target = targetOf(words, options, configDir);
  const settings = settingsOf(target, configDir, options.set);
  const engine = await openEngine(settings, {
    jobDirectory: jobDirectory(configDir, settings.name),
    baseUrl: () => undefined,
    version: packageVersion(),
    clock: systemClock,
    logger: silentLogger,
  });
  return await stoppable(async (signal) => {
    const searched = { engine, index: options.index ?? settings.engine.index, target, settings, signal };
    try {
      if (options.all) await printAll(searched, options.json);
      else await printHits(searched, options, configDir);
    } catch (error) {
      if (options.index !== undefined || !isMissingIndex(error)) throw error;
      const nothing = `Nothing found: the job [${printable(settings.name)}] has not indexed any document yet.`;
      if (!options.json) await writeOut(`${nothing}\n`);
    } finally {
      await engine.close();
    }
    return EXIT_OK;
  });
}

function targetOf(words: readonly string[], options: SearchOptions, configDir: string): SearchTarget {
  const { all, set } = options;
  const [first = ''] = words;
  const isEnough = all || asksWithoutWords(options);
  if (words.length === 1 && isPath(first) && !isEnough) throw nothingToFind(first, configDir);
  const target = searchTarget(words, new JobLocations(configDir, set));
  if (target.words.length === 0 && !isEnough) throw nothingToFind(target.job, configDir);
  return target;
}

function settingsOf({ job, below }: SearchTarget, configDir: string, overrides: readonly string[]): JobSettings {
  const { settings } = loadSettings({
    configDir,
    job,
    env,
    overrides,
    fsJavaOpts: env['FS_JAVA_OPTS'],
    purpose: 'search',
  });
  if (below !== undefined && hasNoPaths(settings)) {
    throw new CrawlerError(
      'usage',
      `The documents of the job [${job}] are the JSON or XML files themselves and hold no paths: they can only be searched all together.`,
    );
  }
  if (isEmbedded(settings.engine) && !hasState(configDir, settings.name)) throw noIndex(job, configDir);
  return settings;
}

function isMissingIndex(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'not_found';
}

interface Searched {
  readonly engine: SearchEngine;
  readonly index: string;
  readonly target: SearchTarget;
  readonly settings: JobSettings;
  readonly signal: AbortSignal;
}

function hasNoPaths({ fs }: JobSettings): boolean {
  return (fs.jsonSupport || fs.xmlSupport) && !fs.addAsInnerObject;
}

function nothingToFind(place: string, configDir: string): CrawlerError {
  const example = crawlerCommand({ command: 'search', operands: [place, 'word'], configDir });
  return new CrawlerError(
    'usage',
    `Say what to search for in [${place}], such as [${example}], or use --all to get every document.`,
  );
}

function noIndex(job: string, configDir: string): CrawlerError {
  const run = crawlerCommand({ operands: [job], options: ['--loop', '1'], configDir });
  return new CrawlerError('not_found', `Job [${job}] has no index in [${configDir}] yet. Run [${run}] first.`);
}

async function printHits(searched: Searched, options: SearchOptions, configDir: string): Promise<void> {
  const { engine, index, target, settings, signal } = searched;
  const below = target.below === undefined ? [] : [isBelow(target.below)];
  const search = new IndexSearch({ engine, index, searchFields: searchFieldsOf(settings), filter: below });
  const request = findRequest(target.words, options);
  const highlight = { fields: { content: { number_of_fragments: 1, fragment_size: 160 } } };
  const tags = options.json ? {} : { pre_tags: [mark().on], post_tags: [mark().off] };
  const body = {
    size: options.size,
    from: options.from,
    query: await search.query(request, signal),
    highlight: { ...highlight, ...tags },
    ...(request.sort === 'relevance' ? {} : { sort: sortKeys(request.sort, engine.type) }),
  };
  const { hits } = await engine.search({ index, body }, signal);
  for (const hit of hits.hits) await writeOut(options.json ? jsonLine(hit) : textLines(hit));
  if (!options.json) await writeOut(foundLine(hits.total.value, hits.hits.length, searched, configDir, options));
  if (!options.json && hits.total.value === 0 && meantJob(searched.target, configDir) === undefined) {
    await writeOut(adviceLines(await suggest(search, request, signal)));
  }
  if (options.facets) await printFacets(search, request, { settings, json: options.json, signal });
}

/** `path.real.tree` holds every folder above a document, and its own path. */
function isBelow(path: string): object {
  return { term: { 'path.real.tree': path.replaceAll('\\', '/') } };
}

async function printAll({ engine, index, target, signal }: Searched, json: boolean): Promise<void> {
  const { below } = target;
  for await (const page of engine.scan(index, signal)) {
    for (const { index: in_, id, source } of page) {
      if (below !== undefined && !isWithin(below, pathOf(source))) continue;
      const line = json ? JSON.stringify({ index: in_, id, source }) : printable(`${id}  ${pathOf(source)}`);
      await writeOut(`${line}\n`);
    }
  }
}

/** Says which job was asked where nobody has named one, and what a word will have meant that found nothing. */
function foundLine(
  total: number,
  shown: number,
  { target }: Searched,
  configDir: string,
  { from, sort }: SearchOptions,
): string {
  const { job, isGuessed, words, below } = target;
  const where = below !== undefined ? ` below [${below}]` : isGuessed ? ` in the job [${job}]` : '';
  if (total === 0) {
    const meant = meantJob(target, configDir);
    const advice = meant === undefined ? '' : ` There is no job [${words[0]}]: did you mean [${meant}]?`;
    return printable(`Nothing found${where}.${advice}`) + '\n';
  }
  const documents = `${counted(total, 'document')} found${where}`;
  return printable(`${documents}${shownOf(total, shown, from, sort)}.`) + '\n';
}

/** The job that the first of several words may stand for. */
function meantJob({ isGuessed, words }: SearchTarget, configDir: string): string | undefined {
  return isGuessed && words.length > 1 ? nearest(words[0] ?? '', knownJobs(configDir)) : undefined;
}

function shownOf(total: number, shown: number, from: number, sort: SortOrder): string {
  if (shown === total) return '';
  if (shown === 0) return ', none behind --from';
  if (from > 0) return `, ${from + 1} to ${from + shown} are shown (--from, --size)`;
  return `, the ${sort === 'relevance' ? 'best' : 'first'} ${shown} are shown (--size)`;
}
