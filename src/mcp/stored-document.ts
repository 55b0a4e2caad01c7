import type { StoredDocument } from '../engine/engine.js';
import { CallFault } from './call-fault.js';
import type { McpContext } from './mcp-context.js';

export async function storedDocument(context: McpContext, id: string, signal: AbortSignal): Promise<StoredDocument> {
  const { search } = await context.index();
  const { engine, index } = search.searched;
  const stored = await engine.get(index, id, signal);
  if (stored !== undefined) return stored;
  throw new CallFault('There is no document of this id. Ids are those that search and list_folder return.');
}
