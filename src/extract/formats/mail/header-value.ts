import { decodeWords } from 'postal-mime';
import { decodeAs } from './declared-charset.js';

/**
 * A structured header value such as
 *
 *     attachment; filename="report.pdf"; size=1234
 *     attachment; filename*=UTF-8''b%C3%A9b%C3%A9.pdf             (RFC 2231, a charset)
 *     attachment; filename*0="a very long "; filename*1="name.pdf" (RFC 2231, in pieces)
 *     attachment; filename="=?utf-8?B?YsOpYsOpLnBkZg==?="          (not allowed, and everywhere)
 */
export interface HeaderValue {
  /** What stands in front of the first semicolon, in lower case, without comments. */
  readonly value: string;
  /** Names in lower case, values decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([^\s=;"*]+)(\*\d+)?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

export function parseHeaderValue(text: string): HeaderValue {
  const semicolon = text.indexOf(';');
  const head = semicolon === -1 ? text : text.slice(0, semicolon);
  const pieces = new Map<string, Piece[]>();
  for (const match of semicolon === -1 ? [] : text.slice(semicolon).matchAll(PARAMETER)) {
    const [, name = '', index = '*0', encoded, quoted, plain = ''] = match;
    const value = quoted === undefined ? withoutComment(plain).trim() : quoted.replace(/\\(.)/g, '$1');
    const list = pieces.get(name.toLowerCase()) ?? [];
    list.push({ index: Number(index.slice(1)), encoded: encoded !== undefined, value });
    pieces.set(name.toLowerCase(), list);
  }
  return { value: withoutComment(head).trim().toLowerCase(), parameters: new Map([...pieces].map(toParameter)) };
}

interface Piece {
  readonly index: number;
  readonly encoded: boolean;
  readonly value: string;
}

function toParameter([name, pieces]: [string, Piece[]]): [string, string] {
  const inOrder = pieces.toSorted((a, b) => a.index - b.index);
  if (!inOrder.some((piece) => piece.encoded)) {
    return [name, decodeWords(inOrder.map((piece) => piece.value).join(''))];
  }
  // Only the first piece names the charset: charset'language'text.
  const [, charset = 'utf-8', rest] = /^([^']*)'[^']*'(.*)$/s.exec(inOrder[0]?.value ?? '') ?? [];
  const bytes = inOrder.map((piece, i) => {
    const value = i === 0 ? (rest ?? piece.value) : piece.value;
    return piece.encoded ? percentBytes(value) : Buffer.from(value, 'utf8');
  });
  const whole = Buffer.concat(bytes);
  return [name, decodeAs(whole, charset) ?? whole.toString('utf8')];
}

function percentBytes(text: string): Buffer {
  const bytes: number[] = [];
  for (const [, hex, other] of text.matchAll(/%([0-9a-f]{2})|([^])/gi)) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(...Buffer.from(other ?? '', 'utf8'));
  }
  return Buffer.from(bytes);
}

function withoutComment(text: string): string {
  const open = text.indexOf('(');
  return open === -1 || /[^\s]/.test(text.slice(open).replace(/^\([^()]*\)/, '')) ? text : text.slice(0, open);
}
