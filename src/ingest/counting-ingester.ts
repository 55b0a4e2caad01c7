import type { IngestItem, IngestOutcome, Ingester, RemoveOutcome } from './ingest.js';

/** Documents that were finished since the program started. */
export interface DocumentCount {
  readonly origin: 'crawl' | 'rest';
  readonly outcome: 'indexed' | 'skipped' | 'failed';
  readonly documents: number;
}

/** Counts what comes out of the ingester, by origin and outcome. */
export class CountingIngester implements Ingester {
  readonly #ingester: Ingester;
  readonly #counts = new Map<string, { -readonly [K in keyof DocumentCount]: DocumentCount[K] }>();

  constructor(ingester: Ingester) {
    this.#ingester = ingester;
  }

  documents(): readonly DocumentCount[] {
    return [...this.#counts.values()];
  }

  idOf(filename: string): string {
    return this.#ingester.idOf(filename);
  }

  async ingest(item: IngestItem, signal: AbortSignal): Promise<IngestOutcome> {
    const outcome = await this.#ingester.ingest(item, signal);
    if (item.simulate !== true) this.#count(item.origin, outcome.status);
    return outcome;
  }

  remove(index: string | undefined, id: string, signal: AbortSignal): Promise<RemoveOutcome> {
    return this.#ingester.remove(index, id, signal);
  }

  flush(): Promise<void> {
    return this.#ingester.flush();
  }

  #count(origin: DocumentCount['origin'], outcome: DocumentCount['outcome']): void {
    const key = `${origin} ${outcome}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { origin, outcome, documents: 1 });
    else known.documents += 1;
  }
}
