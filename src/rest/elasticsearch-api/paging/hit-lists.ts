import type { Hit, HitList, HitPage, SearchEngine } from '../../../engine/engine.js';
import { unsupported } from '../api-error.js';
import type { Body } from '../json-body.js';

/**
 * The hits of a search over some indices, to be read page by page: those of the first index, then those of the next. That
 * is an order only where it does not matter otherwise, so that several indices can only be read in the order of the rows.
 *
 * A place, and a value of `_shard_doc`, is that of one index plus a multiple of STEP for the index.
 */
const STEP = 2 ** 40;
const BYTES_OF_HIT = 16;

export class HitLists {
  readonly bytes: number;
  readonly byScore: boolean;
  readonly total: HitList['total'];
  readonly aggregations: HitList['aggregations'];
  readonly #lists: readonly HitList[];

  /** `bytes`: what the request takes in memory. */
  private constructor(lists: readonly HitList[], bytes: number) {
    this.#lists = lists;
    this.bytes = lists.reduce((sum, { held }) => sum + held * BYTES_OF_HIT, bytes);
    this.byScore = lists[0]?.byScore ?? false;
    this.aggregations = lists[0]?.aggregations;
    this.total = {
      value: lists.reduce((sum, { total }) => sum + total.value, 0),
      relation: lists.some(({ total }) => total.relation === 'gte') ? 'gte' : 'eq',
    };
  }

  /** `body` is a search without `from`, `size` and `search_after`. */
  static async open(
    engine: SearchEngine,
    indices: readonly string[],
    body: Body,
    signal: AbortSignal,
  ): Promise<HitLists> {
    if (engine.listHits === undefined) throw unsupported('Reading on');
    if (indices.length > 1 && (body['aggs'] ?? body['aggregations']) !== undefined) {
      throw unsupported('An aggregation over several indices');
    }
    const lists: HitList[] = [];
    for (const index of indices) lists.push(await engine.listHits({ index, body }, signal));
    const withHits = lists.filter(({ total }) => total.value > 0 || total.relation === 'gte');
    if (withHits.length > 1 && lists.some(({ held }) => held > 0)) {
      throw unsupported('Reading on over several indices in another order than [_doc]');
    }
    return new HitLists(lists, JSON.stringify(body).length);
  }

  async read(
    { place, size, fill, body }: HitPage,
    signal: AbortSignal,
  ): Promise<{ hits: readonly Hit[]; place: number }> {
    const hits: Hit[] = [];
    let at = place;
    for (let list = this.#listAt(at); list !== undefined; list = this.#listAt(at)) {
      const base = baseOf(at);
      const wanted = size - hits.length;
      const page = await list.read({ place: at - base, size: wanted, fill, body }, signal);
      hits.push(...page.hits.map((hit) => (base === 0 ? hit : shifted(hit, base))));
      if (page.hits.length === wanted || !fill) return { hits, place: base + page.place };
      at = base + STEP;
    }
    return { hits, place: at };
  }

  /** The place behind the hit with this `_shard_doc`; undefined when it is not among the hits. */
  behind(shardDoc: number): number | undefined {
    const base = baseOf(shardDoc);
    const place = this.#listAt(shardDoc)?.behind(shardDoc - base);
    return place === undefined ? undefined : base + place;
  }

  /** The place of a hit by its number; undefined where hits are known by their rows only. */
  placeOf(number: number): number | undefined {
    const [only, second] = this.#lists;
    const isListed = second === undefined && only !== undefined && only.held > 0;
    return number === 0 || isListed ? number : undefined;
  }

  #listAt(place: number): HitList | undefined {
    return this.#lists[Math.floor(place / STEP)];
  }
}

function baseOf(place: number): number {
  return Math.floor(place / STEP) * STEP;
}

/** Where there are several indices, every key of the sort is the row. */
function shifted(hit: Hit, base: number): Hit {
  return hit.sort === undefined ? hit : { ...hit, sort: hit.sort.map((each) => Number(each) + base) };
}
