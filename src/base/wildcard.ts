/**
 * Whether a text fits a pattern in which `*` is any run of characters and everything else stands for itself. Patterns come
 * from strangers: unlike a regular expression, this never goes back.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of more) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
