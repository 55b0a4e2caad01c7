import { dirname, resolve } from 'node:path';
import { extractFile, type ExtractedFile } from '../../app/extract-file.js';
import { CrawlerError } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { printByteSize } from '../../base/units.js';
import type { Extraction, ExtractedMember } from '../../extract/extraction.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { loadJob } from '../inspected-place.js';
import { jobOfPath } from '../job-of-path.js';
import type { ExtractOptions } from '../options.js';
import { counted, oneLine, ReportLines } from '../report-lines.js';
import { resolveJob } from '../resolve-job.js';
import { stoppable } from '../stoppable.js';
import type { JobSettings } from '../../settings/job-settings.js';

/** `crawler extract <file>`: exit code 1 when a problem keeps the file from having any text. */
export async function extract(file: string, options: ExtractOptions): Promise<number> {
  const path = resolve(file);
  const { settings, job } = settingsFor(path, options);
  const logger = { ...silentLogger, warn: (message: string) => console.error(message) };
  const { password } = options;
  const extracted = await stoppable((signal) =>
    extractFile({ settings, path, ...(password === undefined ? {} : { password }), logger, signal }),
  );
  const lines = new ReportLines();
  if (options.json) lines.add(JSON.stringify(toJson(path, job, extracted)));
  else addReport(lines, path, job, extracted);
  await lines.flush();
  const { text, problem } = extracted.extraction;
  return problem !== undefined && text.trim() === '' ? EXIT_FAILURE : EXIT_OK;
}

interface Chosen {
  readonly settings: JobSettings;
  /** Whose settings they are; undefined when there is no job for the file. */
  readonly job: string | undefined;
}

/** Those of the job that is named, of the only job that crawls the file, or what `crawler <its folder>` would have. */
function settingsFor(path: string, options: ExtractOptions): Chosen {
  const configDir = resolve(options.config_dir);
  try {
    const { settings } = jobOfPath(path, configDir, options);
    return { settings, job: settings.name };
  } catch (error) {
    if (options.job !== undefined || !(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
    const { settings } = loadJob(configDir, resolveJob(dirname(path), configDir), options.set);
    return { settings, job: undefined };
  }
}

function toJson(path: string, job: string | undefined, { extraction, elapsedMs, totalMs }: ExtractedFile): object {
  const { problem, language, checksum } = extraction;
  return {
    file: path,
    ...(job === undefined ? {} : { job }),
    size: extraction.size,
    content_type: extraction.contentType,
    extractors: extractorsOf(extraction),
    elapsed_ms: Math.round(elapsedMs),
    total_ms: Math.round(totalMs),
    ...(language === undefined ? {} : { language }),
    ...(checksum === undefined ? {} : { checksum }),
    ...(problem === undefined ? {} : { problem }),
    warnings: extraction.warnings,
    metadata: extraction.metadata,
    members: extraction.members.map(({ contentType, ...member }) => ({ ...member, content_type: contentType })),
    truncated: extraction.truncated,
    text: extraction.text,
  };
}

function addReport(lines: ReportLines, path: string, job: string | undefined, extracted: ExtractedFile): void {
  const { extraction } = extracted;
  lines.add(oneLine(path));
  lines.addTable(summary(job, extracted));
  addPart(
    lines,
    'warnings',
    extraction.warnings.map((warning) => [oneLine(warning)]),
  );
  addPart(
    lines,
    'metadata',
    Object.entries(extraction.metadata).flatMap(([key, values]) => values.map((value) => [key, oneLine(value)])),
  );
  addPart(lines, 'members', extraction.members.map(memberRow));
  if (extraction.text !== '') lines.add('', 'text', extraction.text);
}

function summary(job: string | undefined, { extraction, elapsedMs, totalMs }: ExtractedFile): string[][] {
  const { problem, language, size, text, truncated } = extraction;
  const cut = truncated ? ', cut there (fs.indexed_chars)' : '';
  return [
    ['size', size === 0 ? 'empty' : printByteSize(size)],
    ['type', extraction.contentType ?? 'unknown'],
    ['extractor', extractorsOf(extraction).join(', ') || 'none'],
    ['settings', job === undefined ? 'the defaults: no job crawls it' : `of the job [${job}]`],
    ['time', `${elapsedMs.toFixed(1)} ms, with the start of the extractor ${Math.round(totalMs)} ms`],
    ['text', `${counted(text.length, 'character')}${cut}`],
    ...(language === undefined ? [] : [['language', language]]),
    ...(problem === undefined ? [] : [['problem', `${problem.reason}: ${oneLine(problem.message)}`]]),
  ];
}

function memberRow({ metadata, contentType, from, to }: ExtractedMember): string[] {
  const path = metadata['tk:embedded_resource_path']?.[0] ?? '';
  return [oneLine(path), contentType, counted(to - from, 'character')];
}

function addPart(lines: ReportLines, title: string, rows: readonly string[][]): void {
  if (rows.length === 0) return;
  lines.add('', title);
  lines.addTable(rows);
}

function extractorsOf({ metadata }: Extraction): readonly string[] {
  return metadata['tk:Parsed-By-Full-Set'] ?? metadata['tk:Parsed-By'] ?? [];
}
