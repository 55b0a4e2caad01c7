const HIDDEN = /^<(style|script|title)\b/;

/**
 * True when an HTML text shows at least one letter or digit. A newsletter made of pictures alone does not, and its plain
 * alternative is then the better body. One pass without backtracking: mail is made by strangers.
 */
export function hasVisibleText(page: string): boolean {
  const html = page.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    const text = html.slice(at, tag === -1 ? html.length : tag);
    if (/[\p{L}\p{N}]/u.test(text.replace(/&#?\w+;/g, ''))) return true;
    if (tag === -1) return false;
    at = endOfMarkup(html, tag);
  }
  return false;
}

function endOfMarkup(html: string, tag: number): number {
  let end = '>';
  if (html.startsWith('<!--', tag)) end = '-->';
  else {
    const hidden = HIDDEN.exec(html.slice(tag, tag + 10))?.[1];
    if (hidden !== undefined) end = `</${hidden}`;
  }
  const found = html.indexOf(end, tag + 1);
  return found === -1 ? html.length : found + end.length;
}
