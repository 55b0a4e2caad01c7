import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { McpServer, ReadResourceResult, Variables } from '@modelcontextprotocol/server';
import type { StoredDocument } from '../engine/engine.js';
import { documentView } from '../search/document-view.js';
import { CallFault } from './call-fault.js';
import { safeText } from './safe-text.js';
import { storedDocument } from './stored-document.js';
import { faultText, type Caller } from './tool.js';

const CHARACTERS = 15_000;

/** The status of the job, and the texts of documents by id, and by page. Only the status is listed. */
export function registerResources(server: McpServer, caller: Caller): void {
  const { context } = caller;
  const job = `crawler://${encodeURIComponent(context.jobName)}`;
  server.registerResource(
    'status',
    `${job}/status`,
    { title: 'State of the index', mimeType: 'application/json' },
    async (uri, { mcpReq: { signal } }) =>
      await read(caller, uri, signal, async (limited) => ({
        mimeType: 'application/json',
        text: JSON.stringify(await context.status(limited)),
      })),
  );
  const text = { title: 'Text of a document', mimeType: 'text/plain' };
  const template = (path: string): ResourceTemplate => new ResourceTemplate(`${job}/${path}`, { list: undefined });
  const document = (name: string, path: string): void => {
    server.registerResource(name, template(path), text, async (uri, variables, { mcpReq: { signal } }) => {
      return await read(caller, uri, signal, async (limited) => await documentText(caller, variables, limited));
    });
  };
  document('document', 'document/{id}');
  document('page', 'document/{id}/page/{page}');
}

interface Contents {
  readonly mimeType: string;
  readonly text: string;
}

async function read(
  caller: Caller,
  uri: URL,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Contents>,
): Promise<ReadResourceResult> {
  try {
    const { mimeType, text } = await caller.limits.run(caller.name, signal, work);
    return { contents: [{ uri: uri.href, mimeType, text: safeText(text), _meta: { 'crawler/untrusted': true } }] };
  } catch (error) {
    if (error instanceof NotThere) throw new ResourceNotFoundError(uri.href);
    throw new ProtocolError(ProtocolErrorCode.InternalError, faultText(error, caller));
  }
}

class NotThere extends Error {}

async function documentText({ context }: Caller, variables: Variables, signal: AbortSignal): Promise<Contents> {
  const page = variables['page'];
  const stored = await storedOrNotThere(context, decoded(variables['id']), signal);
  const { texts } = await context.index();
  if (page === undefined) {
    const { blocks } = await texts.window(stored, '', { from: 0, length: CHARACTERS }, signal);
    return { mimeType: 'text/plain', text: textOf(blocks) };
  }
  const number = /^\d{1,7}$/.test(String(page)) ? Number(page) : 0;
  if (number < 1 || number > (documentView(stored).pages ?? 0)) throw new NotThere();
  const { blocks } = await texts.window(stored, '', { page: number, pages: 1 }, signal);
  return { mimeType: 'text/plain', text: textOf(blocks).slice(0, CHARACTERS) };
}

async function storedOrNotThere(context: Caller['context'], id: string, signal: AbortSignal): Promise<StoredDocument> {
  try {
    return await storedDocument(context, id, signal);
  } catch (error) {
    throw error instanceof CallFault ? new NotThere() : error;
  }
}

function decoded(variable: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(variable));
  } catch {
    throw new NotThere();
  }
}

function textOf(blocks: readonly { readonly segments: readonly string[] }[]): string {
  return blocks.map(({ segments }) => segments.join('')).join('');
}
