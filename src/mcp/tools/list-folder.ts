import * as z from 'zod';
import { Facets } from '../../search/facets.js';
import { everything, type FindRequest } from '../../search/find-request.js';
import { IndexSearch } from '../../search/index-search.js';
import { CallFault } from '../call-fault.js';
import { defineTool, fits, NOTICE, READING, type ToolCall } from '../tool.js';

const FOLDERS = 100;

const input = z.strictObject({
  folder: z.string().max(1000).default('/').describe('From the root of the documents, such as /contracts/2024.'),
  cursor: z.string().max(4000).optional().describe('next_cursor of the answer before, for the same folder.'),
  limit: z.int().min(1).max(100).default(50).describe('Documents of one answer.'),
});

const output = z.object({
  notice: z.string(),
  folder: z.string(),
  folders: z
    .array(z.object({ path: z.string(), documents: z.number().describe('In it and below.') }))
    .describe('The folders in it that hold documents, on the first page of the answer.'),
  documents: z.array(
    z.object({ id: z.string(), title: z.string(), modified: z.string().nullable(), size: z.number().nullable() }),
  ),
  next_cursor: z.string().nullable(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const listFolder = defineTool({
  name: 'list_folder',
  title: 'List a folder',
  description: 'Lists the folders and the documents that lie in a folder of the index, by name.',
  annotations: READING,
  input,
  output,
  run: async (asked, call) => await firstThatFits(asked, call),
});

/** Fewer documents where their names are too long, so that the cursor continues behind the last one that is shown. */
async function firstThatFits(asked: Input, call: ToolCall): Promise<Output> {
  const folder = `/${asked.folder.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '')}`;
  const request: FindRequest = { ...everything, filters: { folder: [folder] }, sort: 'name' };
  const folders = asked.cursor === undefined ? await foldersIn(request, call) : [];
  for (let limit = asked.limit; limit >= 1; limit = Math.floor(limit / 2)) {
    const shown = folders.slice(0, Math.ceil((folders.length * limit) / asked.limit));
    const answer = { ...(await documentsIn(folder, request, { ...asked, limit }, call)), folders: shown };
    if (answer.documents.length === 0 && shown.length === 0 && folder !== '/' && asked.cursor === undefined) {
      throw new CallFault(
        'There is no such folder with documents in it. Folders are named from the root of the documents, such as /contracts/2024: begin with /.',
      );
    }
    if (fits(answer)) return answer;
  }
  throw new CallFault('The names in the folder are too long for an answer.');
}

async function foldersIn(request: FindRequest, { context, signal }: ToolCall): Promise<Output['folders']> {
  const { search } = await context.index();
  const { folderIndex } = context;
  const options = { names: ['folder'] as const, size: FOLDERS, folderIndex, tagFields: [], nowMs: Date.now() };
  const { facets } = await new Facets(search).count(request, options, signal);
  return (facets.folder ?? []).map(({ value, count }) => ({ path: value, documents: count }));
}

async function documentsIn(
  folder: string,
  request: FindRequest,
  { limit, cursor }: Input,
  { context, signal }: ToolCall,
): Promise<Omit<Output, 'folders'>> {
  const { search } = await context.index();
  const within = { term: { 'path.root': context.folderId(folder) } };
  const page = { size: limit, snippets: 0, ...(cursor === undefined ? {} : { start: { after: cursor } }) };
  const { hits, next } = await new IndexSearch({ ...search.searched, filter: [within] }).find(request, page, signal);
  return {
    notice: NOTICE,
    folder,
    documents: hits.map(({ id, name, modified, size }) => ({ id, title: name, modified, size })),
    next_cursor: next,
  };
}
