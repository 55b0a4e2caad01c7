import { baseName, parentPath } from '../base/path.js';
import type { Hit } from '../engine/engine.js';
import type { CrawlDocument } from '../model/document.js';
import { segmentsOf, type RandomMarks, type Segments } from './segments.js';
import { familyOf, type TypeFamily } from './type-families.js';

/** A passage of a document's text with the words that were found. */
export interface Snippet {
  /** Counted from 1; null for a document without pages. */
  readonly page: number | null;
  /** Characters of the text before the passage; null where that is not known. */
  readonly at: number | null;
  readonly segments: Segments;
}

/** What a list of hits shows of a document. */
export interface FoundHit {
  readonly id: string;
  readonly index: string;
  readonly score: number | null;
  readonly name: string;
  readonly title: string | null;
  /** Below the root of the job, with `/`. */
  readonly folder: string | null;
  readonly path: string | null;
  readonly type: TypeFamily;
  readonly content_type: string | null;
  /** Bytes. */
  readonly size: number | null;
  readonly modified: string | null;
  readonly author: string | null;
  readonly language: string | null;
  /** Why (part of) the text is missing. */
  readonly problem: string | null;
  readonly origin: 'crawl' | 'upload';
  readonly pages: number | null;
  readonly marks: { readonly name?: Segments; readonly title?: Segments };
  readonly snippets: readonly Snippet[];
}

/** The parts of a document that a hit is made of. */
export const HIT_FIELDS = ['file', 'path', 'meta.title', 'meta.author', 'meta.language', 'pages'];

/** @param content the text, where the places of passages are wanted */
export function foundHit(hit: Hit, marks: RandomMarks, content: string | undefined): FoundHit {
  const document = (hit._source ?? {}) as CrawlDocument;
  const marked = (field: string): Segments | undefined => {
    const text = hit.highlight?.[field]?.[0];
    return text === undefined ? undefined : segmentsOf(text, marks);
  };
  const name = marked('file.filename');
  const title = marked('meta.title');
  const fragments = hit.highlight?.['content'] ?? [];
  return {
    id: hit._id,
    index: hit._index,
    score: hit._score,
    ...documentFacts(document, hit._id),
    marks: { ...(name === undefined ? {} : { name }), ...(title === undefined ? {} : { title }) },
    snippets: fragments.map((fragment) => snippetOf(segmentsOf(fragment, marks), document.pages, content)),
  };
}

export type DocumentFacts = Omit<FoundHit, 'id' | 'index' | 'score' | 'marks' | 'snippets'>;

export function documentFacts(
  { file = {}, path = {}, meta = {}, pages = [] }: CrawlDocument,
  id: string,
): DocumentFacts {
  const title = textOf(meta['title']);
  return {
    name: nameOf(file.filename, path.virtual) ?? title ?? id,
    title,
    folder: path.virtual === undefined || path.root === undefined ? null : folderOf(path.virtual),
    path: orNull(path.real),
    type: familyOf(file.content_type),
    content_type: orNull(file.content_type),
    size: orNull(file.filesize),
    modified: orNull(file.last_modified),
    author: textOf(meta['author']),
    language: textOf(meta['language']),
    problem: orNull(file.problem),
    // Only a crawled document lies in a folder.
    origin: path.root === undefined ? 'upload' : 'crawl',
    pages: pages.length === 0 ? null : pages.length,
  };
}

function nameOf(filename: string | undefined, virtual: string | undefined): string | undefined {
  return filename ?? (virtual === undefined ? undefined : baseName(virtual));
}

function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}

function folderOf(virtual: string): string {
  return (parentPath(virtual) ?? '/').replaceAll('\\', '/');
}

function snippetOf(segments: Segments, pages: readonly number[] | undefined, content: string | undefined): Snippet {
  const at = content?.indexOf(segments.join('')) ?? -1;
  if (at < 0) return { page: null, at: null, segments };
  const place = at + (segments[0]?.length ?? 0);
  return { page: pageAt(place, pages), at, segments };
}

/** The page of a character of the text, counted from 1. */
export function pageAt(place: number, pages: readonly number[] | undefined): number | null {
  if (pages === undefined || pages.length === 0) return null;
  return Math.max(1, pages.filter((start) => start <= place).length);
}

function textOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first : null;
}
