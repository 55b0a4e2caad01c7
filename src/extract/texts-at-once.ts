import { throwIfCancelled } from '../base/errors.js';
import type { Extraction, ExtractionActivity, ExtractionRequest, ExtractorService } from './extraction.js';
import { KindTimes } from './kind-times.js';
import type { SmallTexts } from './small-texts.js';

/**
 * Small texts that are in memory already are extracted where they are: what is uploaded, and what was read from a remote source.
 * Everything else is for the service behind it.
 */
export class TextsAtOnce implements ExtractorService {
  readonly #service: ExtractorService;
  readonly #open: () => Promise<SmallTexts>;
  readonly #times = new KindTimes();
  #texts: Promise<SmallTexts> | undefined;

  /** @param open called with the first document in memory */
  constructor(service: ExtractorService, open: () => Promise<SmallTexts>) {
    this.#service = service;
    this.#open = open;
  }

  get version(): string {
    return this.#service.version;
  }

  get concurrency(): number {
    return this.#service.concurrency;
  }

  activity(): ExtractionActivity {
    const activity = this.#service.activity();
    return { ...activity, kinds: [...(activity.kinds ?? []), ...this.#times.list] };
  }

  close(): Promise<void> {
    return this.#service.close();
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
    if (extraction !== undefined) this.#times.add(name, length, performance.now() - startedMs);
    return extraction;
  }
}
