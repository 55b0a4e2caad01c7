import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { recordsOf } from './binary-workbook.js';

const AUTHOR = 632;
const BEGIN_COMMENT = 635;
const COMMENT_TEXT = 637;

/** The comments of a sheet as `author: text`. */
export function readBinaryComments(pack: OoxmlPackage, sheet: string): string[] {
  const comments: string[] = [];
  for (const part of pack.related(sheet, 'comments')) {
    const authors: string[] = [];
    let author = '';
    for (const { type, data } of recordsOf(pack, part)) {
      if (type === AUTHOR) authors.push(data.string());
      else if (type === BEGIN_COMMENT) author = authors[data.uint32()] ?? '';
      else if (type === COMMENT_TEXT) {
        data.skip(1);
        comments.push(`${author}: ${data.string()}`);
      }
    }
  }
  return comments;
}
