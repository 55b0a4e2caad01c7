import { createMcpHandler } from '@modelcontextprotocol/server';
import { messageOf } from '../base/errors.js';
import { CallLimits } from './call-limits.js';
import { createServer } from './create-server.js';
import { pageLinks } from './document-links.js';
import type { McpContext } from './mcp-context.js';

/** Who asks over HTTP. */
export interface HttpCaller {
  /** Tells callers apart for the number of calls a minute. */
  readonly name: string;
  /** Of the service, as the caller reaches it, without a trailing slash. */
  readonly address: string;
  /** Whether documents may be added, where `rest.mcp` allows that at all. */
  readonly mayAdd: boolean;
  /** That of the request, where it was read already. */
  readonly body?: unknown;
}

/** MCP over HTTP without sessions: each request is answered by a server of its own, over parts that are made once. */
export class McpEndpoint {
  readonly #context: McpContext;
  readonly #limits: CallLimits;

  constructor(context: McpContext, limits = new CallLimits()) {
    this.#context = context;
    this.#limits = limits;
  }

  async answer(request: Request, { name, address, mayAdd, body }: HttpCaller): Promise<Response> {
    const context = mayAdd ? this.#context : { ...this.#context, add: undefined };
    const caller = { context, limits: this.#limits, links: pageLinks(address), name };
    const handler = createMcpHandler(() => createServer(caller, calledTool(body)), {
      maxSubscriptions: 0,
      onerror: (error) => context.logger.debug(`MCP: ${messageOf(error)}`),
    });
    return await handler.fetch(request, body === undefined ? {} : { parsedBody: body });
  }
}

/** Undefined for what is no call of a tool, and for several messages at once. */
function calledTool(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown };
  };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
}
