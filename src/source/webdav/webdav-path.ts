import { RemoteNames } from '../remote-names.js';

/**
 * Paths of a tree as paths of URLs, and back. Names are UTF-8 on the wire, percent-encoded; bytes that are not are shown
 * as `\xHH`, as in the other sources.
 */
const names = new RemoteNames(false);

/** How a path may be written in a request, the likely form first: nearly always there is one. */
export function* requestPaths(base: string, path: string, isFolder: boolean): Generator<string, void, undefined> {
  for (const bytes of names.encodings(path.replace(/^\/+|\/+$/g, ''))) {
    const encoded = percentEncoded(bytes);
    yield `${base}${encoded === '' ? '' : `/${encoded}`}${isFolder ? '/' : ''}` || '/';
  }
}

/** Everything but slashes, letters, digits and `-_.~` as hexadecimal bytes. */
function percentEncoded(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9\-_.~/]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * The parts of a path in an answer, as names. Servers write an absolute path, a whole address (also that of another host,
 * when a proxy stands in front of them), with or without encoding what they should. Nothing is resolved: a `..` is a name
 * like any other, and is refused by whoever compares.
 */
export function partsOfHref(href: string): readonly string[] {
  const path = href
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '');
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

export function isFolderHref(href: string): boolean {
  return href
    .trim()
    .replace(/[?#].*$/s, '')
    .endsWith('/');
}

function decoded(part: string): string {
  const bytes: Buffer[] = [];
  let from = 0;
  for (const match of part.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    bytes.push(Buffer.from(part.slice(from, match.index), 'utf8'));
    bytes.push(Buffer.from(match[0].replaceAll('%', ''), 'hex'));
    from = match.index + match[0].length;
  }
  return names.decode(Buffer.concat([...bytes, Buffer.from(part.slice(from), 'utf8')]));
}
