import { CrawlerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { normaliseRoot } from '../base/path.js';
import type { Extraction } from '../extract/index.js';
import { DocumentRules } from '../ingest/document-rules.js';
import { EntryExtraction } from '../ingest/entry-extraction.js';
import { openPasswords } from '../passwords/registry.js';
import type { JobSettings } from '../settings/job-settings.js';
import { LocalSource } from '../source/local/local-source.js';
import { openExtractor } from './open-extractor.js';

export interface ExtractFileOptions {
  readonly settings: JobSettings;
  /** Absolute. */
  readonly path: string;
  /** The only one to try; the job's providers are asked when left out. */
  readonly password?: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface ExtractedFile {
  readonly extraction: Extraction;
  /** Milliseconds of the extraction itself. */
  readonly elapsedMs: number;
  /** The same with the start of everything that it needs. */
  readonly totalMs: number;
}

/**
 * What the crawler takes out of one file, under the settings of a job but without its catalog and its index.
 * @throws CrawlerError `not_found` or `denied` when the file cannot be read, `usage` when it is none
 */
export async function extractFile(options: ExtractFileOptions): Promise<ExtractedFile> {
  const { settings, logger, signal } = options;
  const startedAt = performance.now();
  const source = new LocalSource({ followSymlinks: true });
  const path = normaliseRoot(options.path);
  const entry = await source.stat(path, signal);
  if (entry.kind !== 'file') {
    throw new CrawlerError('usage', `[${path}] is not a file. Name one file to extract.`, { subject: path });
  }
  const extractor = await openExtractor(settings, logger, { signal });
  try {
    const documents = new EntryExtraction({
      rules: new DocumentRules(settings, undefined),
      extractor,
      passwords: openPasswords(settings, logger),
      spoolDirectory: settings.fs.tempDir,
      logger,
    });
    const place = { filename: entry.name, real: path, virtual: path };
    const password = options.password === undefined ? {} : { password: options.password };
    const extraction = await documents.extract({ source, entry, place, origin: 'rest', ...password }, signal);
    const elapsedMs = extractor.activity().slowest[0]?.elapsedMs ?? 0;
    return { extraction, elapsedMs, totalMs: performance.now() - startedAt };
  } finally {
    await extractor.close();
  }
}
