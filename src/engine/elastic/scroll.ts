import { CrawlerError } from '../../base/errors.js';
import type { DocumentSource } from '../../model/document.js';
import type { StoredDocument } from '../engine.js';
import type { EngineClient, Reply } from './engine-client.js';
import type { EngineCall } from './node-exchange.js';
import { at, isRecord, numberAt, textAt } from './json.js';
import { reasonOfBody, serverError } from './server-errors.js';

/**
 * Every document of an index, by a scroll: the one way that all servers share, in a snapshot that later writes do not
 * disturb. (`search_after` needs a point in time, which Elasticsearch and OpenSearch ask for differently, or an order by
 * `_id`, which makes a server load all ids into memory.)
 *
 * A scroll moves on with each request, so that a lost answer cannot be asked for again: then the whole scan has failed,
 * and it says so rather than leave documents out. The same goes for a shard that does not answer.
 */
export interface ScrollDeps {
  readonly client: EngineClient;
  readonly index: string;
  /** Fields of the documents, all of them when undefined. */
  readonly fields: readonly string[] | undefined;
}

/** How long a server keeps the snapshot for the caller to work through one page. */
const KEEP_ALIVE = '10m';
const PAGE_BYTES = 8 * 1024 * 1024;
const LARGEST_PAGE = 1000;
/** Where the server does not tell its sizes. */
const CAUTIOUS_PAGE = 100;
const CLEAR_TIMEOUT_MS = 5_000;

export async function* scroll(deps: ScrollDeps, signal: AbortSignal): AsyncGenerator<readonly StoredDocument[]> {
  const { client, index } = deps;
  let page = await open(deps, signal);
  try {
    while (page.documents.length > 0) {
      yield page.documents;
      page = await next(client, index, page.scrollId, signal);
    }
  } finally {
    await clear(client, page.scrollId);
  }
}

interface Page {
  readonly scrollId: string;
  readonly documents: readonly StoredDocument[];
}

async function open({ client, index, fields }: ScrollDeps, signal: AbortSignal): Promise<Page> {
  const size = fields === undefined ? await pageSize(client, index, signal) : LARGEST_PAGE;
  const wanted = { index, scroll: KEEP_ALIVE, size, sort: ['_doc'], version: true, _source: fields?.slice() ?? true };
  const call: EngineCall = {
    name: `listing of [${index}]`,
    send: (typed, options) => typed.search(wanted, options),
  };
  return pageOf(await client.ask(call, signal), index);
}

async function next(client: EngineClient, index: string, scrollId: string, signal: AbortSignal): Promise<Page> {
  const call: EngineCall = {
    name: `listing of [${index}]`,
    send: (typed, options) => typed.scroll({ scroll: KEEP_ALIVE, scroll_id: scrollId }, options),
    repeatable: false,
  };
  return pageOf(await client.ask(call, signal), index);
}

/** The server forgets a scroll by itself, so that a failure here changes nothing. */
async function clear(client: EngineClient, scrollId: string): Promise<void> {
  const call: EngineCall = {
    name: 'end of the listing',
    send: (typed, options) => typed.clearScroll({ scroll_id: [scrollId] }, options),
    repeatable: false,
  };
  await client.ask(call, AbortSignal.timeout(CLEAR_TIMEOUT_MS)).catch(() => undefined);
}

/** As many documents as make a page of some megabytes, judged by the size of the index. */
async function pageSize(client: EngineClient, index: string, signal: AbortSignal): Promise<number> {
  const call: EngineCall = {
    name: `size of [${index}]`,
    send: (typed, options) => typed.indices.stats({ index, metric: ['docs', 'store'] }, options),
  };
  const { body } = await client.ask(call, signal);
  const documents = numberAt(body, '_all', 'primaries', 'docs', 'count');
  const bytes = numberAt(body, '_all', 'primaries', 'store', 'size_in_bytes');
  if (documents === undefined || bytes === undefined) return CAUTIOUS_PAGE;
  const fitting = Math.floor((PAGE_BYTES * documents) / Math.max(1, bytes));
  return Math.min(LARGEST_PAGE, Math.max(1, fitting));
}

function pageOf({ status, body }: Reply, index: string): Page {
  const what = `The documents of [${index}] cannot be listed`;
  if (status >= 300) {
    const isScrollLost = reasonOfBody(body).type === 'search_context_missing_exception';
    if (!isScrollLost) throw serverError(status, body, what, index);
    throw new CrawlerError('unavailable', `${what}: the server has dropped the scroll.`, { subject: index });
  }
  const scrollId = textAt(body, '_scroll_id');
  const hits = at(body, 'hits', 'hits');
  const isWhole = scrollId !== undefined && Array.isArray(hits) && numberAt(body, '_shards', 'failed') === 0;
  if (!isWhole)
    throw new CrawlerError('unavailable', `${what} completely: a shard does not answer.`, { subject: index });
  return { scrollId, documents: hits.filter(isRecord).map(storedDocument) };
}

export function storedDocument(hit: Readonly<Record<string, unknown>>): StoredDocument {
  return {
    index: textAt(hit, '_index') ?? '',
    id: textAt(hit, '_id') ?? '',
    version: numberAt(hit, '_version') ?? 1,
    source: (hit['_source'] ?? {}) as DocumentSource,
  };
}
