import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { silentLogger } from '../../src/base/logger.js';
import { searchFields } from '../../src/engine/search-fields.js';
import { CallLimits } from '../../src/mcp/call-limits.js';
import type { McpContext } from '../../src/mcp/mcp-context.js';
import { McpEndpoint } from '../../src/mcp/mcp-endpoint.js';
import { jobStatus } from '../../src/operations/status/job-status.js';
import type { RestOptions } from '../../src/rest/rest-service.js';
import { DocumentTexts } from '../../src/search/document-text.js';
import { IndexSearch } from '../../src/search/index-search.js';
import { startEngineRest, type EngineHarness } from '../rest/engine-harness.js';
import { INDEX } from '../rest/rest-harness.js';

/** What clients speak: the revision of 2026, and those before it. */
export const eras = ['auto', 'legacy'] as const;
export type Era = (typeof eras)[number];

export const revisions: Readonly<Record<Era, string>> = { auto: '2026-07-28', legacy: '2025-11-25' };

export interface McpHarness extends EngineHarness {
  /** A client of the official library; closed with the harness. */
  connect(era: Era, headers?: Record<string, string>): Promise<Client>;
}

export interface McpOverrides {
  readonly rest?: Partial<RestOptions>;
  readonly context?: Partial<McpContext>;
  readonly limits?: CallLimits;
}

/** Tests call faster than assistants do. */
const MANY = new CallLimits({ callsPerMinute: 100_000 });

/** The service over an embedded index, with the MCP server of it. */
export async function startMcp({ rest = {}, context = {}, limits = MANY }: McpOverrides = {}): Promise<McpHarness> {
  const clients: Client[] = [];
  const started: { harness?: EngineHarness } = {};
  const endpoint = (): Promise<McpEndpoint> => {
    if (started.harness === undefined) throw new Error('The service is not up.');
    return Promise.resolve(new McpEndpoint({ ...contextOver(started.harness), ...context }, limits));
  };
  const harness = await startEngineRest({ mcp: endpoint, ...rest });
  started.harness = harness;
  return {
    ...harness,
    async connect(era, headers = {}) {
      const client = clientOf(era);
      const url = new URL(`${harness.rest.url}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await harness.close();
    },
  };
}

export function clientOf(era: Era): Client {
  return new Client({ name: 'test', version: '1' }, era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {});
}

function contextOver({ engine }: EngineHarness): McpContext {
  const search = new IndexSearch({ engine, index: INDEX, searchFields: searchFields('text') });
  const texts = new DocumentTexts(search);
  const crawl = { state: 'COMPLETED', lastScanMs: 0, remainingMs: undefined, totals: undefined };
  return {
    jobName: 'job',
    version: '1.2.3',
    isLocal: true,
    folderIndex: undefined,
    folderId: (folder) => folder,
    index: () => Promise.resolve({ search, texts }),
    explain: () => Promise.reject(new Error('secret cause')),
    failuresNamed: () => Promise.resolve([]),
    status: async (signal) =>
      await jobStatus({ job: 'job', jobDirectory: '/none', index: INDEX, crawl, engine }, signal),
    add: undefined,
    logger: silentLogger,
  };
}

/** A result of a tool, as a client sees it. */
export interface Called {
  readonly isError: boolean;
  /** Of the only item of content. */
  readonly text: string;
  readonly value: Record<string, unknown>;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
  const [item, ...others] = content;
  if (item?.type !== 'text' || others.length > 0) throw new Error(`Not one text: ${JSON.stringify(content)}`);
  return { isError, text: item.text, value: (structuredContent ?? {}) as Record<string, unknown> };
}
