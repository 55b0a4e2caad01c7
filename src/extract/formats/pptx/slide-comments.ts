import type { FormatContext } from '../../format.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';

export interface CommentAuthor {
  readonly name: string;
  readonly initials: string | undefined;
}

/** Everybody who commented, by id; in the classic and in the modern form of comments. */
export function readCommentAuthors(pack: OoxmlPackage, presentation: string): Map<string, CommentAuthor> {
  const authors = new Map<string, CommentAuthor>();
  for (const part of [...pack.related(presentation, 'commentAuthors'), ...pack.related(presentation, 'authors')]) {
    pack.walk(part, {
      open: (name, attributes) => {
        if (name !== 'cmAuthor' && name !== 'author') return;
        const author = { name: attributes.get('name') ?? '', initials: attributes.get('initials') };
        authors.set(attributes.get('id') ?? '', author);
      },
    });
  }
  return authors;
}

/** A line for each comment on a slide, who and then what, followed by the replies to it. */
export function writeComments(
  pack: OoxmlPackage,
  part: string,
  authors: ReadonlyMap<string, CommentAuthor>,
  context: FormatContext,
): void {
  /** The open comment and, inside of it, the open reply. */
  const open: string[] = [];
  const replies: string[] = [];
  pack.walk(part, {
    open: (name, attributes) => {
      if (isComment(name)) open.push(signature(authors.get(attributes.get('authorId') ?? '')));
    },
    text: (text) => {
      if (open.length > 0) open.push((open.pop() ?? '') + text);
    },
    close: (name) => {
      if (!isComment(name)) return;
      const line = `${open.pop() ?? ''}\n`;
      if (open.length > 0) replies.push(line);
      else context.write(line + replies.splice(0).join(''));
    },
  });
}

function isComment(name: string): boolean {
  return name === 'cm' || name === 'reply';
}

function signature(author: CommentAuthor | undefined): string {
  if (author === undefined) return '';
  return author.initials === undefined ? `${author.name} ` : `${author.name} (${author.initials}) `;
}
