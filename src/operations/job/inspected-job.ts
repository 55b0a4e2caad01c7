import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { CrawlerError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { packageVersion } from '../../base/package-root.js';
import { ScanRules } from '../../crawler/scan/scan-rules.js';
import { loadPatternEngine } from '../../crawler/scan/selection.js';
import type { SearchEngine } from '../../engine/engine.js';
import { openEngine } from '../../engine/registry.js';
import { embeddedVersion, openExtractor } from '../../extract/index.js';
import { DocumentRules } from '../../ingest/document-rules.js';
import { readStaticMetadata } from '../../ingest/static-metadata.js';
import { crawlerCommand } from '../../settings/crawler-command.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { openTreeSource } from '../../source/registry.js';
import type { TreeSource } from '../../source/source.js';
import type { Catalog } from '../../state/catalog.js';
import { JobLock } from '../../state/job-lock.js';
import type { SqliteCatalog } from '../../state/sqlite-catalog.js';
import type { JobContext } from './job-context.js';
import { notRunYet, readCatalog } from './read-catalog.js';
import type { Inspection } from './tree-walk.js';

/** A job whose engine may be open already, as that of a running service is. */
export interface OpenedJobContext extends JobContext {
  readonly engine?: SearchEngine;
}

/**
 * A job opened for inspection, whether a crawler is running on it or not: nothing is locked, and nothing is written. The
 * engine is opened when it is asked for.
 */
export class InspectedJob implements Inspection {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly documents: DocumentRules;
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly catalog: SqliteCatalog | undefined;
  /** Opened by whoever inspects the job; it stays open. */
  readonly #given: SearchEngine | undefined;
  #engine: SearchEngine | undefined;

  private constructor(place: OpenedJobContext, documents: DocumentRules, rules: ScanRules, source: TreeSource) {
    this.settings = place.settings;
    this.jobDirectory = place.jobDirectory;
    this.logger = place.logger;
    this.signal = place.signal;
    this.documents = documents;
    this.rules = rules;
    this.source = source;
    this.catalog = readCatalog(place.jobDirectory);
    this.#given = place.engine;
  }

  static async open(place: OpenedJobContext): Promise<InspectedJob> {
    const { settings, jobDirectory, logger } = place;
    if (settings.fs.url === '') {
      throw new CrawlerError('settings_invalid', `Job [${settings.name}] crawls nothing: its fs.url is empty.`);
    }
    const documents = new DocumentRules(settings, readStaticMetadata(settings));
    await loadPatternEngine(settings.fs);
    const rules = new ScanRules(settings, documents, await extractorVersion(place));
    const log = (message: string): void => logger.warn(message);
    const source = await openTreeSource(settings, { configDirectory: dirname(jobDirectory), log });
    return new InspectedJob(place, documents, rules, source);
  }

  /** Throws where a first run has to come before. */
  requireCatalog(): Catalog {
    if (this.catalog !== undefined) return this.catalog;
    throw notRunYet(this);
  }

  async engine(): Promise<SearchEngine> {
    if (this.#given !== undefined) return this.#given;
    this.#engine ??= await openEngine(this.settings, {
      jobDirectory: this.jobDirectory,
      baseUrl: () => undefined,
      version: packageVersion(),
      clock: systemClock,
      logger: this.logger,
    });
    return this.#engine;
  }

  /** A command on this job as a message shows it. */
  command(command: string, options: readonly string[] = []): string {
    const { settings, jobDirectory } = this;
    return crawlerCommand({ command, operands: [settings.name], options, configDir: dirname(jobDirectory) });
  }

  /** A crawler is running on the job at this moment. */
  isLive(): boolean {
    return JobLock.isHeld(join(this.jobDirectory, 'job.lock'));
  }

  async close(): Promise<void> {
    this.catalog?.close();
    await this.source.close();
    await this.#engine?.close();
  }
}

/** Part of what decides whether a document is of today's making. Only a Tika server has to be asked for it. */
async function extractorVersion({ settings, logger, jobDirectory, signal }: JobContext): Promise<string> {
  if (settings.extractor.provider === 'embedded') return embeddedVersion;
  const extractor = await openExtractor(
    settings,
    logger,
    existsSync(jobDirectory) ? { jobDirectory, signal } : { signal },
  );
  const { version } = extractor;
  await extractor.close();
  return version;
}
