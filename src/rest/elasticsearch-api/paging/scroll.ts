import type { SearchEngine } from '../../../engine/engine.js';
import { unsupported } from '../api-error.js';
import { invalidRequest, without } from '../json-body.js';
import type { Body } from '../json-body.js';
import type { Held } from './cursors.js';
import { HitLists } from './hit-lists.js';
import { DEFAULT_SIZE, pageAnswer, requireListable, wholeNumber } from './page-answer.js';
import type { PageAnswer } from './page-answer.js';

const LARGEST_PAGE = 10_000;

/** One search that is read from its first hit to its last, a page at each request. */
export class Scroll implements Held {
  readonly #lists: HitLists;
  readonly #body: Body;
  readonly #size: number;
  #place = 0;
  #maxScore: number | null = null;
  /** Two requests at once get two pages. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(lists: HitLists, body: Body, size: number) {
    this.#lists = lists;
    this.#body = body;
    this.#size = size;
  }

  get bytes(): number {
    return this.#lists.bytes;
  }

  release(): void {
    // What it holds cannot be had again.
  }

  /** With its first page. */
  static async open(
    engine: SearchEngine,
    indices: readonly string[],
    request: Body,
    signal: AbortSignal,
  ): Promise<{ readonly scroll: Scroll; readonly first: PageAnswer }> {
    const startedMs = performance.now();
    const { size, body } = scrollRequest(request);
    const lists = await HitLists.open(engine, indices, body, signal);
    // Aggregations are answered once.
    const scroll = new Scroll(lists, without(body, ['aggs', 'aggregations']), size);
    const first = await scroll.next(signal, startedMs);
    return {
      scroll,
      first: { ...first, ...(lists.aggregations === undefined ? {} : { aggregations: lists.aggregations }) },
    };
  }

  /** A page that fails, or whose client has gone, is the next one again. */
  next(signal: AbortSignal, startedMs = performance.now()): Promise<PageAnswer> {
    const page = this.#turn.then(() => this.#next(signal, startedMs));
    this.#turn = page.catch(() => undefined);
    return page;
  }

  async #next(signal: AbortSignal, startedMs: number): Promise<PageAnswer> {
    const isFirst = this.#place === 0;
    // A page without hits would be taken for the end.
    const page = { place: this.#place, size: this.#size, fill: true, body: this.#body };
    const { hits, place } = await this.#lists.read(page, signal);
    this.#place = place;
    if (isFirst && this.#lists.byScore) this.#maxScore = hits[0]?._score ?? null;
    return pageAnswer(this.#lists, hits, { startedMs, maxScore: this.#maxScore });
  }
}

function scrollRequest(request: Body): { readonly size: number; readonly body: Body } {
  const { from, size = DEFAULT_SIZE, search_after: after, pit, track_total_hits: track, ...body } = request;
  requireListable(body, 'a scroll');
  if (pit !== undefined) throw invalidRequest('using [point in time] is not allowed in a scroll context');
  if (from !== undefined && from !== 0) throw invalidRequest('using [from] is not allowed in a scroll context');
  if (after !== undefined) throw invalidRequest('[search_after] cannot be used in a scroll context');
  if (track === false) throw invalidRequest('disabling [track_total_hits] is not allowed in a scroll context');
  return { size: pageSize(size), body: track === undefined ? body : { ...body, track_total_hits: track } };
}

function pageSize(value: unknown): number {
  const size = wholeNumber(value, 'size');
  if (size === 0) throw invalidRequest('[size] cannot be [0] in a scroll context');
  if (size > LARGEST_PAGE) throw unsupported(`A page of more than ${LARGEST_PAGE} hits`);
  return size;
}
