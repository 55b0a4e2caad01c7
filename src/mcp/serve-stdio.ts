import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../base/errors.js';
import { CallLimits } from './call-limits.js';
import { createServer } from './create-server.js';
import { fileLinks } from './document-links.js';
import type { McpContext } from './mcp-context.js';

/** Serves one client over stdin and stdout. Resolves when the client has closed stdin, or the signal is aborted. */
export async function serveStdio(context: McpContext, signal: AbortSignal): Promise<void> {
  const caller = { context, limits: new CallLimits(), links: fileLinks(context), name: 'stdio' };
  const ended = endOf(process.stdin, signal);
  const handle = serve(() => createServer(caller), {
    maxSubscriptions: 0,
    onerror: (error) => context.logger.warn(`MCP: ${messageOf(error)}`),
  });
  try {
    await ended;
  } finally {
    await handle.close();
  }
}

async function endOf(input: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => resolve();
    for (const event of ['end', 'close', 'error']) input.once(event, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
