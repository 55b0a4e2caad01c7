import { createHash } from 'node:crypto';
import type { StoredDocument } from '../engine/engine.js';
import type { CrawlDocument } from '../model/document.js';
import { pageAt } from './found-hit.js';
import { HIGHLIGHTED_CHARACTERS, type IndexSearch } from './index-search.js';
import { randomMarks, segmentsOf, type Segments } from './segments.js';

/** A piece of the text with what was found in it. */
export interface TextBlock {
  readonly page: number | null;
  /** Characters of the text before it. */
  readonly from: number;
  readonly segments: Segments;
}

export type TextPosition = { readonly page: number } | { readonly from: number };

export interface TextWindow {
  readonly version: number;
  /** Of the whole text. */
  readonly characters: number;
  /** The document has more text than the index keeps of it. */
  readonly truncated: boolean;
  readonly pages: number | null;
  readonly marks: {
    readonly total: number;
    /** False where the text is longer than it is searched for marks. */
    readonly complete: boolean;
    /** Pages with their number of marks. */
    readonly by_page: readonly (readonly [page: number, marks: number])[];
  };
  readonly blocks: readonly TextBlock[];
  readonly previous: TextPosition | null;
  readonly next: TextPosition | null;
}

export type WindowRequest =
  | { readonly page: number; readonly pages: number }
  /** Characters. */
  | { readonly from: number; readonly length: number };

export interface Passage {
  readonly page: number | null;
  readonly at: number;
  readonly segments: Segments;
}

/** What one answer may hold of a text. */
export const MOST_CHARACTERS = 50_000;
const CACHED_CHARACTERS = 8_000_000;
const CACHED_TEXTS = 8;
/** Characters before and behind a mark in a list of passages. */
const CONTEXT = 90;

interface MarkedText {
  readonly content: string;
  readonly pages: readonly number[];
  readonly truncated: boolean;
  readonly version: number;
  /** Start and end of each mark, in order. */
  readonly marks: readonly Mark[];
}

type Mark = readonly [start: number, end: number];

/** Texts of documents with the words of a query marked. The last few stay in memory, for reading on. */
export class DocumentTexts {
  readonly #search: IndexSearch;
  readonly #recent = new Map<string, MarkedText>();

  constructor(search: IndexSearch) {
    this.#search = search;
  }

  async window(stored: StoredDocument, q: string, wanted: WindowRequest, signal: AbortSignal): Promise<TextWindow> {
    const text = await this.#marked(stored, q, signal);
    const { content, pages, marks } = text;
    const [start, end] = 'page' in wanted ? pageBounds(text, wanted) : [wanted.from, wanted.from + wanted.length];
    const from = Math.min(start, content.length);
    const to = cutAt(content, Math.min(end, content.length, from + MOST_CHARACTERS));
    return {
      version: text.version,
      characters: content.length,
      truncated: text.truncated,
      pages: pages.length === 0 ? null : pages.length,
      marks: {
        total: marks.length,
        complete: content.length <= HIGHLIGHTED_CHARACTERS,
        by_page: countByPage(text),
      },
      blocks: blocksOf(text, from, to),
      previous: placeBefore(text, from, to - from),
      next: placeBehind(text, to),
    };
  }

  /** The marks of a document, each with some text around it. */
  async passages(
    stored: StoredDocument,
    q: string,
    { size, from }: { readonly size: number; readonly from: number },
    signal: AbortSignal,
  ): Promise<{ readonly passages: readonly Passage[]; readonly total: number }> {
    const text = await this.#marked(stored, q, signal);
    const { content, marks, pages } = text;
    const passages = marks.slice(from, from + size).map(([start, end]): Passage => {
      const before = content.slice(cutAt(content, Math.max(0, start - CONTEXT)), start);
      const behind = content.slice(end, cutAt(content, Math.min(content.length, end + CONTEXT)));
      return { page: pageAt(start, pages), at: start, segments: [before, content.slice(start, end), behind] };
    });
    return { passages, total: marks.length };
  }

  async #marked(stored: StoredDocument, q: string, signal: AbortSignal): Promise<MarkedText> {
    const key = createHash('sha256')
      .update(JSON.stringify([stored.index, stored.id, stored.version, q]))
      .digest('base64');
    const known = this.#recent.get(key);
    this.#recent.delete(key);
    const text = known ?? (await this.#mark(stored, q, signal));
    this.#recent.set(key, text);
    this.#forget();
    return text;
  }

  async #mark({ index, id, version, source }: StoredDocument, q: string, signal: AbortSignal): Promise<MarkedText> {
    const { content = '', pages = [], file } = source as CrawlDocument;
    const truncated = file?.indexed_chars !== undefined && content.length >= file.indexed_chars;
    const plain = { content, pages, truncated, version, marks: [] };
    if (q.trim() === '' || content === '') return plain;
    const marks = randomMarks();
    // Every word counts for itself here: the document was chosen, whether it has all of them or not.
    const words = await this.#search.wordsQuery({ q, any: true }, ['content'], signal);
    const body = {
      query: { bool: { filter: [{ ids: { values: [id] } }], should: [words] } },
      size: 1,
      _source: false,
      highlight: {
        pre_tags: [marks.on],
        post_tags: [marks.off],
        fields: { content: { number_of_fragments: 0 } },
      },
    };
    const { hits } = await this.#search.run(body, signal, index);
    const marked = hits.hits[0]?.highlight?.['content']?.[0];
    return marked === undefined ? plain : { ...plain, ...placesOf(segmentsOf(marked, marks), content) };
  }

  #forget(): void {
    let characters = 0;
    const newest = [...this.#recent].reverse();
    for (const [at, [key, { content }]] of newest.entries()) {
      characters += content.length;
      if (at >= CACHED_TEXTS || (at > 0 && characters > CACHED_CHARACTERS)) this.#recent.delete(key);
    }
  }
}

/** Nothing is marked where the engine has shown another text than the one that is read. */
function placesOf(segments: Segments, content: string): { marks: readonly Mark[] } {
  const marks: Mark[] = [];
  // A cluster leaves out the white space around a text; those of a PDF begin with some.
  let at = content.indexOf(segments.join(''));
  if (at < 0 || content.slice(0, at).trim() !== '') return { marks };
  for (const [place, segment] of segments.entries()) {
    if (place % 2 === 1) marks.push([at, at + segment.length]);
    at += segment.length;
  }
  return { marks };
}

function pageBounds({ content, pages }: MarkedText, wanted: { page: number; pages: number }): [number, number] {
  if (pages.length === 0) return [0, MOST_CHARACTERS];
  const first = Math.min(wanted.page, pages.length);
  return [pages[first - 1] ?? 0, pages[first - 1 + wanted.pages] ?? content.length];
}

function countByPage({ marks, pages }: MarkedText): [page: number, marks: number][] {
  const counts = new Map<number, number>();
  for (const [start] of marks) {
    const page = pageAt(start, pages);
    if (page !== null) counts.set(page, (counts.get(page) ?? 0) + 1);
  }
  return [...counts];
}

function blocksOf(text: MarkedText, from: number, to: number): TextBlock[] {
  const starts = [from, ...text.pages.filter((start) => start > from && start < to), to];
  return starts.slice(0, -1).map((start, at) => {
    const end = starts[at + 1] ?? to;
    return { page: pageAt(start, text.pages), from: start, segments: cutSegments(text, start, end) };
  });
}

/** A mark that reaches beyond the piece is marked as far as it goes. */
function cutSegments({ content, marks }: MarkedText, from: number, to: number): Segments {
  const segments: string[] = [];
  let at = from;
  for (const [start, end] of marks) {
    if (end <= from || start >= to) continue;
    segments.push(content.slice(at, Math.max(start, from)), content.slice(Math.max(start, from), Math.min(end, to)));
    at = Math.min(end, to);
  }
  return [...segments, content.slice(at, to)];
}

function placeBefore({ pages }: MarkedText, from: number, length: number): TextPosition | null {
  if (from === 0) return null;
  const page = pages.filter((start) => start < from).length;
  if (page > 0) return { page };
  return { from: Math.max(0, from - Math.max(1, length)) };
}

/** The page that begins where the piece has ended, or the place itself in the middle of a page. */
function placeBehind({ content, pages }: MarkedText, to: number): TextPosition | null {
  if (to >= content.length) return null;
  const page = pages.indexOf(to);
  return page < 0 ? { from: to } : { page: page + 1 };
}

/** Not between the halves of a surrogate pair. */
function cutAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
