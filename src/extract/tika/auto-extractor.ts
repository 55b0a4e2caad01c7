import { CrawlerError } from '../../base/errors.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from '../extraction.js';
import { UNKNOWN } from '../detect/type-names.js';
import type { TikaExtractor } from './tika-extractor.js';
import type { TikaTypes } from './tika-types.js';

/**
 * The embedded extractor comes first; what it does not support, and a Tika server does, goes to that server. While the server
 * is unavailable, such a file is not indexed without its text: it fails, and is tried again at growing intervals. All other
 * files are indexed.
 */
export interface AutoExtractorOptions {
  readonly embedded: ExtractorService;
  readonly tika: TikaExtractor;
  readonly types: TikaTypes;
}

export class AutoExtractor implements ExtractorService {
  readonly version: string;
  readonly concurrency: number;
  readonly #embedded: ExtractorService;
  readonly #tika: TikaExtractor;
  readonly #types: TikaTypes;

  constructor({ embedded, tika, types }: AutoExtractorOptions) {
    this.version = `${embedded.version}+${tika.version}`;
    this.concurrency = embedded.concurrency;
    this.#embedded = embedded;
    this.#tika = tika;
    this.#types = types;
  }

  async extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction> {
    const own = await this.#embedded.extract(request, signal, queueSignal);
    if (own.problem?.reason !== 'unsupported') return own;
    try {
      if (!(await this.#types.includes(own.contentType ?? UNKNOWN, request, signal))) return own;
      return await this.#ask(request, own, signal, queueSignal);
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.code !== 'unavailable') throw error;
      // Not `unavailable`: that would end the crawl, which can do without the server for all other files.
      const message = `${own.problem.message} It is tried again later: ${error.message}`;
      throw new CrawlerError('unsupported', message, { cause: error });
    }
  }

  activity(): ExtractionActivity {
    const embedded = this.#embedded.activity();
    const tika = this.#tika.activity();
    return {
      current: [...embedded.current, ...tika.current],
      waiting: embedded.waiting + tika.waiting,
      slowest: [...embedded.slowest, ...tika.slowest]
        .sort((left, right) => right.elapsedMs - left.elapsedMs)
        .slice(0, Math.max(embedded.slowest.length, tika.slowest.length)),
      kinds: [...(embedded.kinds ?? []), ...(tika.kinds ?? [])],
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#embedded.close(), this.#tika.close()]);
  }

  /** What is known of the bytes already is not made again. */
  async #ask(
    request: ExtractionRequest,
    own: Extraction,
    signal: AbortSignal,
    queueSignal: AbortSignal | undefined,
  ): Promise<Extraction> {
    const options = { ...request.options, checksum: undefined, includeSource: false };
    const found = await this.#tika.extract({ ...request, options }, signal, queueSignal);
    if (found.problem?.reason === 'unsupported') return own;
    const { checksum, source, size } = own;
    return { ...found, checksum, source, size, warnings: [...own.warnings, ...found.warnings] };
  }
}
