import type { Database } from '../../../base/sqlite.js';
import type { IndexSummary, SearchResponse, StoredDocument } from '../../engine.js';
import { HitSets } from '../aggregations/hit-set.js';
import { mappingShape } from '../fields/mapping-shape.js';
import { Statements } from '../store/statements.js';
import type {
  CheckCursor,
  CheckLimits,
  CheckSlice,
  CountCall,
  ScanCall,
  ScanPage,
  SearchCall,
} from '../threads/protocol.js';
import type { HitRange, ListedHits, PageOfHits } from './listed-hits.js';
import type { WorkLimit } from '../store/work-limit.js';
import { AnswerCache } from './answer-cache.js';
import { keywordColumns, readColumns, type ColumnPage } from './column-reader.js';
import { IndexCheck } from './check-index.js';
import { DocumentReader } from './document-reader.js';
import { IndexCatalog } from './index-catalog.js';
import { countAll, listHits, readHits, runSearch, type SearchTools } from './run-search.js';
import { parseCountQuery, parseSearch } from './search-request.js';

/** Elasticsearch answers with what it has found by then; ranked hits are known here only when all are. */
const NOTHING_IN_TIME: Omit<SearchResponse, 'took'> = {
  timed_out: true,
  hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
};

/** Answers what is asked of the index, over one read-only connection: each question within `atOneMoment`. */
export class Searcher {
  readonly #database: Database;
  readonly #limit: WorkLimit;
  readonly #indices: IndexCatalog;
  readonly #tools: SearchTools;
  readonly #check: IndexCheck;
  readonly #answers: AnswerCache;

  constructor(database: Database, limit: WorkLimit) {
    this.#database = database;
    this.#limit = limit;
    const statements = new Statements(database);
    this.#indices = new IndexCatalog(statements);
    this.#check = new IndexCheck(statements, limit);
    this.#answers = new AnswerCache(statements);
    this.#tools = {
      statements,
      limit,
      documents: new DocumentReader(statements),
      hitSets: new HitSets(database, statements),
    };
  }

  search(call: SearchCall): SearchResponse {
    const { index, body, timeMs } = call;
    const started = performance.now();
    const search = parseSearch(body);
    const { timeoutMs = Infinity } = search;
    this.#limit.limitTo(Math.min(timeMs, timeoutMs));
    try {
      const result = this.#answers.answer(search, call, () =>
        runSearch(search, this.#indices.require(index), this.#tools),
      );
      return { took: Math.round(performance.now() - started), ...result };
    } catch (error) {
      // A limit that the request sets itself is answered, one of the engine is an error.
      if (this.#limit.failure?.code !== 'timed_out' || timeoutMs > timeMs) throw error;
      return { took: Math.round(performance.now() - started), ...NOTHING_IN_TIME };
    }
  }

  /** A list is of all hits or of none, so that only the limit of the engine holds. */
  listHits({ index, body, timeMs }: SearchCall): ListedHits {
    this.#limit.limitTo(timeMs);
    return listHits(parseSearch(body), this.#indices.require(index), this.#tools);
  }

  readHits({ index, body, place, timeMs }: SearchCall & { readonly place: HitRange }): PageOfHits {
    this.#limit.limitTo(timeMs);
    return readHits(parseSearch(body), place, this.#indices.require(index), this.#tools);
  }

  count({ index, query, timeMs }: CountCall): number {
    this.#limit.limitTo(timeMs);
    return countAll(parseCountQuery(query), this.#indices.require(index), this.#tools);
  }

  get(index: string, id: string): StoredDocument | undefined {
    const found = this.#indices.find(index);
    return found === undefined ? undefined : this.#tools.documents.byId(found, id);
  }

  scan({ index, after, fields }: ScanCall): ScanPage | ColumnPage {
    const found = this.#indices.find(index);
    if (found === undefined) return { documents: [], next: undefined };
    const columns = keywordColumns(fields);
    if (fields === undefined || columns === undefined) return this.#tools.documents.page(found, after);
    return readColumns(this.#tools.statements, found, { after, fields, columns });
  }

  indices(): readonly IndexSummary[] {
    return this.#indices.summaries();
  }

  check(cursor: CheckCursor | undefined, limits: CheckLimits): CheckSlice {
    return this.#check.slice(cursor, limits);
  }

  mapping(index: string): Readonly<Record<string, unknown>> {
    return mappingShape(this.#indices.require(index).fields);
  }

  /** A read transaction: other connections may write, this one sees the index as it was when it began. */
  atOneMoment<T>(work: () => T): T {
    this.#database.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    try {
      this.#database.exec('COMMIT');
    } catch {
      // After an error of the disk SQLite has ended the transaction by itself.
    }
  }
}
