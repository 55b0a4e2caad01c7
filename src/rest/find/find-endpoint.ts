import type { Request, Response } from 'express';
import { throwIfCancelled } from '../../base/errors.js';
import { Semaphore } from '../../base/semaphore.js';
import { Facets, facetNames } from '../../search/facets.js';
import { IndexSearch } from '../../search/index-search.js';
import { suggest } from '../../search/suggestions.js';
import { sendJson } from '../answer.js';
import { requestSignal } from '../request-signal.js';
import { requireEngine } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import { FindParameters, requestParameters } from './find-parameters.js';

const MOST_HITS = 50;
const HITS = 20;
const MOST_VALUES = 200;
const VALUES = 20;

/** `GET /_find` and what belongs to it: the index of the job for people (docs/search.md). */
export class FindEndpoint {
  readonly #context: RestContext;
  readonly #search: IndexSearch;
  readonly #facets: Facets;
  /** What counts many documents waits for each other; hits never wait for it. */
  readonly #counting = new Semaphore(1);

  constructor(context: RestContext) {
    const { engine, index, searchFields } = context;
    this.#context = context;
    this.#search = new IndexSearch({ engine, index, searchFields });
    this.#facets = new Facets(this.#search);
  }

  async hits(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, [...requestParameters, 'size', 'after', 'count']);
    const asked = parameters.request();
    const after = parameters.text('after');
    const page = {
      size: parameters.integer('size', { least: 0, most: MOST_HITS, otherwise: HITS }),
      ...(after === undefined ? {} : { start: { after } }),
      ...(parameters.choice('count', ['exact', '10000']) === 'exact' ? { count: 'exact' as const } : {}),
    };
    const signal = requestSignal(response, this.#context.stopping);
    await requireEngine(this.#context, response);
    sendJson(response, 200, { ok: true, ...(await this.#search.find(asked, page, signal)) });
  }

  async facets(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, [...requestParameters, 'facets', 'size']);
    const asked = parameters.request();
    const options = {
      names: parameters.choices('facets', facetNames),
      size: parameters.integer('size', { least: 1, most: MOST_VALUES, otherwise: VALUES }),
      folderIndex: this.#context.folderIndex,
      tagFields: this.#context.tagFields,
      nowMs: Date.now(),
    };
    const answer = await this.#inTurn(response, (signal) => this.#facets.count(asked, options, signal));
    sendJson(response, 200, { ok: true, ...answer });
  }

  async suggestions(request: Request, response: Response): Promise<void> {
    const asked = new FindParameters(request, requestParameters).request();
    const answer = await this.#inTurn(response, (signal) => suggest(this.#search, asked, signal));
    sendJson(response, 200, { ok: true, ...answer });
  }

  async #inTurn<T>(response: Response, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = requestSignal(response, this.#context.stopping);
    await requireEngine(this.#context, response);
    await this.#counting.acquire();
    try {
      throwIfCancelled(signal);
      return await work(signal);
    } finally {
      this.#counting.release();
    }
  }
}
