import { CrawlerError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { normaliseRoot } from '../../base/path.js';
import { openExtractor, type Extraction, type ExtractorService } from '../../extract/index.js';
import { DocumentRules } from '../../ingest/document-rules.js';
import { ContentExtraction } from '../../ingest/content-extraction.js';
import { openPasswords } from '../../passwords/registry.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { contentOf } from '../../source/content.js';
import { LocalSource } from '../../source/local/local-source.js';
import { Spool } from '../../source/spool.js';

export interface FileExtractionOptions {
  readonly settings: JobSettings;
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

/** What the crawler takes out of files, under the settings of a job but without its catalog and its index. */
export class FileExtraction {
  readonly #signal: AbortSignal;
  readonly #source = new LocalSource({ followSymlinks: true });
  readonly #extractor: ExtractorService;
  readonly #documents: ContentExtraction;

  private constructor({ settings, logger, signal }: FileExtractionOptions, extractor: ExtractorService) {
    this.#signal = signal;
    this.#extractor = extractor;
    this.#documents = new ContentExtraction({
      rules: new DocumentRules(settings, undefined),
      extractor,
      passwords: openPasswords(settings, logger),
      spool: new Spool(settings.fs.tempDir, 'crawl'),
      logger,
    });
  }

  static async open(options: FileExtractionOptions): Promise<FileExtraction> {
    const { settings, logger, signal } = options;
    return new FileExtraction(options, await openExtractor(settings, logger, { signal }));
  }

  /**
   * @param path absolute
   * @param password the only one to try; the job's providers are asked when left out
   * @throws CrawlerError `not_found` or `denied` when the file cannot be read, `usage` when it is none
   */
  async extract(path: string, password: string | undefined): Promise<ExtractedFile> {
    const startedAt = performance.now();
    const real = normaliseRoot(path);
    const entry = await this.#source.stat(real, this.#signal);
    if (entry.kind !== 'file') {
      throw new CrawlerError('usage', `[${real}] is not a file. Name files to extract.`, { subject: real });
    }
    const place = { filename: entry.name, real, virtual: real };
    const extraction = await this.#documents.extract(
      {
        entry,
        content: contentOf(this.#source, entry),
        place,
        origin: 'rest',
        ...(password === undefined ? {} : { password }),
      },
      this.#signal,
    );
    const totalMs = performance.now() - startedAt;
    const lasted = this.#extractor.activity().slowest.find(({ document }) => document === real);
    return { extraction, elapsedMs: lasted?.elapsedMs ?? totalMs, totalMs };
  }

  close(): Promise<void> {
    return this.#extractor.close();
  }
}
