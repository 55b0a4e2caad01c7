import { systemClock } from '../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../base/errors.js';
import { silentLogger } from '../base/logger.js';
import { packageVersion } from '../base/package-root.js';
import type { SearchEngine } from '../engine/engine.js';
import { openEngine } from '../engine/registry.js';
import { searchFieldsOf } from '../engine/search-fields.js';
import { hasState, jobDirectory } from '../settings/jobs.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkOptions } from './check-options.js';
import { locateJob } from './locate-job.js';
import type { IndexedDocument, JobOptions, SearchBody, SearchIndex, SearchOptions, SearchResult } from './types.js';

const OPTIONS = ['configDir', 'settings', 'logger', 'signal'] as const;

/**
 * Opens the index of a job for reading: the embedded one, or a cluster where the settings of the job name one.
 *
 * @param place the folder or the name of the job, as for `crawl`
 * @throws CrawlerError `not_found` for a job that does not exist or was never crawled, `settings_invalid` for its settings,
 *   `usage` for options that do not exist
 */
export async function openIndex(place: string, options: JobOptions = {}): Promise<SearchIndex> {
  checkOptions('openIndex', options, OPTIONS);
  const { logger = silentLogger, signal } = options;
  if (signal !== undefined) throwIfCancelled(signal);
  const { configDir, settings } = locateJob(place, options, 'search');
  if (settings.engine.urls.length === 0 && !hasState(configDir, settings.name)) {
    throw new CrawlerError('not_found', `The job of [${place}] has no index in [${configDir}] yet. Crawl it first.`, {
      subject: place,
    });
  }
  const engine = await openEngine(settings, {
    jobDirectory: jobDirectory(configDir, settings.name),
    baseUrl: () => undefined,
    version: packageVersion(),
    clock: systemClock,
    logger,
    ...(signal === undefined ? {} : { stop: signal }),
  });
  return new JobIndex(engine, settings, signal);
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

class JobIndex implements SearchIndex {
  readonly job: string;
  readonly #engine: SearchEngine;
  readonly #settings: JobSettings;
  readonly #signal: AbortSignal | undefined;

  constructor(engine: SearchEngine, settings: JobSettings, signal: AbortSignal | undefined) {
    this.job = settings.name;
    this.#engine = engine;
    this.#settings = settings;
    this.#signal = signal;
  }

  async search(query: string | SearchBody, options: SearchOptions = {}): Promise<SearchResult> {
    checkOptions('search', options, ['size', 'from', 'signal']);
    const { size, from } = options;
    const body = {
      ...(typeof query === 'string' ? this.#bodyOf(query) : query),
      ...(size === undefined ? {} : { size }),
      ...(from === undefined ? {} : { from }),
    };
    const { hits, aggregations = {} } = await this.#engine.search({ index: this.#index, body }, this.#within(options));
    return {
      total: hits.total.value,
      hits: hits.hits.map(({ _id: id, _index: index, _score: score, _source: source = {}, highlight = {} }) => ({
        id,
        index,
        score,
        source,
        highlight,
      })),
      aggregations,
    };
  }

  async count(query?: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<number> {
    checkOptions('count', options, ['signal']);
    return await this.#engine.count(this.#index, query, this.#within(options));
  }

  async get(id: string, options: CallOptions = {}): Promise<IndexedDocument | undefined> {
    checkOptions('get', options, ['signal']);
    const found = await this.#engine.get(this.#index, id, this.#within(options));
    return found === undefined ? undefined : { id: found.id, index: found.index, source: found.source };
  }

  async *documents(options: CallOptions = {}): AsyncGenerator<IndexedDocument> {
    checkOptions('documents', options, ['signal']);
    for await (const page of this.#engine.scan(this.#index, this.#within(options))) {
      for (const { id, index, source } of page) yield { id, index, source };
    }
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #index(): string {
    return this.#settings.engine.index;
  }

  #bodyOf(words: string): SearchBody {
    const fields = searchFieldsOf(this.#settings);
    return {
      query: { query_string: { query: words, default_operator: 'AND', fields, lenient: true } },
      highlight: { fields: { content: { number_of_fragments: 1, fragment_size: 160 } } },
      track_total_hits: true,
    };
  }

  /** Ends with the signal of the call, and with that of the index. */
  #within({ signal }: CallOptions): AbortSignal {
    const signals = [signal, this.#signal].filter((each) => each !== undefined);
    const within = AbortSignal.any(signals);
    throwIfCancelled(within);
    return within;
  }
}
