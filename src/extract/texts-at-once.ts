import { throwIfCancelled } from '../base/errors.js';
import type { Extraction, ExtractionRequest, ExtractorService } from './extraction.js';
import type { SharedExtraction } from './shared-extraction.js';
import type { SmallTexts } from './small-texts.js';

/**
 * Small texts that are in memory already are extracted where they are: what is uploaded, and what was read from a remote source.
 * Everything else is for the service behind it.
 */
export class TextsAtOnce implements Pick<ExtractorService, 'extract'> {
  readonly #service: SharedExtraction;
  readonly #open: () => Promise<SmallTexts>;
  #texts: Promise<SmallTexts> | undefined;

  /**
   * @param service hears of the times of such texts as well
   * @param open called with the first document in memory
   */
  constructor(service: SharedExtraction, open: () => Promise<SmallTexts>) {
    this.#service = service;
    this.#open = open;
  }

  async extract(request: ExtractionRequest, signal: AbortSignal, queueSignal?: AbortSignal): Promise<Extraction> {
    for (const each of [signal, queueSignal]) if (each !== undefined) throwIfCancelled(each);
    return (await this.#atOnce(request)) ?? (await this.#service.extract(request, signal, queueSignal));
  }

  async #atOnce(request: ExtractionRequest): Promise<Extraction | undefined> {
    const { name, content } = request;
    if (content.kind !== 'bytes') return undefined;
    const texts = await (this.#texts ??= this.#open());
    const { length } = content.bytes;
    if (!texts.mayTake(name, length)) return undefined;
    const startedMs = performance.now();
    const extraction = await texts.extract(request);
    if (extraction !== undefined) this.#service.addTime(name, length, performance.now() - startedMs);
    return extraction;
  }
}
