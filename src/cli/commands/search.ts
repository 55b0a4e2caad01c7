import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { CrawlerError } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { packageVersion } from '../../base/package-root.js';
import { openEngine } from '../../engine/registry.js';
import type { Hit, SearchEngine } from '../../engine/engine.js';
import { searchFieldsOf } from '../../engine/search-fields.js';
import type { CrawlDocument } from '../../model/document.js';
import { pageOfFragment, USUAL_MARKS, type Marks } from '../../model/pages.js';
import { jobDirectory } from '../../settings/jobs.js';
import { loadSettings } from '../../settings/load-settings.js';
import { EXIT_OK } from '../exit-codes.js';
import type { SearchOptions } from '../options.js';
import { resolveJob } from '../resolve-job.js';
import { writeOut } from '../write-out.js';

/** `crawler search <job|folder> <query>` */
export async function search(argument: string, query: string, options: SearchOptions): Promise<number> {
  if (query === '' && !options.all) {
    throw new CrawlerError('usage', 'Say what to search for, or use --all to get every document.');
  }
  const configDir = resolve(options.config_dir);
  const { name } = resolveJob(argument, configDir);
  const directory = jobDirectory(configDir, name);
  const overrides = options.set;
  const { settings } = loadSettings({
    configDir,
    job: name,
    env: process.env,
    overrides,
    fsJavaOpts: process.env['FS_JAVA_OPTS'],
  });
  if (settings.engine.urls.length === 0 && !existsSync(directory)) {
    throw new CrawlerError(
      'not_found',
      `Job [${name}] has no index in [${configDir}] yet. Run [crawler ${argument}] first.`,
    );
  }
  const engine = await openEngine(settings, {
    jobDirectory: directory,
    baseUrl: () => undefined,
    version: packageVersion(),
    clock: systemClock,
    logger: silentLogger,
  });
  const index = options.index ?? settings.engine.index;
  try {
    if (options.all) await printAll(engine, index, options.json);
    else await printHits(engine, { index, query, fields: searchFieldsOf(settings) }, options);
    return EXIT_OK;
  } finally {
    await engine.close();
  }
}

interface Wanted {
  readonly index: string;
  readonly query: string;
  readonly fields: readonly string[];
}

async function printHits(
  engine: SearchEngine,
  { index, query, fields }: Wanted,
  options: SearchOptions,
): Promise<void> {
  const highlight = { fields: { content: { number_of_fragments: 1, fragment_size: 160 } } };
  const tags = options.json ? {} : { pre_tags: [mark().on], post_tags: [mark().off] };
  const body = {
    size: options.size,
    query: { query_string: { query, fields, default_operator: 'AND', lenient: true } },
    highlight: { ...highlight, ...tags },
  };
  const { hits } = await engine.search({ index, body }, new AbortController().signal);
  for (const hit of hits.hits) await writeOut(options.json ? jsonLine(hit) : textLines(hit));
  if (!options.json) await writeOut(foundLine(hits.total.value, hits.hits.length));
}

async function printAll(engine: SearchEngine, index: string, json: boolean): Promise<void> {
  for await (const page of engine.scan(index, new AbortController().signal)) {
    for (const { index: in_, id, source } of page) {
      const line = json ? JSON.stringify({ index: in_, id, source }) : `${id}  ${pathOf(source)}`;
      await writeOut(`${line}\n`);
    }
  }
}

function jsonLine(hit: Hit): string {
  const { _index: index, _id: id, _score: score, _source: source, highlight } = hit;
  return `${JSON.stringify({ index, id, score, source, highlight, page: pageOf(hit, USUAL_MARKS) })}\n`;
}

/** Undefined for documents without pages, and for hits that are not in the text. */
function pageOf({ _source: source, highlight }: Hit, marks: Marks): number | undefined {
  const fragment = highlight?.['content']?.[0];
  const { content, pages } = (source ?? {}) as Pick<CrawlDocument, 'content' | 'pages'>;
  if (fragment === undefined || content === undefined || pages === undefined) return undefined;
  return pageOfFragment(content, pages, fragment, marks);
}

function textLines(hit: Hit): string {
  const snippet = hit.highlight?.['content']?.[0]?.replace(/\s+/g, ' ').trim();
  const score = hit._score === null ? '' : `  (${shownScore(hit._score)})`;
  const page = pageOf(hit, mark());
  const place = page === undefined ? '' : `, page ${page}`;
  return `${pathOf(hit._source)}${place}${score}\n${snippet === undefined ? '' : `    ${snippet}\n`}`;
}

/** Words that most documents hold score next to nothing: still enough to rank by. */
function shownScore(score: number): string {
  return score >= 0.01 || score === 0 ? score.toFixed(2) : score.toExponential(1);
}

function pathOf(source: Hit['_source']): string {
  const path = source?.['path'] as { real?: string } | undefined;
  const file = source?.['file'] as { filename?: string } | undefined;
  return path?.real ?? file?.filename ?? '(no path)';
}

function foundLine(total: number, shown: number): string {
  if (total === 0) return 'Nothing found.\n';
  const documents = total === 1 ? '1 document' : `${total} documents`;
  return shown < total ? `${documents} found, the best ${shown} are shown (--size).\n` : `${documents} found.\n`;
}

/** How a hit is marked in its snippet: bold on a terminal, brackets elsewhere. */
function mark(): Marks {
  return process.stdout.isTTY ? { on: '\u001b[1m', off: '\u001b[0m' } : { on: '[', off: ']' };
}
