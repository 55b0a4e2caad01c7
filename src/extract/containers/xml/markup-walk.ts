import { Tokenizer } from 'htmlparser2';

/**
 * Tags and text of a page of HTML or XML in the order of the source. No tree is built and no stack is kept, because nothing
 * here needs to know which element a closing tag belongs to; so a page that never closes its elements costs no more than
 * another. Entities that a document declares itself are not expanded.
 */
export interface MarkupVisitor {
  /** HTML names come in lower case, XML names as they are written, with their prefix. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

export interface MarkupWalkOptions {
  /** In XHTML and XML `<script/>` is a whole element, in HTML it begins a script. */
  readonly mode: 'html' | 'xhtml' | 'xml';
  /** Names of the elements whose attributes are wanted. */
  readonly attributesOf: ReadonlySet<string>;
}

export class MarkupWalk {
  readonly #visitor: MarkupVisitor;
  readonly #options: MarkupWalkOptions;
  readonly #tokenizer: Tokenizer;
  /** The page from the end of the last token on: a token may begin in one piece and end in a later one. */
  #held = '';
  /** Of the first character held in the whole page. */
  #offset = 0;
  #lastEnd = 0;
  #name = '';
  #attribute = '';
  #attributes = new Map<string, string>();

  constructor(visitor: MarkupVisitor, options: MarkupWalkOptions) {
    this.#visitor = visitor;
    this.#options = options;
    const nothing = (): void => undefined;
    const passOver = (_start: number, end: number): void => void (this.#lastEnd = end);
    this.#tokenizer = new Tokenizer(
      { xmlMode: options.mode === 'xml', decodeEntities: true, recognizeSelfClosing: options.mode !== 'html' },
      {
        onopentagname: (start, end) => this.#openTag(this.#nameAt(start, end)),
        onattribname: (start, end) => this.#nameAttribute(this.#nameAt(start, end)),
        onattribdata: (start, end) => this.#addToAttribute(this.#slice(start, end)),
        onattribentity: (codePoint) => this.#addToAttribute(String.fromCodePoint(codePoint)),
        onopentagend: () => this.#visitor.open(this.#name, this.#attributes),
        onselfclosingtag: () => this.#selfClosingTag(),
        onclosetag: (start, end) => this.#visitor.close(this.#nameAt(start, end)),
        ontext: (start, end) => this.#visitor.text(this.#slice(start, end)),
        ontextentity: (codePoint) => this.#visitor.text(String.fromCodePoint(codePoint)),
        oncdata: (start, end, endOffset) => this.#visitor.text(this.#slice(start, end - endOffset)),
        onattribend: nothing,
        oncomment: passOver,
        ondeclaration: passOver,
        onprocessinginstruction: passOver,
        onend: nothing,
      },
    );
  }

  write(piece: string): void {
    const done = Math.max(0, this.#lastEnd - this.#offset);
    this.#held = this.#held.slice(done) + piece;
    this.#offset += done;
    this.#tokenizer.write(piece);
  }

  end(): void {
    this.#tokenizer.end();
  }

  #openTag(name: string): void {
    this.#name = name;
    this.#attribute = '';
    if (this.#attributes.size > 0) this.#attributes = new Map();
  }

  #nameAttribute(name: string): void {
    this.#attribute = this.#options.attributesOf.has(this.#name) && !this.#attributes.has(name) ? name : '';
    if (this.#attribute !== '') this.#attributes.set(name, '');
  }

  #addToAttribute(text: string): void {
    if (this.#attribute === '') return;
    this.#attributes.set(this.#attribute, (this.#attributes.get(this.#attribute) ?? '') + text);
  }

  #selfClosingTag(): void {
    this.#visitor.open(this.#name, this.#attributes);
    if (this.#options.mode !== 'html') this.#visitor.close(this.#name);
  }

  #nameAt(start: number, end: number): string {
    const name = this.#slice(start, end);
    return this.#options.mode === 'xml' ? name : name.toLowerCase();
  }

  #slice(start: number, end: number): string {
    this.#lastEnd = end;
    return this.#held.slice(start - this.#offset, end - this.#offset);
  }
}
