import { dirname, resolve } from 'node:path';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import { silentLogger } from '../../base/logger.js';
import { printable, printableText } from '../../base/printable.js';
import { printByteSize } from '../../base/units.js';
import type { Extraction, ExtractedMember } from '../../extract/index.js';
import { FileExtraction, type ExtractedFile } from '../../operations/extract/extract-file.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { loadJob } from '../jobs/inspected-job.js';
import { JobLocations } from '../jobs/job-locations.js';
import { jobOfPath } from '../jobs/job-of-path.js';
import { resolveJob } from '../jobs/resolve-job.js';
import { matchingFiles } from '../matching-files.js';
import type { ExtractOptions } from '../options.js';
import { counted, ReportLines } from '../report-lines.js';
import { stoppable } from '../stoppable.js';
import { writeOut } from '../write-out.js';

/** `crawler extract <file…>`: exit code 1 when a problem keeps one of the files from having any text. */
export async function extract(names: readonly string[], options: ExtractOptions): Promise<number> {
  const files = await matchingFiles(names);
  return await stoppable(async (signal) => {
    const extractions = new ExtractionsByJob(signal);
    let code = EXIT_OK;
    try {
      for (const [at, file] of files.entries()) {
        throwIfCancelled(signal);
        if (at > 0 && !options.json) await writeOut('\n');
        const hasText = await show(file, options, extractions, files.length > 1);
        if (!hasText) code = EXIT_FAILURE;
      }
      return code;
    } finally {
      await extractions.close();
    }
  });
}

/** Of several files, one that cannot be read costs only itself. */
async function show(
  file: string,
  options: ExtractOptions,
  extractions: ExtractionsByJob,
  isOneOfMany: boolean,
): Promise<boolean> {
  const path = resolve(file);
  try {
    const chosen = settingsFor(path, options);
    const extraction = await extractions.of(chosen);
    const extracted = await extraction.extract(path, options.password);
    const lines = new ReportLines();
    if (options.json) lines.add(JSON.stringify(toJson(path, chosen.job, extracted)));
    else addReport(lines, path, chosen.job, extracted);
    await lines.flush();
    const { text, problem } = extracted.extraction;
    return problem === undefined || text.trim() !== '';
  } catch (error) {
    if (!isOneOfMany || !(error instanceof CrawlerError) || error.code === 'cancelled') throw error;
    console.error(printable(error.message));
    return false;
  }
}

/** Files of one job share its extractor processes. */
class ExtractionsByJob {
  readonly #open = new Map<string | undefined, FileExtraction>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async of({ settings, job }: Chosen): Promise<FileExtraction> {
    const logger = { ...silentLogger, warn: (message: string) => console.error(printable(message)) };
    const signal = this.#signal;
    const open = this.#open.get(job) ?? (await FileExtraction.open({ settings, logger, signal }));
    this.#open.set(job, open);
    return open;
  }

  async close(): Promise<void> {
    for (const extraction of this.#open.values()) await extraction.close();
  }
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
    const { settings } = jobOfPath(path, configDir, { ...options, purpose: 'extract' });
    return { settings, job: settings.name };
  } catch (error) {
    if (options.job !== undefined || !(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
    const folder = resolveJob(dirname(path), new JobLocations(configDir, options.set));
    const { settings } = loadJob(configDir, folder, { overrides: options.set, purpose: 'extract' });
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
  lines.add(printable(path));
  lines.addTable(summary(job, extracted));
  addPart(
    lines,
    'warnings',
    extraction.warnings.map((warning) => [printable(warning)]),
  );
  addPart(
    lines,
    'metadata',
    Object.entries(extraction.metadata).flatMap(([key, values]) => values.map((value) => [key, printable(value)])),
  );
  addPart(lines, 'members', extraction.members.map(memberRow));
  if (extraction.text !== '') lines.add('', 'text', printableText(extraction.text));
}

function summary(job: string | undefined, { extraction, elapsedMs, totalMs }: ExtractedFile): string[][] {
  const { problem, language, size, text, truncated } = extraction;
  const cut = truncated ? ', cut there (fs.indexed_chars)' : '';
  return [
    ['size', size === 0 ? 'empty' : printByteSize(size)],
    ['type', extraction.contentType ?? 'unknown'],
    ['extractor', extractorsOf(extraction).join(', ') || 'none'],
    ['settings', job === undefined ? 'the defaults: no job crawls it' : `of the job [${printable(job)}]`],
    ['time', `${elapsedMs.toFixed(1)} ms, with the start of the extractor ${Math.round(totalMs)} ms`],
    ['text', `${counted(text.length, 'character')}${cut}`],
    ...(language === undefined ? [] : [['language', language]]),
    ...(problem === undefined ? [] : [['problem', `${problem.reason}: ${printable(problem.message)}`]]),
  ];
}

function memberRow({ metadata, contentType, from, to }: ExtractedMember): string[] {
  const path = metadata['tk:embedded_resource_path']?.[0] ?? '';
  return [printable(path), contentType, counted(to - from, 'character')];
}

function addPart(lines: ReportLines, title: string, rows: readonly string[][]): void {
  if (rows.length === 0) return;
  lines.add('', title);
  lines.addTable(rows);
}

function extractorsOf({ metadata }: Extraction): readonly string[] {
  return metadata['tk:Parsed-By-Full-Set'] ?? metadata['tk:Parsed-By'] ?? [];
}
