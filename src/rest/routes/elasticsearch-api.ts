import express from 'express';
import type { Request, Response, Router } from 'express';
import type { StoredDocument } from '../../engine/engine.js';
import { CAT_PARAMETERS, sendCat } from '../elasticsearch-api/cat-indices.js';
import { ApiError, apiErrors, productHeader, sendApi, unsupported } from '../elasticsearch-api/api-answer.js';
import { indicesOf } from '../elasticsearch-api/index-names.js';
import { searchMany } from '../elasticsearch-api/many-indices.js';
import { countCall, searchCall } from '../elasticsearch-api/search-body.js';
import { SOURCE_PARAMETERS, filtered, sourceFilterOf } from '../elasticsearch-api/source-filter.js';
import { UrlParameters } from '../elasticsearch-api/url-parameters.js';
import { requestSignal } from '../request-signal.js';
import type { RestContext } from '../rest-options.js';
import { mountRoutes, pathParameter } from '../route.js';
import type { RestRoute } from '../route.js';

/**
 * `_engine`: the embedded index as an Elasticsearch of which only the reading half exists. Clients and scripts that are
 * written against it work on a real cluster with another URL. Whatever is not listed here is refused by name.
 */
const COMPATIBLE_VERSION = '9.0.0';
const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 };

export function elasticsearchApi(context: RestContext): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(productHeader());
  router.use((_request, _response, next) => {
    requireEmbedded(context);
    next();
  });
  mountRoutes(router, elasticsearchApiRoutes(context));
  router.use((request) => {
    throw unsupported(`[${request.method} ${request.path}]`);
  });
  router.use(apiErrors(context.logger));
  return router;
}

export function elasticsearchApiRoutes(context: RestContext): readonly RestRoute[] {
  const api = new ElasticsearchApi(context);
  const { search, count, mapping, cat } = api.handlers();
  const get = (path: string, handle: RestRoute['handle']): RestRoute => ({ method: 'GET', path, handle });
  const post = (path: string, handle: RestRoute['handle']): RestRoute => ({ method: 'POST', path, handle });
  return [
    get('/', (request, response) => api.info(request, response)),
    get('/_search', search),
    post('/_search', search),
    get('/:index/_search', search),
    post('/:index/_search', search),
    get('/_count', count),
    post('/_count', count),
    get('/:index/_count', count),
    post('/:index/_count', count),
    get('/_mapping', mapping),
    get('/:index/_mapping', mapping),
    get('/_cat/indices', cat),
    get('/_cat/indices/:index', cat),
    get('/:index/_doc/:id', (request, response) => api.document(request, response)),
    get('/:index/_source/:id', (request, response) => api.source(request, response)),
    { method: 'HEAD', path: '/:index', handle: (request, response) => api.exists(request, response) },
  ];
}

function requireEmbedded({ engine, engineReady }: RestContext): void {
  if (engine.type !== 'embedded') {
    throw new ApiError(
      404,
      'resource_not_found_exception',
      'This job has no embedded index: ask the search engine of engine.urls itself',
    );
  }
  const state = engineReady();
  if (!state.ready) throw new ApiError(503, 'unavailable_exception', state.message);
}

class ElasticsearchApi {
  readonly #context: RestContext;

  constructor(context: RestContext) {
    this.#context = context;
  }

  handlers(): Readonly<Record<'search' | 'count' | 'mapping' | 'cat', RestRoute['handle']>> {
    return {
      search: (request, response) => this.#search(request, response),
      count: (request, response) => this.#count(request, response),
      mapping: (request, response) => this.#mapping(request, response),
      cat: (request, response) => this.#cat(request, response),
    };
  }

  info(request: Request, response: Response): void {
    new UrlParameters(request, []);
    const { jobName, version } = this.#context;
    sendApi(request, response, 200, {
      name: 'crawler',
      cluster_name: jobName,
      cluster_uuid: 'embedded',
      version: {
        number: COMPATIBLE_VERSION,
        build_flavor: 'embedded',
        build_hash: version,
        build_type: 'embedded',
        build_snapshot: false,
        minimum_wire_compatibility_version: '8.0.0',
        minimum_index_compatibility_version: '8.0.0',
      },
      tagline: 'You Know, for Search',
    });
  }

  async document(request: Request, response: Response): Promise<void> {
    const filter = sourceFilterOf(new UrlParameters(request, SOURCE_PARAMETERS));
    const [index, id] = [pathParameter(request, 'index'), pathParameter(request, 'id')];
    const found = await this.#stored(index, id, response);
    if (found === undefined) {
      sendApi(request, response, 404, { _index: index, _id: id, found: false });
      return;
    }
    sendApi(request, response, 200, {
      _index: found.index,
      _id: found.id,
      _version: found.version,
      _seq_no: found.version - 1,
      _primary_term: 1,
      found: true,
      ...(filter.show ? { _source: filtered(found.source, filter) } : {}),
    });
  }

  async source(request: Request, response: Response): Promise<void> {
    const filter = sourceFilterOf(new UrlParameters(request, SOURCE_PARAMETERS));
    const [index, id] = [pathParameter(request, 'index'), pathParameter(request, 'id')];
    const found = await this.#stored(index, id, response);
    if (found === undefined) {
      throw new ApiError(404, 'resource_not_found_exception', `Document not found [${index}]/[${id}]`);
    }
    sendApi(request, response, 200, filtered(found.source, filter));
  }

  async exists(request: Request, response: Response): Promise<void> {
    new UrlParameters(request, []);
    await this.#indices(request, response);
    response.statusCode = 200;
    response.end();
  }

  async #search(request: Request, response: Response): Promise<void> {
    const { body, ignoreMissing } = await searchCall(request, response);
    const indices = await this.#indices(request, response, ignoreMissing);
    const signal = this.#signal(response);
    const { took, timed_out, hits, aggregations } = await searchMany(this.#context.engine, indices, body, signal);
    sendApi(request, response, 200, {
      took,
      timed_out,
      _shards: SHARDS,
      hits,
      ...(aggregations === undefined ? {} : { aggregations }),
    });
  }

  async #count(request: Request, response: Response): Promise<void> {
    const { query, ignoreMissing } = await countCall(request, response);
    const signal = this.#signal(response);
    let count = 0;
    for (const index of await this.#indices(request, response, ignoreMissing)) {
      count += await this.#context.engine.count(index, query, signal);
    }
    sendApi(request, response, 200, { count, _shards: SHARDS });
  }

  async #mapping(request: Request, response: Response): Promise<void> {
    new UrlParameters(request, []);
    const mappings: Record<string, unknown> = {};
    for (const index of await this.#indices(request, response)) {
      mappings[index] = { mappings: await this.#context.engine.mapping(index, this.#signal(response)) };
    }
    sendApi(request, response, 200, mappings);
  }

  async #cat(request: Request, response: Response): Promise<void> {
    new UrlParameters(request, CAT_PARAMETERS);
    const indices = await this.#indices(request, response);
    const all = await this.#context.engine.indices(this.#signal(response));
    sendCat(
      request,
      response,
      all.filter(({ index }) => indices.includes(index)),
    );
  }

  /** Undefined when there is no such document; throws when there is no such index. */
  async #stored(index: string, id: string, response: Response): Promise<StoredDocument | undefined> {
    const { engine } = this.#context;
    const signal = this.#signal(response);
    const found = await engine.get(index, id, signal);
    if (found === undefined) await indicesOf(engine, index, {}, signal);
    return found;
  }

  #indices(request: Request, response: Response, ignoreMissing = false): Promise<readonly string[]> {
    const expression = request.params['index'] === undefined ? undefined : pathParameter(request, 'index');
    return indicesOf(this.#context.engine, expression, { ignoreMissing }, this.#signal(response));
  }

  #signal(response: Response): AbortSignal {
    return requestSignal(response, this.#context.stopping);
  }
}
