import { createHash } from 'node:crypto';
import type { SearchEngine } from '../../../engine/engine.js';
import { CrawlerError } from '../../../base/errors.js';
import { setNewest } from '../../../base/set-newest.js';
import { unsupported } from '../api-error.js';
import { isObject } from '../../json-text.js';
import { malformed, without } from '../json-body.js';
import type { Body } from '../json-body.js';
import { searchMany } from '../many-indices.js';
import type { Held } from './cursors.js';
import { HitLists } from './hit-lists.js';
import { DEFAULT_SIZE, pageAnswer, requireListable, wholeNumber } from './page-answer.js';
import type { PageAnswer } from './page-answer.js';

/**
 * Some indices as a client searches them, page by page. Of each search the hits are listed when it is first asked for, so that
 * its pages fit together while a crawl continues. The searches asked last are kept; one that is not has its hits listed anew.
 */
const KEPT_SEARCHES = 4;
const WINDOW = 10_000;

interface PitRequest {
  readonly from: number;
  readonly size: number;
  readonly after: readonly unknown[] | undefined;
  /** The search, with the row as the last key of its sort. */
  readonly body: Body;
}

export class PointInTime implements Held {
  readonly #engine: SearchEngine;
  readonly #indices: readonly string[];
  readonly #identity: string;
  readonly #lists = new Map<string, HitLists>();

  private constructor(engine: SearchEngine, indices: readonly string[], identity: string) {
    this.#engine = engine;
    this.#indices = indices;
    this.#identity = identity;
  }

  static async open(engine: SearchEngine, indices: readonly string[], signal: AbortSignal): Promise<PointInTime> {
    return new PointInTime(engine, indices, await engine.identity(signal));
  }

  get bytes(): number {
    return [...this.#lists.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  release(): void {
    this.#lists.clear();
  }

  /** `request`: the body of a search without `pit`. */
  async search(request: Body, signal: AbortSignal): Promise<PageAnswer> {
    const startedMs = performance.now();
    if ((await this.#engine.identity(signal)) !== this.#identity) throw replaced();
    const { from, size, after, body } = pitRequest(request);
    const lists = await this.#listsFor(body, signal);
    const place = after === undefined ? lists.placeOf(from) : placeBehind(lists, after, body);
    if (place === undefined) return this.#searchNow(request, body, signal);
    // Where pages are counted by numbers, none may reach into the next one.
    const fill = from === 0;
    const { hits } = size === 0 ? { hits: [] } : await lists.read({ place, size, fill, body }, signal);
    const maxScore = lists.byScore && place === 0 ? (hits[0]?._score ?? null) : null;
    const { aggregations } = lists;
    return {
      ...pageAnswer(lists, hits, { startedMs, maxScore }),
      ...(aggregations === undefined ? {} : { aggregations }),
    };
  }

  async #listsFor(body: Body, signal: AbortSignal): Promise<HitLists> {
    const search = without(body, ['_source', 'highlight']);
    const key = createHash('sha256').update(JSON.stringify(search)).digest('base64');
    const lists = this.#lists.get(key) ?? (await HitLists.open(this.#engine, this.#indices, search, signal));
    setNewest(this.#lists, key, lists, KEPT_SEARCHES);
    return lists;
  }

  /** What no list of hits can answer: values of a sort without its row, or a page far into the order of the rows. */
  async #searchNow(request: Body, body: Body, signal: AbortSignal): Promise<PageAnswer> {
    if (this.#indices.length > 1) throw unsupported('[from] in a point in time over several indices');
    const { search_after: after, sort } = request;
    const isComplete = Array.isArray(after) && Array.isArray(body['sort']) && after.length === body['sort'].length;
    const { took, hits, aggregations } = await searchMany(
      this.#engine,
      this.#indices,
      { ...request, ...(sort === undefined ? {} : { sort: isComplete ? body['sort'] : sort }) },
      signal,
    );
    return { took, timed_out: false, hits, ...(aggregations === undefined ? {} : { aggregations }) };
  }
}

function pitRequest(request: Body): PitRequest {
  const { from = 0, size = DEFAULT_SIZE, search_after: after, ...body } = request;
  requireListable(body, 'a point in time');
  const window = { from: wholeNumber(from, 'from'), size: wholeNumber(size, 'size') };
  if (window.from + window.size > WINDOW) throw unsupported(`More than ${WINDOW} hits a search`);
  if (after === undefined) return { ...window, after: undefined, body: withRow(body) };
  if (!Array.isArray(after) || from !== 0) throw malformed('[search_after] must be a list of values, without [from]');
  if (body['sort'] === undefined) throw malformed('[search_after] needs a [sort]');
  return { ...window, after: after as unknown[], body: withRow(body) };
}

/** As Elasticsearch does it: only a search that is sorted gets the row as its last key. */
function withRow({ sort, ...body }: Body): Body {
  if (sort === undefined) return body;
  const keys = (Array.isArray(sort) ? (sort as unknown[]) : [sort]).flatMap(singleKeys);
  return { ...body, sort: keys.some(isRow) ? keys : [...keys, { _shard_doc: 'asc' }] };
}

/** One object may hold several keys. */
function singleKeys(key: unknown): unknown[] {
  return isObject(key) ? Object.entries(key).map(([field, order]) => ({ [field]: order })) : [key];
}

function isRow(key: unknown): boolean {
  return key === '_shard_doc' || (isObject(key) && Object.hasOwn(key, '_shard_doc'));
}

/** Undefined when the values do not name a hit of the list. */
function placeBehind(lists: HitLists, after: readonly unknown[], body: Body): number | undefined {
  const keys = body['sort'] as readonly unknown[];
  if (after.length !== keys.length) return undefined;
  const row = after[keys.findIndex(isRow)];
  return typeof row === 'number' ? lists.behind(row) : undefined;
}

function replaced(): CrawlerError {
  return new CrawlerError('not_found', 'The index was replaced since the point in time was opened: open another one');
}
