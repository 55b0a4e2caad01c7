import { Pattern } from '../base/pattern/pattern.js';

/**
 * A pattern of `fs.filters`, read as FSCrawler has Java's engine read it: searched for in the text, with `^` and `$` at every
 * line. Throws a SyntaxError when it cannot be compiled.
 */
export function contentPattern(text: string): Pattern {
  return new Pattern(text, 'part', { ignoreCase: false, dotAll: false, multiline: true });
}
