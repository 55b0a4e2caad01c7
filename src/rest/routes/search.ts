import { CrawlerError } from '../../base/errors.js';
import type { Hit, SearchEngine, SearchResponse } from '../../engine/engine.js';
import type { CrawlDocument, DocumentSource } from '../../model/document.js';
import { pageOfFragment, USUAL_MARKS } from '../../model/pages.js';
import { sendJson } from '../answer.js';
import { Parameters, requireKnownQuery } from '../parameters.js';
import { requestSignal } from '../request-signal.js';
import { requireEngine } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';
import { requireBalanced } from '../search-syntax.js';

/** Deeper pages cost the engine more than they are worth; Elasticsearch refuses them too. */
const DEEPEST = 10_000;
/** Everything about a hit but its text. */
const SHOWN = { excludes: ['content', 'attachment', 'meta.raw', 'object'] };

/** `GET /_search?q=`: the job's index, whichever engine holds it, in words that a person types. */
export function searchRoutes(context: RestContext): readonly RestRoute[] {
  return [
    {
      method: 'GET',
      path: '/_search',
      async handle(request, response) {
        requireKnownQuery(request, ['q', 'size', 'from']);
        const parameters = new Parameters(request);
        const q = parameters.text('q') ?? '';
        requireBalanced(q);
        const size = parameters.integer('size', { least: 0, most: 1000, otherwise: 10 });
        const from = parameters.integer('from', { least: 0, most: DEEPEST - size, otherwise: 0 });
        const signal = requestSignal(response, context.stopping);
        await requireEngine(context, response);
        const found = await search(context, q, { size, from }, signal);
        const pages = await Promise.all(found.hits.hits.map((hit) => pageOf(hit, context.engine, signal)));
        sendJson(response, 200, {
          ok: true,
          from,
          size,
          took: found.took,
          total: found.hits.total.value,
          total_relation: found.hits.total.relation,
          hits: found.hits.hits.map((hit, at) => ({
            ...shownHit(hit, pages[at]),
            url: context.baseUrl.shown(context.engine.urlOf(hit._index, hit._id), request),
          })),
        });
      },
    },
  ];
}

interface Page {
  readonly size: number;
  readonly from: number;
}

async function search(context: RestContext, q: string, page: Page, signal: AbortSignal): Promise<SearchResponse> {
  const { engine, index } = context;
  const query = await queryOf(context, q, signal);
  const highlight = { fields: { content: {}, 'file.filename': {}, 'meta.title': {} } };
  try {
    return await engine.search({ index, body: { query, ...page, _source: SHOWN, highlight } }, signal);
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'not_found') return NOTHING;
    throw error;
  }
}

/** The short names of docs/search.md, such as `type:`, have a meaning here too; what has none of them is searched as ever. */
async function queryOf({ engine, index, searchFields }: RestContext, q: string, signal: AbortSignal): Promise<object> {
  if (q.trim() === '') return { match_all: {} };
  if (SHORT_NAME.test(q)) {
    const { IndexSearch } = await import('../../search/index-search.js');
    return await new IndexSearch({ engine, index, searchFields }).wordsQuery({ q, any: false }, undefined, signal);
  }
  return { simple_query_string: { query: q, fields: searchFields, default_operator: 'and', lenient: true } };
}

const SHORT_NAME = /(?:^|[\s(|+-])(?:type|in|author|after|before|name|ext|lang):(?![\s:\\]|\/\/|$)/;

/** An index that does not exist yet holds nothing. */
const NOTHING: SearchResponse = {
  took: 0,
  timed_out: false,
  hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
};

/** Where pages begin is for us; the caller gets the page. */
function withoutPages(source: DocumentSource): DocumentSource {
  return Object.fromEntries(Object.entries(source).filter(([name]) => name !== 'pages'));
}

/** Only a document with pages is read once more, for its text. */
async function pageOf(hit: Hit, engine: SearchEngine, signal: AbortSignal): Promise<number | undefined> {
  const fragment = hit.highlight?.['content']?.[0];
  const { pages } = (hit._source ?? {}) as Pick<CrawlDocument, 'pages'>;
  if (fragment === undefined || pages === undefined) return undefined;
  const stored = await engine.get(hit._index, hit._id, signal);
  const { content } = (stored?.source ?? {}) as Pick<CrawlDocument, 'content'>;
  return content === undefined ? undefined : pageOfFragment(content, pages, fragment, USUAL_MARKS);
}

function shownHit(
  { _id, _index, _score, _source, highlight }: Hit,
  page: number | undefined,
): Readonly<Record<string, unknown>> {
  return {
    id: _id,
    index: _index,
    score: _score,
    highlight: highlight ?? {},
    ...(page === undefined ? {} : { page }),
    doc: withoutPages(_source ?? {}),
  };
}
