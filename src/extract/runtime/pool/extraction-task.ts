import { CrawlerError } from '../../../base/errors.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';

/** One document in the pool. Settles once; later results are ignored. */
export class ExtractionTask {
  readonly id: number;
  readonly request: ExtractionRequest;
  readonly result: Promise<Extraction>;
  /** How many processes have died or were killed while they extracted it. */
  failedAttempts = 0;
  readonly #onSettled: (() => void)[] = [];
  #settled = false;
  #resolve: (extraction: Extraction) => void = () => undefined;
  #reject: (error: CrawlerError) => void = () => undefined;

  constructor(id: number, request: ExtractionRequest) {
    this.id = id;
    this.request = request;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onSettled(listener: () => void): void {
    this.#onSettled.push(listener);
  }

  get settled(): boolean {
    return this.#settled;
  }

  resolve(extraction: Extraction): void {
    if (this.#flush()) this.#resolve(extraction);
  }

  reject(error: CrawlerError): void {
    if (this.#flush()) this.#reject(error);
  }

  cancel(message: string, cause?: unknown): void {
    this.reject(new CrawlerError('cancelled', message, { cause }));
  }

  #flush(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    for (const listener of this.#onSettled) listener();
    return true;
  }
}
