import type { IndexSummary } from '../engine.js';
import type { EngineClient } from './engine-client.js';
import type { EngineCall } from './node-exchange.js';
import { isRecord, textAt } from './json.js';
import { serverError } from './server-errors.js';

/** Indices with their documents and bytes. `_cat` answers numbers as text. */
export async function indexSummaries(client: EngineClient, signal: AbortSignal): Promise<readonly IndexSummary[]> {
  const call: EngineCall = {
    name: 'list of the indices',
    send: (typed, options) =>
      typed.cat.indices({ format: 'json', bytes: 'b', h: ['index', 'docs.count', 'store.size'] }, options),
  };
  const { status, body } = await client.ask(call, signal);
  if (status >= 300) throw serverError(status, body, 'The indices of the search engine cannot be listed');
  const rows = (Array.isArray(body) ? (body as unknown[]) : []).filter(isRecord);
  return rows
    .map((row) => ({
      index: textAt(row, 'index') ?? '',
      documents: Number(row['docs.count'] ?? 0),
      bytes: Number(row['store.size'] ?? 0),
    }))
    .filter(({ index }) => !index.startsWith('.'))
    .sort((a, b) => (a.index < b.index ? -1 : 1));
}
