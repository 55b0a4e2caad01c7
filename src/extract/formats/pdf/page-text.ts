/**
 * Text as PDFium gives it, made like the rest of the program's text: lines end in LF, hyphens at a line's end, which come
 * as U+FFFE or U+0002, are hyphens again, other control characters are gone.
 */
export function cleanPageText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\ufffe\p{Cc}]/gu, (character) => REPLACED.get(character) ?? '');
}

const REPLACED: ReadonlyMap<string, string> = new Map([
  ['\n', '\n'],
  ['\t', '\t'],
  ['\u0002', '-'],
  ['\ufffe', '-'],
]);
