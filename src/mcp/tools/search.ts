import * as z from 'zod';
import type { FoundHit } from '../../search/found-hit.js';
import type { Filters, FindRequest } from '../../search/find-request.js';
import { typeFamilies } from '../../search/type-families.js';
import { CallFault } from '../call-fault.js';
import { resourceOf } from '../mcp-context.js';
import { defineTool, fits, NOTICE, READING, type ToolCall } from '../tool.js';

const SNIPPETS = 3;
const SNIPPET_CHARACTERS = 300;
const TITLE_CHARACTERS = 300;

const words = z.string().min(1).max(200);
const date = z.string().min(4).max(40);

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'Words to find, all of them in each document. "a phrase", begin*, this | that, -not; name:report, ext:docx, author:"Ann Lee", lang:de, after:2024-03, before:2025.',
    ),
  limit: z.int().min(1).max(20).default(8).describe('Results of one answer.'),
  cursor: z.string().max(4000).optional().describe('next_cursor of the answer before, with all else unchanged.'),
  folder: words.optional().describe('Only what lies in this folder or below it, such as /contracts/2024.'),
  type: z.array(z.enum(typeFamilies)).max(13).optional().describe('Only documents of one of these kinds.'),
  extension: z
    .array(z.string().min(1).max(20))
    .max(20)
    .optional()
    .describe('Only files with one of these, such as pdf.'),
  author: words.optional(),
  language: z.string().min(2).max(20).optional().describe('ISO 639-1 code, such as en.'),
  modified_after: date.optional().describe('Changed at this day or later: 2024, 2024-03, 2024-03-31 or an instant.'),
  modified_before: date.optional().describe('Changed at this day or before.'),
  sort: z.enum(['relevance', 'newest', 'oldest']).default('relevance'),
});

const result = z.object({
  id: z.string().describe('For fetch.'),
  title: z.string(),
  url: z.string().describe('Where a person opens it, at the page of the first snippet.'),
  resource: z.string(),
  path: z.string(),
  type: z.string(),
  modified: z.string().nullable(),
  size: z.number().nullable().describe('Bytes.'),
  snippets: z.array(z.object({ page: z.number().nullable(), text: z.string() })),
  problem: z.string().nullable().describe('Why text is missing, such as encrypted.'),
});

const output = z.object({
  notice: z.string(),
  total: z.number(),
  total_relation: z.enum(['eq', 'gte']).describe('gte: there are at least so many.'),
  next_cursor: z.string().nullable(),
  results: z.array(result),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const search = defineTool({
  name: 'search',
  title: 'Search documents',
  description:
    'Searches the text, names and metadata of the documents of this index, the best first, with the passages that match and their pages. Read on with fetch. When something is not found that should be there, ask index_status and why_not_found.',
  annotations: READING,
  input,
  output,
  run: async (asked, call) => await firstThatFits(asked, call),
});

/** Fewer results where they are too long, so that the cursor continues behind the last one that is shown. */
async function firstThatFits(asked: Input, call: ToolCall): Promise<Output> {
  for (let limit = asked.limit; limit >= 1; limit = Math.floor(limit / 2)) {
    const found = await find({ ...asked, limit }, call);
    if (fits(found)) return found;
  }
  throw new CallFault('The results are too long for an answer.');
}

async function find(asked: Input, { context, links, signal }: ToolCall): Promise<Output> {
  const { search: index } = await context.index();
  const page = {
    size: asked.limit,
    snippets: SNIPPETS,
    snippetCharacters: SNIPPET_CHARACTERS,
    ...(asked.cursor === undefined ? {} : { start: { after: asked.cursor } }),
  };
  const { total, total_relation, next, hits } = await index.find(requestOf(asked), page, signal);
  const results = hits.map((hit) => resultOf(hit, links.url(hit, pageOf(hit)), context.jobName));
  return { notice: NOTICE, total, total_relation, next_cursor: next, results };
}

function requestOf(asked: Input): FindRequest {
  const { query, sort, folder, type, extension, author, language, modified_after, modified_before } = asked;
  const filters: Filters = {
    ...(folder === undefined ? {} : { folder: [folder] }),
    ...(type === undefined ? {} : { type }),
    ...(extension === undefined ? {} : { ext: extension }),
    ...(author === undefined ? {} : { author: [author] }),
    ...(language === undefined ? {} : { language: [language] }),
    ...(modified_after === undefined ? {} : { modified_from: [modified_after] }),
    ...(modified_before === undefined ? {} : { modified_to: [modified_before] }),
  };
  return { q: query, in: 'all', any: false, filters, sort };
}

function pageOf({ snippets }: FoundHit): number | null {
  return snippets[0]?.page ?? null;
}

function resultOf(hit: FoundHit, url: string, jobName: string): Output['results'][number] {
  return {
    id: hit.id,
    title: (hit.title ?? hit.name).slice(0, TITLE_CHARACTERS),
    url,
    resource: resourceOf(jobName, hit.id),
    path: hit.path ?? hit.name,
    type: hit.type,
    modified: hit.modified,
    size: hit.size,
    snippets: hit.snippets.map(({ page, segments }) => ({
      page,
      text: segments.join('').slice(0, SNIPPET_CHARACTERS),
    })),
    problem: hit.problem,
  };
}
