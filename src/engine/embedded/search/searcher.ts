import type { Database } from '../../../base/sqlite.js';
import type { SearchResponse, StoredDocument } from '../../engine.js';
import { HitSets } from '../aggregations/hit-set.js';
import { mappingShape } from '../fields/mapping-shape.js';
import { Statements } from '../store/statements.js';
import type { Calls, ReadMessage } from '../threads/protocol.js';
import type { WorkLimit } from '../store/work-limit.js';
import { keywordColumns, readColumns } from './column-reader.js';
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

/** Answers what is asked of the index, over one read-only connection. Every answer is of one moment. */
export class Searcher {
  readonly #database: Database;
  readonly #limit: WorkLimit;
  readonly #indices: IndexCatalog;
  readonly #tools: SearchTools;
  readonly #check: IndexCheck;

  constructor(database: Database, limit: WorkLimit) {
    this.#database = database;
    this.#limit = limit;
    const statements = new Statements(database);
    this.#indices = new IndexCatalog(statements);
    this.#check = new IndexCheck(statements, limit);
    this.#tools = {
      statements,
      limit,
      documents: new DocumentReader(statements),
      hitSets: new HitSets(database, statements),
    };
  }

  answer(call: ReadMessage): Calls[ReadMessage['name']]['response'] {
    return this.#atOneMoment(() => {
      switch (call.name) {
        case 'search':
          return this.#search(call.request);
        case 'listHits':
          return this.#listHits(call.request);
        case 'readHits':
          return this.#readHits(call.request);
        case 'count':
          return this.#count(call.request);
        case 'get':
          return this.#get(call.request);
        case 'scan':
          return this.#scan(call.request);
        case 'indices':
          return this.#indices.summaries();
        case 'check':
          return this.#check.slice(call.request.cursor, call.request.sliceMs);
        case 'mapping':
          return mappingShape(this.#indices.require(call.request.index).fields);
      }
    });
  }

  #search({ index, body, timeMs }: Calls['search']['request']): SearchResponse {
    const started = performance.now();
    const search = parseSearch(body);
    const { timeoutMs = Infinity } = search;
    this.#limit.limitTo(Math.min(timeMs, timeoutMs));
    try {
      const result = runSearch(search, this.#indices.require(index), this.#tools);
      return { took: Math.round(performance.now() - started), ...result };
    } catch (error) {
      // A limit that the request sets itself is answered, one of the engine is an error.
      if (this.#limit.failure?.code !== 'timed_out' || timeoutMs > timeMs) throw error;
      return { took: Math.round(performance.now() - started), ...NOTHING_IN_TIME };
    }
  }

  /** A list is of all hits or of none, so that only the limit of the engine holds. */
  #listHits({ index, body, timeMs }: Calls['listHits']['request']): Calls['listHits']['response'] {
    this.#limit.limitTo(timeMs);
    return listHits(parseSearch(body), this.#indices.require(index), this.#tools);
  }

  #readHits({ index, body, place, timeMs }: Calls['readHits']['request']): Calls['readHits']['response'] {
    this.#limit.limitTo(timeMs);
    return readHits(parseSearch(body), place, this.#indices.require(index), this.#tools);
  }

  #count({ index, query, timeMs }: Calls['count']['request']): number {
    this.#limit.limitTo(timeMs);
    return countAll(parseCountQuery(query), this.#indices.require(index), this.#tools);
  }

  #get({ index, id }: Calls['get']['request']): StoredDocument | undefined {
    const found = this.#indices.find(index);
    return found === undefined ? undefined : this.#tools.documents.byId(found, id);
  }

  #scan({ index, after, fields }: Calls['scan']['request']): Calls['scan']['response'] {
    const found = this.#indices.find(index);
    if (found === undefined) return { documents: [], next: undefined };
    const columns = keywordColumns(fields);
    if (fields === undefined || columns === undefined) return this.#tools.documents.page(found, after);
    return readColumns(this.#tools.statements, found, { after, fields, columns });
  }

  /** A read transaction: other connections may write, this one sees the index as it was when it began. */
  #atOneMoment<T>(work: () => T): T {
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
