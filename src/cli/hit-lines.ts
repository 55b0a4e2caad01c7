import { printable } from '../base/printable.js';
import type { Hit } from '../engine/engine.js';
import type { CrawlDocument } from '../model/document.js';
import { pageOfFragment, USUAL_MARKS, type Marks } from '../model/pages.js';

/** A hit as one line of JSON. */
export function jsonLine(hit: Hit): string {
  const { _index: index, _id: id, _score: score, _source: source, highlight } = hit;
  return `${JSON.stringify({ index, id, score, source, highlight, page: pageOf(hit, USUAL_MARKS) })}\n`;
}

/** Undefined for documents without pages, and for hits that are not in the text. */
function pageOf({ _source: source, highlight }: Hit, marks: Marks): number | undefined {
  const fragment = highlight?.['content']?.[0];
  const { content, pages } = (source ?? {}) as Pick<CrawlDocument, 'content' | 'pages'>;
  if (fragment === undefined || content === undefined || pages === undefined) return undefined;
  return pageOfFragment(content, pages, fragment, marks);
}

/** A hit for people: where it is, and the words around it. */
export function textLines(hit: Hit): string {
  const snippet = hit.highlight?.['content']?.[0]?.replace(/\s+/g, ' ').trim();
  const page = pageOf(hit, mark());
  const place = page === undefined ? '' : `, page ${page}`;
  return `${printable(pathOf(hit._source))}${place}\n${snippet === undefined ? '' : `    ${printableSnippet(snippet)}\n`}`;
}

/** The marks of a hit stay, whatever else is in the text. */
function printableSnippet(snippet: string): string {
  const { on, off } = mark();
  return snippet
    .split(on)
    .map((part) => part.split(off).map(printable).join(off))
    .join(on);
}

export function pathOf(source: Hit['_source']): string {
  const path = source?.['path'] as { real?: string } | undefined;
  const file = source?.['file'] as { filename?: string } | undefined;
  return path?.real ?? file?.filename ?? '(no path)';
}

/** How a hit is marked in its snippet: bold on a terminal, brackets elsewhere. */
export function mark(): Marks {
  return process.stdout.isTTY ? { on: '\u001b[1m', off: '\u001b[0m' } : { on: '[', off: ']' };
}
