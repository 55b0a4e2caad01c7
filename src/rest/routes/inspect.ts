import type { Request, Response } from 'express';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

type Handle = (request: Request, response: Response) => Promise<void>;

/** What people ask of a job beside crawling it (docs/rest.md). The code behind it is loaded with the first request to it. */
export function inspectRoutes(context: RestContext): readonly RestRoute[] {
  const inspect = once(async () => new (await import('../inspect/inspect-endpoint.js')).InspectEndpoint(context));
  const check = once(async () => new (await import('../inspect/check-endpoint.js')).CheckEndpoint(context));
  return [
    route('GET', '/_crawler/why', async (...call) => (await inspect()).why(...call)),
    route('GET', '/_crawler/failures', async (...call) => (await inspect()).failures(...call)),
    route('POST', '/_crawler/failures/retry', async (...call) => (await inspect()).retry(...call)),
    route('GET', '/_crawler/held', async (...call) => (await inspect()).held(...call)),
    route('GET', '/_crawler/history', async (...call) => (await inspect()).history(...call)),
    route('GET', '/_crawler/plan', async (...call) => (await check()).plan(...call)),
    route('POST', '/_crawler/plan', async (...call) => (await check()).start('plan', ...call)),
    route('DELETE', '/_crawler/plan', async (...call) => (await check()).stop('plan', ...call)),
    route('GET', '/_crawler/verify', async (...call) => (await check()).verify(...call)),
    route('POST', '/_crawler/verify', async (...call) => (await check()).start('verify', ...call)),
    route('DELETE', '/_crawler/verify', async (...call) => (await check()).stop('verify', ...call)),
  ];
}

function route(method: RestRoute['method'], path: string, handle: Handle): RestRoute {
  return { method, path, handle };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
