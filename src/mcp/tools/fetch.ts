import * as z from 'zod';
import type { StoredDocument } from '../../engine/engine.js';
import type { TextWindow } from '../../search/document-text.js';
import { documentView, type DocumentView } from '../../search/document-view.js';
import { CallFault } from '../call-fault.js';
import { safeText } from '../safe-text.js';
import { defineTool, fits, NOTICE, READING, type ToolCall } from '../tool.js';
import { storedDocument } from '../stored-document.js';

const PAGES = 5;
const CHARACTERS = 15_000;
/** Characters before the first hit of a query in a document without pages. */
const BEFORE_HIT = 500;

const input = z.strictObject({
  id: z.string().min(1).max(1000).describe('Of a result of search or list_folder.'),
  page: z.int().min(1).max(1_000_000).optional().describe('First page to read, of a document with pages.'),
  pages: z.int().min(1).max(20).default(PAGES).describe('Pages to read.'),
  offset: z.int().min(0).max(999_999_999).optional().describe('Characters of the text to pass over.'),
  max_characters: z.int().min(1000).max(30_000).default(CHARACTERS),
  query: z.string().min(1).max(500).optional().describe('Begin where these words are found first.'),
});

const output = z.object({
  notice: z.string(),
  id: z.string(),
  title: z.string(),
  url: z.string(),
  text: z.string(),
  metadata: z.object({
    path: z.string().nullable(),
    content_type: z.string().nullable(),
    modified: z.string().nullable(),
    author: z.string().nullable(),
    language: z.string().nullable(),
    pages: z.number().nullable(),
    page_from: z.number().nullable(),
    page_to: z.number().nullable(),
    offset: z.number().describe('Characters of the document before this text.'),
    characters: z.number().describe('Of the whole text in the index.'),
    truncated: z.boolean().describe('The document has more text than the index keeps.'),
    next: z
      .union([z.object({ page: z.number() }), z.object({ offset: z.number() })])
      .nullable()
      .describe('What to fetch next to read on; null at the end.'),
    problem: z.string().nullable(),
  }),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const fetch = defineTool({
  name: 'fetch',
  title: 'Read a document',
  description:
    'Reads the text of a document, from a page, from an offset, or from where words are found in it, and says how to read on.',
  annotations: READING,
  input,
  output,
  run: read,
});

async function read(asked: Input, call: ToolCall): Promise<Output> {
  if (asked.page !== undefined && asked.offset !== undefined) {
    throw new CallFault('Give either page or offset, not both.');
  }
  const { context, links, signal } = call;
  const stored = await storedDocument(context, asked.id, signal);
  const view = documentView(stored);
  const passage = await passageOf(asked, stored, view, call);
  for (let most = asked.max_characters; ; most = Math.floor(most / 2)) {
    const answer = answerOf(view, cut(passage, most), (page) => links.url(view, page));
    if (fits(answer)) return answer;
  }
}

/** Text of a document, and where it stands. */
interface Passage {
  readonly text: string;
  readonly from: number;
  readonly characters: number;
  readonly pageStarts: readonly (readonly [page: number, from: number])[];
  readonly next: TextWindow['next'];
}

async function passageOf(
  asked: Input,
  stored: StoredDocument,
  view: DocumentView,
  { context, signal }: ToolCall,
): Promise<Passage> {
  const { texts } = await context.index();
  const { page, offset = 0 } = await startOf(asked, stored, call(context, signal));
  if (page !== undefined) requirePage(page, view);
  else if (offset > 0 && offset >= view.characters) {
    throw new CallFault(`The text of the document has ${view.characters} characters, so nothing is at ${offset}.`);
  }
  const wanted = page === undefined ? { from: offset, length: asked.max_characters } : { page, pages: asked.pages };
  const { blocks, next, characters } = await texts.window(stored, '', wanted, signal);
  return {
    text: blocks.map(({ segments }) => segments.join('')).join(''),
    from: blocks[0]?.from ?? 0,
    characters,
    pageStarts: blocks.flatMap((block) => (block.page === null ? [] : [[block.page, block.from] as const])),
    next,
  };
}

function call(context: ToolCall['context'], signal: AbortSignal): Pick<ToolCall, 'context' | 'signal'> {
  return { context, signal };
}

/** Where the first hit is, unless the place is given. A document without a hit is read from its beginning. */
async function startOf(
  { page, offset, query }: Input,
  stored: StoredDocument,
  { context, signal }: Pick<ToolCall, 'context' | 'signal'>,
): Promise<{ readonly page?: number; readonly offset?: number }> {
  if (page !== undefined) return { page };
  if (offset !== undefined || query === undefined) return { offset: offset ?? 0 };
  const { texts } = await context.index();
  const { passages } = await texts.passages(stored, query, { size: 1, from: 0 }, signal);
  const [first] = passages;
  if (first === undefined) return { offset: 0 };
  return first.page === null ? { offset: Math.max(0, first.at - BEFORE_HIT) } : { page: first.page };
}

function requirePage(page: number, { pages }: DocumentView): void {
  if (pages === null) throw new CallFault('The document has no pages: use offset, or neither.');
  if (page > pages) throw new CallFault(`The document has ${pages} pages, so there is no page ${page}.`);
}

/** As much of it as may be shown, not between the halves of a surrogate pair. */
function cut(passage: Passage, most: number): Passage {
  const { text, from } = passage;
  if (text.length <= most) return passage;
  const length = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { ...passage, text: text.slice(0, length), next: { from: from + length } };
}

function answerOf(view: DocumentView, passage: Passage, urlAt: (page: number | null) => string): Output {
  const { text, from, characters, pageStarts, next } = passage;
  const shown = pageStarts.filter(([, start], at) => at === 0 || start < from + text.length);
  const first = shown[0]?.[0] ?? null;
  return {
    notice: NOTICE,
    id: view.id,
    title: view.title ?? view.name,
    url: urlAt(first),
    text: safeText(text),
    metadata: {
      path: view.path,
      content_type: view.content_type,
      modified: view.modified,
      author: view.author,
      language: view.language,
      pages: view.pages,
      page_from: first,
      page_to: shown.at(-1)?.[0] ?? null,
      offset: from,
      characters,
      truncated: view.truncated,
      next: next === null ? null : 'page' in next ? next : { offset: next.from },
      problem: view.problem?.reason ?? null,
    },
  };
}
