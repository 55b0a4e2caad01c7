import type { OoxmlPackage } from '../../containers/ooxml/package.js';

/** The threads of newer comments on a sheet: question and answers, each a text of its own. */
export function readThreadedComments(pack: OoxmlPackage, sheet: string): string[] {
  const comments: string[] = [];
  for (const part of pack.related(sheet, 'threadedComment')) {
    let text: string | undefined;
    pack.walk(part, {
      open: (name) => {
        if (name === 'text') text = '';
      },
      text: (piece) => {
        if (text !== undefined) text += piece;
      },
      close: (name) => {
        if (name !== 'text' || text === undefined) return;
        comments.push(text);
        text = undefined;
      },
    });
  }
  return comments;
}
