import { CrawlerError } from '../../src/base/errors.js';
import type {
  EngineFinding,
  IndexSummary,
  SearchEngine,
  SearchRequest,
  SearchResponse,
  StoredDocument,
  WriteOperation,
  WriteOutcome,
} from '../../src/engine/engine.js';
import type { DocumentSource } from '../../src/model/document.js';

interface Stored {
  version: number;
  source: DocumentSource;
}
type Json = Readonly<Record<string, unknown>>;

/** A search engine in a few maps: it stores, counts and finds words. `refusing` makes it answer like one in trouble. */
export class MemoryEngine implements SearchEngine {
  readonly type: 'embedded' | 'elastic';
  readonly #baseUrl: string;
  readonly #indices = new Map<string, Map<string, Stored>>();
  #ids = 0;
  /** What to answer instead of writing. */
  refusing: ((operation: WriteOperation) => WriteOutcome | undefined) | undefined;
  /** The search engine cannot be asked. */
  down = false;
  currentIdentity = 'memory';
  /** How often `prepare` was called. */
  prepared = 0;

  constructor(options: { type?: 'embedded' | 'elastic'; baseUrl?: string } = {}) {
    this.type = options.type ?? 'embedded';
    this.#baseUrl = options.baseUrl ?? 'http://127.0.0.1:8080/_engine';
  }

  version(): Promise<string> {
    return this.down ? Promise.reject(new CrawlerError('unavailable', 'down')) : Promise.resolve('memory-1.0');
  }

  prepare(): Promise<{ identity: string }> {
    this.prepared += 1;
    return Promise.resolve({ identity: this.currentIdentity });
  }

  identity(): Promise<string> {
    return this.down ? Promise.reject(new CrawlerError('unavailable', 'down')) : Promise.resolve(this.currentIdentity);
  }

  write(operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]> {
    return Promise.resolve(operations.map((operation) => this.refusing?.(operation) ?? this.#write(operation)));
  }

  get(index: string, id: string): Promise<StoredDocument | undefined> {
    const found = this.#indices.get(index)?.get(id);
    return Promise.resolve(found === undefined ? undefined : { index, id, ...found });
  }

  search({ index, body }: SearchRequest): Promise<SearchResponse> {
    const matching = [...this.#required(index)].filter(([id, { source }]) => matches(body['query'], id, source));
    const from = Number(body['from'] ?? 0);
    const hits = matching
      .slice(from, from + Number(body['size'] ?? 10))
      .map(([_id, { source }]) => ({ _index: index, _id, _score: 1, _source: source }));
    const total = { value: matching.length, relation: 'eq' as const };
    return Promise.resolve({ took: 1, timed_out: false, hits: { total, max_score: hits.length > 0 ? 1 : null, hits } });
  }

  count(index: string, query: Json | undefined): Promise<number> {
    const all = [...this.#required(index)];
    return Promise.resolve(all.filter(([id, { source }]) => matches(query, id, source)).length);
  }

  async *scan(index: string): AsyncGenerator<readonly StoredDocument[]> {
    yield await Promise.resolve([...this.#required(index)].map(([id, stored]) => ({ index, id, ...stored })));
  }

  indices(): Promise<readonly IndexSummary[]> {
    const summaries = [...this.#indices].map(([index, documents]) => ({
      index,
      documents: documents.size,
      bytes: 1024,
    }));
    return Promise.resolve(summaries);
  }

  mapping(index: string): Promise<Json> {
    this.#required(index);
    return Promise.resolve({ properties: { content: { type: 'text' } } });
  }

  diagnose(): Promise<readonly EngineFinding[]> {
    return Promise.resolve([]);
  }

  urlOf(index: string, id: string): string {
    return `${this.#baseUrl}/${index}/_doc/${encodeURIComponent(id)}`;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #write(operation: WriteOperation): WriteOutcome {
    const { index } = operation;
    const documents = this.#indices.get(index) ?? new Map<string, Stored>();
    if (operation.kind === 'delete') {
      const { id } = operation;
      return documents.delete(id) ? { ok: true, id } : { ok: false, id, code: 'not_found', message: 'not found' };
    }
    if (index !== index.toLowerCase()) {
      return {
        ok: false,
        id: operation.id,
        code: 'rejected',
        message: `Invalid index name [${index}], must be lowercase`,
      };
    }
    const id = operation.id ?? `auto-${++this.#ids}`;
    documents.set(id, { version: (documents.get(id)?.version ?? 0) + 1, source: operation.document });
    this.#indices.set(index, documents);
    return { ok: true, id };
  }

  #required(index: string): Map<string, Stored> {
    const documents = this.#indices.get(index);
    if (documents === undefined) throw new CrawlerError('not_found', `There is no index [${index}].`);
    return documents;
  }
}

/** Every word of the query stands somewhere in the document. */
function matches(query: unknown, id: string, source: DocumentSource): boolean {
  if (query === undefined) return true;
  const [[kind, rule] = ['', {}]] = Object.entries(query as Record<string, Json>);
  switch (kind) {
    case 'match_all':
      return true;
    case 'ids':
      return (rule['values'] as string[]).includes(id);
    case 'simple_query_string':
    case 'query_string': {
      const text = JSON.stringify(source).toLowerCase();
      return String(rule['query'])
        .toLowerCase()
        .split(/\W+/)
        .every((word) => text.includes(word));
    }
    default:
      throw new CrawlerError('unsupported', `The query [${kind}] is not supported`);
  }
}
