import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { decodeXmlEntities, xmlPieces } from './xml-source.js';

/**
 * Streaming XML for document formats: a visitor hears of elements and text in document order.
 *
 * Names come without their namespace prefix, since prefixes are the producer's choice. Entities are the five of XML and
 * numeric ones; nothing that a document type declares is expanded. Faults are forgiven: a closing tag without an opening
 * one is ignored, elements left open are closed by their parent or at the end, so `open` and `close` always pair up.
 *
 * htmlparser2's tokenizer is used without its parser, whose stack costs more with every level of nesting.
 */
export interface XmlVisitor {
  /** `qualified` is the name with its prefix. */
  open?(name: string, attributes: XmlAttributes, qualified: string): void;
  close?(name: string): void;
  /** CDATA is text. Text between two tags comes in one call, unless it is longer than 64 K characters. */
  text?(text: string): void;
  /** Asked between pieces of the source; true ends the walk. Elements still open are closed. */
  readonly done?: boolean;
}

/** Valid only during the call that hands it over. */
export interface XmlAttributes {
  /** By local name; an attribute without prefix wins over one with a prefix. */
  get(name: string): string | undefined;
  /** By local name, among those that have a prefix: `r:id` beside `id`. */
  prefixed(name: string): string | undefined;
}

/** Elements below this depth are passed over, their text is not. No producer nests like that. */
const MAX_DEPTH = 4096;

/** Bytes are decoded by byte order mark, then by the XML declaration, then as UTF-8. */
export function parseXml(source: Uint8Array | string, visitor: XmlVisitor): void {
  const walk = new XmlWalk(visitor);
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, walk);
  for (const piece of xmlPieces(source)) {
    if (visitor.done === true) break;
    walk.add(piece);
    tokenizer.write(piece);
  }
  if (visitor.done !== true) tokenizer.end();
  walk.closeAll();
}

/** With entities left to us the tokenizer never reports any, and the end of an attribute says nothing new. */
function nothing(): void {
  return undefined;
}

class XmlWalk implements TokenizerCallbacks {
  readonly onattribentity = nothing;
  readonly ontextentity = nothing;
  readonly onattribend = nothing;
  readonly onend = nothing;
  readonly #visitor: XmlVisitor;
  readonly #attributes = new AttributeList();
  readonly #locals = new Map<string, string>();
  readonly #stack: string[] = [];
  /** How often each name is on the stack, so that a stray closing tag does not search it. */
  readonly #openCounts = new Map<string, number>();
  #passedOver = 0;
  #name = '';
  #qualified = '';
  #piece = '';
  /** Of the current piece's first character in the whole source; the tokenizer counts from there. */
  #offset = 0;
  /** Pieces before the current one in which a token may have started: a comment or CDATA section that spans pieces. */
  #earlier = '';
  #lastTokenEnd = 0;

  constructor(visitor: XmlVisitor) {
    this.#visitor = visitor;
  }

  add(piece: string): void {
    this.#earlier = this.#lastTokenEnd > this.#offset ? this.#piece : this.#earlier + this.#piece;
    this.#offset += this.#piece.length;
    this.#piece = piece;
  }

  closeAll(): void {
    while (this.#stack.length > 0) this.#pop();
  }

  onopentagname(start: number, end: number): void {
    this.#qualified = this.#slice(start, end);
    this.#name = this.#localOf(this.#qualified);
    this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.#attributes.add(this.#slice(start, end));
  }

  onattribdata(start: number, end: number): void {
    this.#attributes.append(this.#slice(start, end));
  }

  onopentagend(): void {
    if (this.#stack.length >= MAX_DEPTH) {
      this.#passedOver++;
      return;
    }
    this.#stack.push(this.#name);
    this.#openCounts.set(this.#name, (this.#openCounts.get(this.#name) ?? 0) + 1);
    this.#visitor.open?.(this.#name, this.#attributes, this.#qualified);
  }

  onselfclosingtag(): void {
    if (this.#stack.length >= MAX_DEPTH) return;
    this.#visitor.open?.(this.#name, this.#attributes, this.#qualified);
    this.#visitor.close?.(this.#name);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#localOf(this.#slice(start, end));
    if (this.#passedOver > 0) {
      this.#passedOver--;
      return;
    }
    if ((this.#openCounts.get(name) ?? 0) === 0) return;
    while (this.#pop() !== name);
  }

  ontext(start: number, end: number): void {
    this.#visitor.text?.(decodeXmlEntities(this.#slice(start, end)));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#visitor.text?.(this.#slice(start, end - endOffset));
  }

  oncomment(_start: number, end: number): void {
    this.#lastTokenEnd = end;
  }

  ondeclaration(_start: number, end: number): void {
    this.#lastTokenEnd = end;
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#lastTokenEnd = end;
  }

  #pop(): string {
    const name = this.#stack.pop() ?? '';
    this.#openCounts.set(name, (this.#openCounts.get(name) ?? 1) - 1);
    this.#visitor.close?.(name);
    return name;
  }

  #slice(start: number, end: number): string {
    this.#lastTokenEnd = end;
    const from = start - this.#offset;
    if (from >= 0) return this.#piece.slice(from, end - this.#offset);
    const source = this.#earlier + this.#piece;
    return source.slice(from + this.#earlier.length, end - this.#offset + this.#earlier.length);
  }

  #localOf(name: string): string {
    const known = this.#locals.get(name);
    if (known !== undefined) return known;
    const local = name.slice(name.indexOf(':') + 1);
    if (this.#locals.size < MAX_DEPTH) this.#locals.set(name, local);
    return local;
  }
}

/** The arrays keep their places from element to element: emptying them for each costs more than the rest of the walk. */
class AttributeList implements XmlAttributes {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  add(name: string): void {
    this.#names[this.#count] = name;
    this.#values[this.#count] = '';
    this.#count++;
  }

  append(data: string): void {
    const last = this.#count - 1;
    this.#values[last] = (this.#values[last] ?? '') + data;
  }

  get(name: string): string | undefined {
    for (let index = 0; index < this.#count; index++) if (this.#names[index] === name) return this.#value(index);
    return this.prefixed(name);
  }

  prefixed(name: string): string | undefined {
    for (let index = 0; index < this.#count; index++) {
      const each = this.#names[index] ?? '';
      if (each.endsWith(name) && isPrefix(each, each.length - name.length - 1)) return this.#value(index);
    }
    return undefined;
  }

  #value(index: number): string {
    return decodeXmlEntities(this.#values[index] ?? '');
  }
}

/** Namespace declarations (`xmlns:r`) are not attributes called `r`. */
function isPrefix(name: string, colon: number): boolean {
  return colon > 0 && name[colon] === ':' && !name.startsWith('xmlns:');
}
