import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import { BodyText, type NoteKind } from '../../containers/ooxml/body-text.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';

/**
 * Footnotes, endnotes and comments: the texts of a part, by the id under which the document refers to them. Separators,
 * which are stored among the notes, are left out. Each text is handed out once, so that what nobody refers to can still
 * be written at the end.
 */
const parts: Readonly<Record<NoteKind, string>> = { footnote: 'footnotes', endnote: 'endnotes', comment: 'comments' };

export class Notes {
  readonly authors = new Set<string>();
  readonly #texts = new Map<string, string>();

  constructor(pack: OoxmlPackage, document: string) {
    for (const kind of ['footnote', 'endnote', 'comment'] as const) {
      const reader = new NoteReader(kind, this.#texts, this.authors);
      for (const part of pack.related(document, parts[kind])) pack.walk(part, reader);
    }
  }

  take(kind: NoteKind, id: string): string | undefined {
    const key = `${kind} ${id}`;
    const text = this.#texts.get(key);
    this.#texts.delete(key);
    return text;
  }

  get hasComments(): boolean {
    return this.authors.size > 0;
  }

  /** Texts that the document never referred to. */
  rest(kind: NoteKind): string[] {
    return Array.from(this.#texts)
      .filter(([key]) => key.startsWith(`${kind} `))
      .map(([, text]) => text);
  }
}

class NoteReader implements XmlVisitor {
  readonly #kind: NoteKind;
  readonly #texts: Map<string, string>;
  readonly #authors: Set<string>;
  readonly #body: BodyText;
  #id: string | undefined;
  #text = '';

  constructor(kind: NoteKind, texts: Map<string, string>, authors: Set<string>) {
    this.#kind = kind;
    this.#texts = texts;
    this.#authors = authors;
    this.#body = new BodyText({
      write: (text) => {
        this.#text += text;
      },
    });
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === this.#kind) this.#begin(attributes);
    else this.#body.open(name, attributes);
  }

  text(text: string): void {
    this.#body.text(text);
  }

  close(name: string): void {
    if (name !== this.#kind) {
      this.#body.close(name);
      return;
    }
    if (this.#id !== undefined) this.#texts.set(`${this.#kind} ${this.#id}`, this.#text);
    this.#id = undefined;
  }

  #begin(attributes: XmlAttributes): void {
    const type = attributes.get('type') ?? 'normal';
    this.#id = type === 'normal' ? (attributes.get('id') ?? '') : undefined;
    this.#text = '';
    const author = attributes.get('author');
    if (author !== undefined) this.#authors.add(author);
  }
}
