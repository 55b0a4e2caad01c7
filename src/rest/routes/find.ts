import type { Request, Response } from 'express';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

/** What people ask of the index (docs/search.md). The code behind it is loaded with the first request to it. */
export function findRoutes(context: RestContext): readonly RestRoute[] {
  const find = once(async () => new (await import('../find/find-endpoint.js')).FindEndpoint(context));
  const document = once(async () => new (await import('../find/document-endpoint.js')).DocumentEndpoint(context));
  return [
    get('/_find', async (...call) => (await find()).hits(...call)),
    get('/_find/facets', async (...call) => (await find()).facets(...call)),
    get('/_find/suggestions', async (...call) => (await find()).suggestions(...call)),
    get('/_document', async (...call) => (await document()).byName(...call)),
    get('/_document/:id', async (...call) => (await document()).byId(...call)),
    get('/_document/:id/text', async (...call) => (await document()).text(...call)),
    get('/_document/:id/matches', async (...call) => (await document()).matches(...call)),
    get('/_document/:id/original', async (...call) => (await document()).original(...call)),
  ];
}

function get(path: string, handle: (request: Request, response: Response) => Promise<void>): RestRoute {
  return { method: 'GET', path, handle };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
