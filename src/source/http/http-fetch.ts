import { CrawlerError } from '../../base/errors.js';
import { systemResolve, type AddressGuard, type Resolve } from '../address-guard.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import type { Spool } from '../spool.js';
import { fetchHttpDocument } from './http-document.js';
import { isHttp, shown, type HttpLimits } from './http-request.js';

export interface HttpFetchOptions {
  readonly policy: AddressGuard;
  readonly spool: Spool;
  readonly maxBytes: number;
  readonly limits?: HttpLimits & { readonly totalMs: number };
  readonly resolve?: Resolve;
}

const LIMITS = { headersMs: 15_000, idleMs: 30_000, totalMs: 10 * 60_000, redirects: 5 };

/** `{"type":"http","http":{"url":…}}`: a document behind an http or https link. */
export class HttpFetch implements FetchOpener {
  readonly type = 'http';
  readonly #options: HttpFetchOptions;

  constructor(options: HttpFetchOptions) {
    this.#options = options;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const text = requiredText('http', parameters, 'url', 'HTTP URL is missing');
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) throw new CrawlerError('usage', `Invalid url [${shown(text)}]`);
    if (!isHttp(url)) throw new CrawlerError('denied', `Invalid url [${shown(text)}]: only http and https are fetched`);
    const { policy, spool, maxBytes, limits = LIMITS, resolve = systemResolve } = this.#options;
    const { entry, file } = await fetchHttpDocument(
      url,
      { guard: policy, spool, maxBytes, limits, resolve, totalMs: limits.totalMs },
      signal,
    );
    const { name } = entry;
    return {
      entry,
      content: file.content,
      place: { filename: name, real: name, virtual: name },
      close: () => file.remove(),
    };
  }
}
