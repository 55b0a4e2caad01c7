import express from 'express';
import type { Express, RequestHandler, Router } from 'express';
import { webFolder } from '../base/entry-points.js';
import { allowCrossOrigin } from './middleware/cors.js';
import { accessControl } from './middleware/access-control.js';
import { errors } from './middleware/errors.js';
import { originGuard } from './middleware/origin-guard.js';
import { requestLog } from './middleware/request-log.js';
import { securityHeaders } from './middleware/security-headers.js';
import type { ListenAddress } from './listen-address.js';
import type { RestContext } from './rest-options.js';
import { RequestFault } from './request-fault.js';
import { mountRoutes } from './route.js';
import type { RestRoute } from './route.js';
import { crawlerRoutes } from './routes/crawler.js';
import { documentRoutes } from './routes/documents.js';
import { elasticsearchApi } from './routes/elasticsearch-api.js';
import { findRoutes } from './routes/find.js';
import { mcpRoutes } from './routes/mcp.js';
import { inspectRoutes } from './routes/inspect.js';
import { openApiRoutes } from './routes/openapi.js';
import { operationRoutes } from './routes/operations.js';
import { searchRoutes } from './routes/search.js';
import { sessionRoutes } from './routes/session.js';
import { statusRoutes } from './routes/status.js';
import { redirectBrowsers } from './web/page-request.js';

/** The endpoints of the service; `_engine` brings its own router, since its errors have another shape. */
export function restRoutes(context: RestContext): readonly RestRoute[] {
  return [
    ...statusRoutes(context),
    ...documentRoutes(context),
    ...crawlerRoutes(context),
    ...inspectRoutes(context),
    ...searchRoutes(context),
    ...findRoutes(context),
    ...operationRoutes(context),
    ...sessionRoutes(context),
    ...mcpRoutes(context),
    ...openApiRoutes(context),
  ];
}

/** The whole of a request's way: guards first, then the routes, then the error answer. */
export function createRestApp(context: RestContext, { prefix, host }: ListenAddress): Express {
  const app = express();
  const prefixes = prefixesOf(prefix, context);
  // Where there are no pages, `/` is the status for everybody, and needs a key.
  const pagePrefixes = context.ui === 'off' ? [] : prefixes;
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.use(requestLog(context.logger));
  app.use(securityHeaders(context.enableCors));
  if (context.enableCors) app.use(allowCrossOrigin());
  else {
    const { loopback, allowedHosts } = context;
    app.use(originGuard({ loopback, ownHost: host, allowedHosts, prefixes: pagePrefixes }));
  }
  app.use(accessControl(context.access, { prefixes, pagePrefixes }));
  app.use(withoutPrefix(prefix, context));
  if (context.ui !== 'off') {
    app.use('/ui', pages(context.ui));
    app.use(redirectBrowsers());
  }
  app.use('/_engine', elasticsearchApi(context));
  app.use(routerOf(restRoutes(context)));
  app.use((request) => {
    throw new RequestFault(404, nothingHere(request.path, context));
  });
  app.use(errors(context.logger));
  return app;
}

/** The pages. Their code and their files are looked at when somebody asks for one. */
function pages(ui: 'on' | 'search'): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    handler ??= import('./web/web-pages.js').then(({ webPages }) => webPages(webFolder(), ui));
    await (
      await handler
    )(request, response, next);
  };
}

/** Cuts the path of `rest.url` off; what does not begin with it has no endpoint. */
function withoutPrefix(ownPrefix: string, context: RestContext): RequestHandler {
  const longestFirst = [...prefixesOf(ownPrefix, context)].sort((left, right) => right.length - left.length);
  return (request, _response, next) => {
    const [path = ''] = request.url.split('?', 1);
    const prefix = longestFirst.find((each) => path === each || path.startsWith(`${each}/`));
    if (prefix === undefined) {
      const hint = `The service answers below ${context.baseUrl.for(request)}/ (rest.url).`;
      throw new RequestFault(404, `${nothingHere(path, context)} ${hint}`);
    }
    const rest = request.url.slice(prefix.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}

function prefixesOf(ownPrefix: string, { legacy }: RestContext): readonly string[] {
  return legacy ? [ownPrefix, LEGACY_PREFIX] : [ownPrefix];
}

const LEGACY_PREFIX = '/fscrawler';

/** Scripts that were written for FSCrawler 2 learn what to use instead. */
function nothingHere(path: string, { legacy }: RestContext): string {
  const nothing = 'There is nothing at this address.';
  if (legacy || !/^\/(?:fscrawler|_upload)(?:\/|$)/.test(path)) return nothing;
  return `${nothing} It was one of FSCrawler 2: set rest.legacy to true to serve it, or post to /_document.`;
}

function routerOf(routes: readonly RestRoute[]): Router {
  const router = express.Router({ caseSensitive: true });
  mountRoutes(router, routes);
  for (const path of new Set(routes.map((route) => route.path))) {
    router.all(path, otherMethods(routes.filter((route) => route.path === path)));
  }
  return router;
}

/** OPTIONS tells the methods, every other one is not allowed. Express itself lets GET routes answer HEAD. */
function otherMethods(routes: readonly RestRoute[]): RequestHandler {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...methods, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') {
      throw new RequestFault(405, `${request.method} is not allowed here, only ${allow}.`, { Allow: allow });
    }
    response.setHeader('Allow', allow);
    response.setHeader('Content-Length', 0);
    response.statusCode = 200;
    response.end();
  };
}
