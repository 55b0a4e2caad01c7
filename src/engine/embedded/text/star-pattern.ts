/**
 * Whether a name fits a pattern with `*`, which stands for any run of characters. Patterns come from requests and names from
 * documents, so nothing is tried twice: each piece between two stars is taken where it is found first.
 */
export function fitsStars(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
