import type { PdfDict, PdfStream, PdfValue } from './pdf-value.js';

/**
 * Reads PDF syntax from bytes: numbers, (strings), <hex>, /Names, [arrays], <<dictionaries>>, `n g R` references and the
 * place where a stream's data begin. What cannot be read becomes null, so that damage stays where it is.
 */
const MAX_DEPTH = 64;

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set(Buffer.from('()<>[]{}/%'));

type Token =
  | { readonly type: 'value'; readonly value: PdfValue }
  | { readonly type: 'keyword'; readonly word: string }
  | { readonly type: 'end' };

export class PdfLexer {
  position: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.position = position;
  }

  /** The next object. Null at the end, and for a word that is no object. */
  value(depth = 0): PdfValue {
    const token = this.#token(depth);
    if (token.type !== 'value') return token.type === 'keyword' ? constant(token.word) : null;
    return typeof token.value === 'number' ? this.#maybeReference(token.value) : token.value;
  }

  /** The next word that is no delimiter, such as `obj`, `trailer`, `12`; empty at the end or before a delimiter. */
  word(): string {
    this.skipWhite();
    const start = this.position;
    while (this.position < this.#bytes.length && isRegular(this.#bytes[this.position])) this.position++;
    return latin1(this.#bytes.subarray(start, this.position));
  }

  skipWhite(): void {
    const bytes = this.#bytes;
    while (this.position < bytes.length) {
      const byte = bytes[this.position];
      if (byte === 0x25) {
        while (this.position < bytes.length && bytes[this.position] !== 10 && bytes[this.position] !== 13)
          this.position++;
      } else if (byte !== undefined && WHITE.has(byte)) this.position++;
      else return;
    }
  }

  /** An object after its `n g obj`: a dictionary that is followed by `stream` becomes a stream. */
  indirect(): PdfValue {
    const value = this.value();
    if (typeof value !== 'object' || value?.kind !== 'dict') return value;
    const after = this.position;
    if (this.word() !== 'stream') {
      this.position = after;
      return value;
    }
    if (this.#bytes[this.position] === 13) this.position++;
    if (this.#bytes[this.position] === 10) this.position++;
    return { kind: 'stream', dict: value, start: this.position } satisfies PdfStream;
  }

  #token(depth: number): Token {
    this.skipWhite();
    const byte = this.#bytes[this.position];
    if (byte === undefined) return { type: 'end' };
    switch (byte) {
      case 0x28:
        return { type: 'value', value: { kind: 'string', bytes: this.#literalString() } };
      case 0x2f:
        return { type: 'value', value: { kind: 'name', name: this.#name() } };
      case 0x5b:
        return { type: 'value', value: { kind: 'array', items: this.#array(depth) } };
      case 0x3c:
        if (this.#bytes[this.position + 1] === 0x3c) return { type: 'value', value: this.#dict(depth) };
        return { type: 'value', value: { kind: 'string', bytes: this.#hexString() } };
      default:
        return this.#regular(byte);
    }
  }

  #regular(byte: number): Token {
    if (DELIMITERS.has(byte)) {
      this.position += byte === 0x3e && this.#bytes[this.position + 1] === 0x3e ? 2 : 1;
      return { type: 'keyword', word: String.fromCharCode(byte) };
    }
    const word = this.word();
    const number = /^[+-]*[\d.]/.test(word) ? Number.parseFloat(word.replace(/^[+-]*(?=[+-])/, '')) : Number.NaN;
    return Number.isNaN(number) ? { type: 'keyword', word } : { type: 'value', value: number };
  }

  #maybeReference(number: number): PdfValue {
    if (!Number.isInteger(number) || number < 0) return number;
    const after = this.position;
    if (/^\d+$/.test(this.word()) && this.word() === 'R') return { kind: 'reference', number };
    this.position = after;
    return number;
  }

  #array(depth: number): PdfValue[] {
    this.position++;
    const items: PdfValue[] = [];
    while (depth < MAX_DEPTH) {
      this.skipWhite();
      const start = this.position;
      const token = this.#token(depth + 1);
      if (token.type === 'end' || (token.type === 'keyword' && token.word === ']')) break;
      if (token.type === 'keyword' && isStructural(token.word)) {
        this.position = start;
        break;
      }
      if (token.type === 'keyword') items.push(constant(token.word));
      else items.push(typeof token.value === 'number' ? this.#maybeReference(token.value) : token.value);
    }
    return items;
  }

  #dict(depth: number): PdfDict {
    this.position += 2;
    const entries = new Map<string, PdfValue>();
    while (depth < MAX_DEPTH) {
      this.skipWhite();
      const start = this.position;
      const token = this.#token(depth + 1);
      if (token.type === 'end') break;
      if (token.type === 'keyword') {
        if (token.word === '>') break;
        if (isStructural(token.word)) {
          this.position = start;
          break;
        }
        continue;
      }
      const key = token.value;
      if (typeof key === 'object' && key?.kind === 'name') entries.set(key.name, this.#entry(depth));
    }
    return { kind: 'dict', entries };
  }

  /** A value of a dictionary; a missing one (`/Key >>`) leaves the end of the dictionary where it is. */
  #entry(depth: number): PdfValue {
    this.skipWhite();
    if (this.#bytes[this.position] === 0x3e) return null;
    return this.value(depth + 1);
  }

  #name(): string {
    this.position++;
    const start = this.position;
    while (this.position < this.#bytes.length && isRegular(this.#bytes[this.position])) this.position++;
    const raw = latin1(this.#bytes.subarray(start, this.position));
    if (!raw.includes('#')) return raw;
    return raw.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #hexString(): Uint8Array {
    this.position++;
    const start = this.position;
    const end = this.#bytes.indexOf(0x3e, start);
    this.position = end < 0 ? this.#bytes.length : end + 1;
    const hex = latin1(this.#bytes.subarray(start, end < 0 ? this.#bytes.length : end)).replace(/[^\da-f]/gi, '');
    return Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex');
  }

  #literalString(): Uint8Array {
    this.position++;
    const out: number[] = [];
    let open = 1;
    while (this.position < this.#bytes.length) {
      const byte = this.#bytes[this.position++] ?? 0;
      if (byte === 0x5c) this.#escape(out);
      else {
        if (byte === 0x28) open++;
        else if (byte === 0x29 && --open === 0) break;
        out.push(byte);
      }
    }
    return Uint8Array.from(out);
  }

  #escape(out: number[]): void {
    const byte = this.#bytes[this.position++];
    if (byte === undefined) return;
    const plain = ESCAPES.get(byte);
    if (plain !== undefined) out.push(plain);
    else if (byte >= 0x30 && byte <= 0x37) out.push(this.#octal(byte - 0x30));
    else if (byte === 13) {
      if (this.#bytes[this.position] === 10) this.position++;
    } else if (byte !== 10) out.push(byte);
  }

  #octal(first: number): number {
    let value = first;
    for (let digits = 1; digits < 3; digits++) {
      const byte = this.#bytes[this.position];
      if (byte === undefined || byte < 0x30 || byte > 0x37) break;
      value = value * 8 + byte - 0x30;
      this.position++;
    }
    return value & 0xff;
  }
}

/** What follows a backslash: n, r, t, b, f. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
]);

function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte);
}

/** Words that end an object: a dictionary or an array that runs into one was never closed. */
function isStructural(word: string): boolean {
  return word === 'endobj' || word === 'endstream' || word === 'stream' || word === 'obj' || word === 'xref';
}

function constant(word: string): PdfValue {
  if (word === 'true') return true;
  return word === 'false' ? false : null;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
