import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { parseJson } from '../json-text.js';
import { originGuard } from '../middleware/origin-guard.js';
import { requestSignal } from '../request-signal.js';
import type { McpEndpoint, RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';
import { readTextBody } from '../text-body.js';

/** Bytes of a message. */
const BODY_LIMIT = 1024 * 1024;

/**
 * `POST /mcp` for assistants (docs/mcp.md). Pages of other sites are refused here whatever `rest.enable_cors` says, and so is
 * a host name that the service does not know.
 */
export function mcpRoutes(context: RestContext): readonly RestRoute[] {
  const { mcp, loopback, host: ownHost, allowedHosts } = context;
  if (mcp === undefined) return [];
  const guard = originGuard({ loopback, ownHost, allowedHosts, prefixes: [], strict: true });
  let endpoint: Promise<McpEndpoint> | undefined;
  return [
    {
      method: 'POST',
      path: '/mcp',
      async handle(request, response) {
        void guard(request, response, () => undefined);
        const signal = requestSignal(response, context.stopping);
        const body = await readTextBody(request, response, BODY_LIMIT);
        const parsed = await parseJson(body);
        endpoint ??= mcp();
        const caller = {
          name: callerOf(request, context),
          address: context.baseUrl.for(request),
          mayAdd: context.access.roleOf(request) === 'full',
          ...(parsed.ok ? { body: parsed.value } : {}),
        };
        // What is no JSON is left to the protocol, which has an answer for it. Otherwise nobody reads the text again.
        const asked = webRequest(request, parsed.ok ? null : body, signal);
        const answer = await (await endpoint).answer(asked, caller);
        await send(answer, response);
      },
    },
  ];
}

/** Where keys are needed, only those that are known come this far. */
function callerOf({ headers }: HttpRequest, { access }: RestContext): string {
  if (!access.keys.isLocked) return '';
  return createHash('sha256')
    .update(headers.authorization ?? '')
    .digest('base64');
}

function webRequest({ headers: given }: HttpRequest, body: string | null, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, body, signal });
}

/** Whether the connection stays open is for the server to say, which may be stopping. */
async function send(answer: Response, response: HttpResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== 'connection') response.setHeader(name, value);
  if (answer.body === null) response.end();
  else if (answer.headers.get('content-type') === 'application/json') response.end(await answer.text());
  else await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy());
}
