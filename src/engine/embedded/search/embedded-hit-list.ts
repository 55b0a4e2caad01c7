import type { Hit, HitList, HitPage, SearchRequest } from '../../engine.js';
import type { HitRange, ListedHits, PageOfHits } from './listed-hits.js';

type Read = (
  page: { readonly body: SearchRequest['body']; readonly place: HitRange },
  signal: AbortSignal,
) => Promise<PageOfHits>;

/** A place is a row where the hits come in the order of the rows, and a position in the list otherwise. */
export class EmbeddedHitList implements HitList {
  readonly held: number;
  readonly byScore: boolean;
  readonly total: HitList['total'];
  readonly aggregations?: Readonly<Record<string, unknown>>;
  readonly #listed: ListedHits;
  readonly #read: Read;

  constructor(listed: ListedHits, read: Read) {
    this.#listed = listed;
    this.#read = read;
    this.held = listed.rows.length;
    this.byScore = listed.byScore;
    this.total = listed.total;
    if (listed.aggregations !== undefined) this.aggregations = listed.aggregations;
  }

  async read(page: HitPage, signal: AbortSignal): Promise<{ hits: readonly Hit[]; place: number }> {
    return this.#listed.byRow ? this.#readBehind(page, signal) : this.#readListed(page, signal);
  }

  behind(shardDoc: number): number | undefined {
    if (this.#listed.byRow) return shardDoc;
    const at = this.#listed.rows.indexOf(shardDoc);
    return at < 0 ? undefined : at + 1;
  }

  async #readBehind(
    { place, size, body }: HitPage,
    signal: AbortSignal,
  ): Promise<{ hits: readonly Hit[]; place: number }> {
    const { hits, lastRow } = await this.#read({ body, place: { kind: 'behind', row: place, size } }, signal);
    return { hits, place: lastRow ?? place };
  }

  async #readListed(
    { place, size, fill, body }: HitPage,
    signal: AbortSignal,
  ): Promise<{ hits: readonly Hit[]; place: number }> {
    const { rows, scores } = this.#listed;
    const found: Hit[] = [];
    let at = place;
    do {
      const end = at + size - found.length;
      const part: HitRange = {
        kind: 'rows',
        rows: [...rows.subarray(at, end)],
        scores: scores === undefined ? undefined : [...scores.subarray(at, end)],
      };
      found.push(...(await this.#read({ body, place: part }, signal)).hits);
      at = Math.min(end, rows.length);
    } while (fill && found.length < size && at < rows.length);
    return { hits: found, place: at };
  }
}
