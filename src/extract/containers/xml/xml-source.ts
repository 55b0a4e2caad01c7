import { StringDecoder } from 'node:string_decoder';

/** Turns the bytes of an XML document into text, piece by piece, and resolves its character references. */
const PIECE = 64 * 1024;
const DECLARATION_LENGTH = 256;
const ENTITY_LENGTH = 12;
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Pieces end before a `<` wherever possible, so that tags, attributes and most texts never span two of them. A piece may
 * be longer than 64 K when there is no such place.
 */
export function* xmlPieces(source: Uint8Array | string): Generator<string> {
  let rest = '';
  for (const chunk of typeof source === 'string' ? stringChunks(source) : decodedChunks(source)) {
    const text = rest === '' ? chunk : rest + chunk;
    const end = cutPoint(text);
    if (end > 0) yield text.slice(0, end);
    rest = text.slice(end);
  }
  if (rest !== '') yield rest;
}

/** The five entities of XML and numeric references; anything else stays as it is written. */
export function decodeXmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#[xX]([\da-fA-F]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/g, replaceEntity);
}

function replaceEntity(whole: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name] ?? whole;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function cutPoint(text: string): number {
  const tag = text.lastIndexOf('<');
  if (tag > 0) return tag;
  if (text.length < PIECE) return 0;
  const entity = text.lastIndexOf('&');
  return entity > text.length - ENTITY_LENGTH ? entity : text.length;
}

function* stringChunks(source: string): Generator<string> {
  for (let position = 0; position < source.length; position += PIECE) yield source.slice(position, position + PIECE);
}

function* decodedChunks(source: Uint8Array): Generator<string> {
  const encoding = encodingOf(source);
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  const start = encoding.markLength;
  if (encoding.label === 'utf-8') {
    yield* utf8Chunks(bytes.subarray(start));
    return;
  }
  const decoder = new TextDecoder(encoding.label);
  for (let position = start; position < bytes.length; position += PIECE) {
    yield decoder.decode(bytes.subarray(position, position + PIECE), { stream: true });
  }
  yield decoder.decode();
}

function* utf8Chunks(bytes: Buffer): Generator<string> {
  if (bytes.length <= PIECE) {
    yield bytes.toString('utf8');
    return;
  }
  const decoder = new StringDecoder('utf8');
  for (let position = 0; position < bytes.length; position += PIECE) {
    yield decoder.write(bytes.subarray(position, position + PIECE));
  }
  yield decoder.end();
}

function encodingOf(bytes: Uint8Array): { label: string; markLength: number } {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { label: 'utf-8', markLength: 3 };
  if (first === 0xff && second === 0xfe) return { label: 'utf-16le', markLength: 2 };
  if (first === 0xfe && second === 0xff) return { label: 'utf-16be', markLength: 2 };
  if (first === 0x3c && second === 0) return { label: 'utf-16le', markLength: 0 };
  if (first === 0 && second === 0x3c) return { label: 'utf-16be', markLength: 0 };
  return { label: declaredEncoding(bytes), markLength: 0 };
}

function declaredEncoding(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_LENGTH)).toString('latin1');
  const label = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
  // A declaration that can be read byte by byte does not belong to UTF-16, whatever it says.
  if (label.startsWith('utf-16') || label === 'utf8') return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
