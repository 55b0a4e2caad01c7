import * as z from 'zod';
import { everything } from '../../search/find-request.js';
import { CallFault } from '../call-fault.js';
import { defineTool, fits, NOTICE, READING, type ToolCall } from '../tool.js';

const FILES = 20;

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('Of a file or folder: absolute, or from the root of the documents.'),
  name: z.string().min(1).max(300).optional().describe('Part of the name of a file, where its path is not known.'),
});

const file = z.object({
  path: z.string(),
  standing: z
    .enum(['indexed', 'partial', 'waiting', 'left_out', 'failed', 'missing', 'gone', 'absent', 'outside'])
    .describe('indexed: search finds it; partial: without all of its text; waiting: the next scan indexes it.'),
  reason: z.string().nullable(),
  sentence: z.string(),
  rule: z.string().nullable().describe('The rule of the settings that leaves it out.'),
  origin: z.string().nullable().describe('Where that rule stands.'),
});

const output = z.object({ notice: z.string(), files: z.array(file) });

type Input = z.output<typeof input>;
type ExplainedFile = z.output<typeof file>;

export const whyNotFound = defineTool({
  name: 'why_not_found',
  title: 'Why a file is not found',
  description:
    'Says why a file is in the index or why it is not: left out by a rule, failed, waiting for the next scan, gone. Give either its path or a part of its name.',
  annotations: READING,
  input,
  output,
  run: async (asked, call) => {
    let files = await filesOf(asked, call);
    while (!fits({ notice: NOTICE, files })) files = files.slice(0, Math.floor(files.length / 2));
    return { notice: NOTICE, files: [...files] };
  },
});

async function filesOf({ path, name }: Input, call: ToolCall): Promise<readonly ExplainedFile[]> {
  if (path !== undefined && name === undefined) return [await explained(path, call)];
  if (name !== undefined && path === undefined) return await named(name, call);
  throw new CallFault('Give either path or name.');
}

async function explained(path: string, { context, signal }: ToolCall): Promise<ExplainedFile> {
  const { standing, reason = null, sentence, rule, origin, path: known } = await context.explain(path, signal);
  // What lies outside of the job is none of the caller's business, not even where the job is.
  if (standing === 'outside') {
    return { ...UNKNOWN, path, standing, sentence: 'It is not below the root of the documents.' };
  }
  return {
    path: known,
    standing,
    reason,
    sentence,
    rule: rule === undefined || rule.text === '' ? null : rule.text,
    origin: origin?.origin ?? null,
  };
}

const UNKNOWN = { reason: null, rule: null, origin: null } as const;

/** What the crawl has not indexed, then what search finds. */
async function named(name: string, { context, signal }: ToolCall): Promise<readonly ExplainedFile[]> {
  const failed = await context.failuresNamed(name, FILES, signal);
  const files: ExplainedFile[] = failed.map(({ path, standing, reason, message }) => {
    return { ...UNKNOWN, path, standing, reason, sentence: message };
  });
  const seen = new Set(files.map(({ path }) => path));
  const { search } = await context.index();
  const request = { ...everything, q: `name:${quoted(name)}` };
  const { hits } = await search.find(request, { size: FILES, snippets: 0 }, signal);
  for (const hit of hits) {
    const path = hit.path ?? hit.name;
    if (files.length >= FILES || seen.has(path)) continue;
    files.push({ ...UNKNOWN, path, standing: 'indexed', reason: hit.problem, sentence: 'It is in the index.' });
  }
  if (files.length > 0) return files;
  throw new CallFault(
    'The crawl knows no file with this in its name. It may have been made since the last scan (index_status), or lie elsewhere: ask for its path.',
  );
}

function quoted(name: string): string {
  return `"${name.replace(/[\\"]/g, ' ')}"`;
}
