import express from 'express';
import type { Router } from 'express';
import { apiErrors, productHeader } from '../elasticsearch-api/api-answer.js';
import { unsupported } from '../elasticsearch-api/api-error.js';
import { ApiRequests } from '../elasticsearch-api/api-requests.js';
import { catEndpoints } from '../elasticsearch-api/endpoints/cat.js';
import { clusterEndpoints } from '../elasticsearch-api/endpoints/cluster.js';
import { documentEndpoints } from '../elasticsearch-api/endpoints/documents.js';
import { fieldCapsEndpoints } from '../elasticsearch-api/endpoints/field-caps.js';
import { indexEndpoints, wholeIndexEndpoints } from '../elasticsearch-api/endpoints/indices.js';
import { pagingEndpoints } from '../elasticsearch-api/endpoints/paging.js';
import { searchEndpoints } from '../elasticsearch-api/endpoints/search.js';
import type { RestContext } from '../rest-options.js';
import { mountRoutes } from '../route.js';
import type { RestRoute } from '../route.js';

/**
 * `_engine`: the embedded index as an Elasticsearch of which only the reading half exists. Clients and scripts that are
 * written against it work on a real cluster with another URL. Whatever is not listed here is refused by name.
 */
export function elasticsearchApi(context: RestContext): Router {
  const router = express.Router({ caseSensitive: true });
  const api = new ApiRequests(context);
  router.use(productHeader());
  router.use(async (_request, response, next) => {
    await api.requireEngine(response);
    next();
  });
  mountRoutes(router, endpointsOf(api));
  router.use((request) => {
    throw unsupported(`[${request.method} ${request.path}]`);
  });
  router.use(apiErrors(context.logger));
  return router;
}

export function elasticsearchApiRoutes(context: RestContext): readonly RestRoute[] {
  return endpointsOf(new ApiRequests(context));
}

function endpointsOf(api: ApiRequests): readonly RestRoute[] {
  return [
    ...clusterEndpoints(api),
    ...catEndpoints(api),
    ...pagingEndpoints(api),
    ...searchEndpoints(api),
    ...fieldCapsEndpoints(api),
    ...indexEndpoints(api),
    ...documentEndpoints(api),
    ...wholeIndexEndpoints(api),
  ];
}
