import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { RichString } from './rich-string.js';

/** The comments of a sheet, by cell, as `author: text`. */
export function readComments(pack: OoxmlPackage, sheet: string): Map<string, string> {
  const comments = new Map<string, string>();
  for (const part of pack.related(sheet, 'comments')) readPart(pack, part, comments);
  return comments;
}

function readPart(pack: OoxmlPackage, part: string, comments: Map<string, string>): void {
  const authors: string[] = [];
  const current = new RichString();
  let author: string | undefined;
  let cell = '';
  pack.walk(part, {
    open: (name, attributes) => {
      current.open(name);
      if (name === 'author') author = '';
      if (name !== 'comment') return;
      cell = attributes.get('ref') ?? '';
      current.take();
      const known = authors[Number(attributes.get('authorId') ?? -1)];
      comments.set(cell, known === undefined ? '' : `${known}: `);
    },
    text: (text) => {
      current.text(text);
      if (author !== undefined) author += text;
    },
    close: (name) => {
      current.close(name);
      if (name === 'comment') comments.set(cell, (comments.get(cell) ?? '') + current.take());
      if (name !== 'author') return;
      authors.push(author ?? '');
      author = undefined;
    },
  });
}
