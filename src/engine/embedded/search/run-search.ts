import { CrawlerError } from '../../../base/errors.js';
import type { SqlValue } from '../../../base/sqlite.js';
import type { Hit, SearchResponse } from '../../engine.js';
import { Aggregator } from '../aggregations/aggregate.js';
import type { HitSets } from '../aggregations/hit-set.js';
import { checkedClauses } from '../query/clause-limit.js';
import { compileQuery } from '../query/compile-query.js';
import { boolOf, type QueryNode } from '../../query/query-tree.js';
import { renderPlan, withMinimumScore, type IsRare, type Selection } from '../query/render-plan.js';
import { compileContext, type CompileContext } from '../query/resolve-fields.js';
import { allOf, join, raw, sql, TRUE, type Sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';
import { whileWanted, type WorkLimit } from '../store/work-limit.js';
import { suggestTerms } from '../suggest/suggest-terms.js';
import { IndexTerms } from '../vocabulary/index-terms.js';
import { checkSingleValues, firstOfGroups, groupColumns } from './collapse.js';
import type { DocumentReader } from './document-reader.js';
import { highlightHit, wantedTexts } from './highlight-hit.js';
import type { OpenIndex } from './index-catalog.js';
import { MAX_LISTED, type HitRange, type ListedHits, type PageOfHits } from './listed-hits.js';
import type { ParsedSearch } from './search-request.js';
import { JOINED_HIT, orderBy, ROW_ORDER, rowsAfter, sortColumns, sortsByRow, sortsByScore } from './sort.js';
import { filterSource } from '../../source-filter.js';

/**
 * Carries out one query on one index: the rows of the page in order, then the count, the aggregations, and last the documents
 * of the page, which are the only ones that are unpacked.
 */
export interface SearchTools {
  readonly statements: Statements;
  readonly documents: DocumentReader;
  readonly hitSets: HitSets;
  readonly limit: WorkLimit;
}

type Total = SearchResponse['hits']['total'];

interface PageRow {
  readonly id: number;
  readonly score?: number;
  /** The value by which hits are collapsed. */
  readonly g?: SqlValue;
  /** The greatest number of values that a hit has. */
  readonly most?: number;
  readonly [key: `k${number}`]: SqlValue;
}

/** Below this, asking whether each hit passes the filters is cheaper than collecting all documents that pass them. */
const RARE_HITS = 1000;

/** What one answer may hold of documents. */
const MAX_PAGE_BYTES = 200_000_000;

export function runSearch(search: ParsedSearch, index: OpenIndex, tools: SearchTools): Omit<SearchResponse, 'took'> {
  return new Run(search, index, tools).response(search);
}

/** Where all hits of a search are, in their order, and what a search tells beside them. Throws `too_large`. */
export function listHits(search: ParsedSearch, index: OpenIndex, tools: SearchTools): ListedHits {
  return new Run(search, index, tools).list(search);
}

/** The hits at one place of a list, with their documents as they are now. */
export function readHits(search: ParsedSearch, place: HitRange, index: OpenIndex, tools: SearchTools): PageOfHits {
  return new Run(search, index, tools).read(search, place);
}

/** The number of documents that a query finds. */
export function countAll(query: QueryNode, index: OpenIndex, tools: SearchTools): number {
  return new Run({ query, postFilter: undefined, minScore: undefined }, index, tools).count();
}

type Matching = Pick<ParsedSearch, 'query' | 'postFilter' | 'minScore'>;

class Run {
  readonly #index: OpenIndex;
  readonly #tools: SearchTools;
  readonly #context: CompileContext;
  readonly #isRare: IsRare;
  /** What the query finds, for the aggregations. */
  readonly #found: Selection;
  /** Of it the hits: what passes the filter behind. */
  readonly #selection: Selection;

  constructor({ query, postFilter, minScore }: Matching, index: OpenIndex, tools: SearchTools) {
    this.#index = index;
    this.#tools = tools;
    const clauses = checkedClauses(query) + (postFilter === undefined ? 0 : checkedClauses(postFilter));
    this.#context = compileContext(clauses, {
      fields: index.fields,
      terms: new IndexTerms(tools, index),
      documents: { index: index.name, source: (id) => tools.documents.byId(index, id)?.source },
    });
    // Counting stops at the limit, so that the question is cheap for every expression.
    this.#isRare = (expression) => {
      const fts = raw(index.tables.fts);
      return this.#rows(sql`SELECT 1 FROM ${fts} WHERE ${fts} MATCH ${expression} LIMIT ${RARE_HITS}`) < RARE_HITS;
    };
    const select = (node: QueryNode): Selection => {
      const selection = renderPlan(compileQuery(node, this.#context), index.tables, this.#isRare);
      return minScore === undefined ? selection : withMinimumScore(selection, minScore);
    };
    this.#found = select(query);
    this.#selection = postFilter === undefined ? this.#found : select(boolOf({ must: [query], filter: [postFilter] }));
  }

  count(): number {
    return this.#selection.everything ? this.#index.documents : this.#rows(this.#selection.ids);
  }

  response(search: ParsedSearch): Omit<SearchResponse, 'took'> {
    const suggest = search.suggest.length === 0 ? {} : { suggest: suggestTerms(search.suggest, this.#context) };
    if (search.suggestsOnly) return { ...NO_HITS, ...suggest };
    const rows = search.collapse === undefined ? this.#firstRows(search) : this.#firstOfGroups(search, search.collapse);
    const total = this.#total(search, rows.length);
    const aggregations = this.#aggregate(search);
    const hits = this.#hits(search, rows.slice(search.from));
    return {
      timed_out: false,
      hits: { total, max_score: maxScore(search, rows), hits },
      ...(aggregations === undefined ? {} : { aggregations }),
      ...suggest,
    };
  }

  /** `from` and `size` do not matter. */
  list(search: ParsedSearch): ListedHits {
    const { sort } = search;
    const byRow = sort === undefined ? this.#selection.constant : sortsByRow(sort);
    // A row's place in its index never changes, so that nothing needs to be remembered between two pages.
    const found = byRow ? [] : this.#firstRows({ ...search, from: 0, size: MAX_LISTED + 1 });
    if (found.length > MAX_LISTED) throw tooManyToList();
    const total = this.#total({ ...search, from: 0, size: byRow ? 0 : MAX_LISTED + 1 }, found.length);
    const aggregations = this.#aggregate(search);
    return {
      byRow,
      rows: Float64Array.from(found, ({ id }) => id),
      scores: found[0]?.score === undefined ? undefined : Float64Array.from(found, ({ score = 0 }) => score),
      total,
      byScore: isByScore(search),
      ...(aggregations === undefined ? {} : { aggregations }),
    };
  }

  read(search: ParsedSearch, place: HitRange): PageOfHits {
    const rows = place.kind === 'behind' ? this.#rowsBehind(search, place) : this.#rowsOf(search, place);
    const lastRow = place.kind === 'behind' ? rows.at(-1)?.id : place.rows.at(-1);
    return { hits: this.#hits(search, rows), lastRow };
  }

  #rowsBehind(search: ParsedSearch, { row, size }: HitRange & { kind: 'behind' }): PageRow[] {
    const { sort = [ROW_ORDER], trackScores } = search;
    const withScores = search.sort === undefined || trackScores;
    return this.#firstRows({ ...search, sort, after: sort.map(() => row), from: 0, size, trackScores: withScores });
  }

  #rowsOf({ sort = [] }: ParsedSearch, { rows, scores }: HitRange & { kind: 'rows' }): PageRow[] {
    const given = JSON.stringify(rows.map((row, at) => [row, scores?.[at] ?? null]));
    const keys = sortColumns(sort, this.#index.fields).map(
      ({ expression }, at) => sql`${expression} AS ${raw(`k${at}`)}`,
    );
    const shown = join([raw('h.id AS id'), raw('h.score AS score'), ...keys], ', ');
    return this.#page(
      sql`WITH given(at, id, score) AS MATERIALIZED (SELECT key, value ->> 0, value ->> 1 FROM json_each(${given}))
        SELECT ${shown} FROM given h CROSS JOIN ${raw(this.#index.tables.doc)} d ON d.id = h.id ORDER BY h.at`,
    );
  }

  #rows(select: Sql): number {
    return this.#tools.statements.get<{ n: number }>(sql`SELECT count(*) AS n FROM (${select})`)?.n ?? 0;
  }

  /** Rows from the first hit to the end of the page. */
  #firstRows({ sort, after, from, size, trackScores }: ParsedSearch): PageRow[] {
    const limit = from + size;
    if (limit === 0) return [];
    const { scored, ids, constant } = this.#selection;
    if (sort === undefined) {
      const order = raw(constant ? 'id' : 'score DESC, id');
      return this.#page(sql`SELECT id, score FROM (${scored}) ORDER BY ${order} LIMIT ${limit}`);
    }
    const withScores = trackScores || sortsByScore(sort);
    const { rows } = this.#selection;
    const doc = raw(this.#index.tables.doc);
    const hit = rows === undefined ? JOINED_HIT : { id: raw('d.id'), score: rows.score };
    const columns = sortColumns(sort, this.#index.fields, hit);
    // Without a join, SQLite reads the rows in the order of an index where one has it, and stops with the page.
    const source =
      rows === undefined ? sql`(${withScores ? scored : ids}) h JOIN ${doc} d ON d.id = h.id` : sql`${doc} d`;
    const matching = rows === undefined ? TRUE : allOf([rows.condition, whileWanted(raw('d.id'))]);
    const keys = columns.map(({ expression }, at) => sql`${expression} AS ${raw(`k${at}`)}`);
    const shown = [sql`${hit.id} AS id`, ...(withScores ? [sql`${hit.score} AS score`] : []), ...keys];
    const behind = after === undefined ? TRUE : rowsAfter(columns, after);
    return this.#page(
      sql`SELECT ${join(shown, ', ')} FROM ${source}
        WHERE ${allOf([matching, behind])} ORDER BY ${orderBy(columns)} LIMIT ${limit}`,
    );
  }

  #firstOfGroups({ sort, from, size, trackScores }: ParsedSearch, field: string): PageRow[] {
    const { scored, ids } = this.#selection;
    const group = groupColumns(field, this.#index.fields);
    const columns = sortColumns(sort ?? [], this.#index.fields);
    const withScores = sort === undefined || trackScores || sortsByScore(sort);
    const keys = columns.map(({ expression }, at) => sql`${expression} AS ${raw(`k${at}`)}`);
    const own = [raw('h.id AS id'), ...(withScores ? [raw('h.score AS score')] : [])];
    const inner = join([...own, ...keys, sql`${group.value} AS g`, sql`${group.values} AS n`], ', ');
    const hits = sql`SELECT ${inner}
      FROM (${withScores ? scored : ids}) h JOIN ${raw(this.#index.tables.doc)} d ON d.id = h.id`;
    const order = sort === undefined ? raw('score DESC, id') : orderBy(columns);
    const shown = [raw('id'), ...(withScores ? [raw('score')] : []), ...keys.map((_, at) => raw(`k${at}`))];
    const rows = this.#page(firstOfGroups(hits, shown, order, from + size));
    checkSingleValues(field, rows[0]?.most ?? 0);
    return rows;
  }

  #page(select: Sql): PageRow[] {
    return this.#tools.statements.all<PageRow>(select);
  }

  #total({ countUpTo, after, from, size, collapse }: ParsedSearch, seen: number): Total {
    if (countUpTo === 0) return { value: seen, relation: 'gte' };
    // A page that is not full has shown the last hit.
    if (after === undefined && collapse === undefined && seen < from + size) return { value: seen, relation: 'eq' };
    if (countUpTo === undefined) return { value: this.count(), relation: 'eq' };
    const counted = this.#rows(sql`${this.#selection.ids} LIMIT ${countUpTo + 1}`);
    return counted > countUpTo ? { value: countUpTo, relation: 'gte' } : { value: counted, relation: 'eq' };
  }

  #aggregate({ aggregations }: ParsedSearch): Record<string, unknown> | undefined {
    if (aggregations.length === 0) return undefined;
    const { statements, hitSets } = this.#tools;
    if (this.#found.everything) hitSets.takeAll();
    else hitSets.fill(0, this.#found.ids);
    try {
      const { documents } = this.#index;
      return new Aggregator(statements, hitSets, this.#context, { isRare: this.#isRare, documents }).run(aggregations);
    } finally {
      hitSets.clear();
    }
  }

  #hits({ query, source: filter, highlight, sort, collapse }: ParsedSearch, page: readonly PageRow[]): Hit[] {
    const { documents, limit } = this.#tools;
    const needsSource = filter.kind !== 'none' || highlight !== undefined;
    if (needsSource) this.#checkSize(page);
    const texts = wantedTexts(query);
    return page.map((row) => {
      limit.check();
      const source = needsSource ? documents.source(this.#index, row.id) : {};
      const marked = highlight === undefined ? undefined : highlightHit(source, highlight, texts, this.#index.fields);
      return {
        _index: this.#index.name,
        _id: documents.idOf(this.#index, row.id),
        _score: row.score ?? null,
        ...(filter.kind === 'none' ? {} : { _source: filterSource(source, filter) }),
        ...(marked === undefined ? {} : { highlight: marked }),
        ...(collapse === undefined || row.g === null ? {} : { fields: { [collapse]: [row.g] } }),
        ...(sort === undefined ? {} : { sort: sort.map((_, at) => row[`k${at}`] ?? null) }),
      };
    });
  }

  #checkSize(page: readonly PageRow[]): void {
    const bytes = page.reduce((sum, { id }) => sum + this.#tools.documents.sizeOf(this.#index, id), 0);
    if (bytes <= MAX_PAGE_BYTES) return;
    const found = `The ${page.length} documents of this page have ${Math.ceil(bytes / 1_000_000)} MB.`;
    throw new CrawlerError('too_large', `${found} Ask for fewer with [size].`);
  }
}

const NO_HITS: Omit<SearchResponse, 'took'> = {
  timed_out: false,
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

function maxScore(search: ParsedSearch, rows: readonly PageRow[]): number | null {
  return isByScore(search) && search.after === undefined ? (rows[0]?.score ?? null) : null;
}

function isByScore({ sort }: ParsedSearch): boolean {
  return sort === undefined || (sort[0]?.field === '_score' && sort[0].descending);
}

function tooManyToList(): CrawlerError {
  const found = `The search has more than ${MAX_LISTED} hits, too many to be read page by page in this order.`;
  return new CrawlerError('too_large', `${found} Sort by [_doc], which has no limit.`);
}
