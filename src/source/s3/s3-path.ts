/**
 * Keys as paths. A bucket has no folders: a key is a name with slashes in it, and a folder is what keys have in common up
 * to a slash. The path of a key is `/` and the key.
 *
 * A key may have empty parts (`a//b`, `/a`, `a/`), which no path has. They are shown as `\x2F`, the way in which names show
 * bytes that are no text: `a//b` is `/a/\x2F/b`.
 */
const EMPTY_PART = '\\x2F';

/** The key of a file. */
export function keyOf(path: string): string {
  const parts = path.replace(/^\//, '').split('/');
  return parts.map((part) => (part === EMPTY_PART ? '' : part)).join('/');
}

/** What the keys in a folder begin with. */
export function prefixOf(folder: string): string {
  return folder === '/' || folder === '' ? '' : `${keyOf(folder)}/`;
}

/** A part of a key as the name of a file or folder. */
export function nameOf(part: string): string {
  return part === '' ? EMPTY_PART : part;
}
