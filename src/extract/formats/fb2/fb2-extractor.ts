import { parseXml, type XmlAttributes, type XmlVisitor } from '../../containers/xml/xml.js';
import type { EmbeddedPart, FormatContext, FormatInput } from '../../format.js';

/**
 * FictionBook: one XML file with a description, bodies (the book, then its notes) and pictures in base64. The description
 * is text too, as Tika has it, and the parts of it that have a key become metadata.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const book = new FictionBook(context);
  parseXml(input.bytes, book);
  for (const picture of book.pictures) await context.embedded(picture);
}

const keys: Readonly<Record<string, string>> = {
  'title-info/book-title': 'dc:title',
  'title-info/keywords': 'meta:keyword',
  'title-info/lang': 'dc:language',
  'title-info/genre': 'dc:subject',
  'publish-info/publisher': 'dc:publisher',
  'document-info/id': 'dc:identifier',
  'document-info/program-used': 'xmp:CreatorTool',
};

const lines: ReadonlySet<string> = new Set([
  'p',
  'v',
  'subtitle',
  'text-author',
  'tr',
  'empty-line',
  'section',
  'date',
]);

class FictionBook implements XmlVisitor {
  readonly pictures: EmbeddedPart[] = [];
  readonly #context: FormatContext;
  readonly #path: string[] = [];
  #author: string[] = [];
  #value = '';
  #picture: { name: string; data: string[] } | undefined;

  constructor(context: FormatContext) {
    this.#context = context;
  }

  get done(): boolean {
    return this.#context.full;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#path.push(name);
    this.#value = '';
    if (name === 'author') this.#author = [];
    if (name === 'td' || name === 'th') this.#context.write('\t');
    if (name === 'binary') this.#picture = { name: attributes.get('id') ?? '', data: [] };
  }

  text(text: string): void {
    if (this.#picture !== undefined) this.#picture.data.push(text);
    else if (this.#path.includes('body')) this.#context.write(text.replace(/\s+/g, ' '));
    else this.#value += text;
  }

  close(name: string): void {
    this.#path.pop();
    if (name === 'binary') this.#closePicture();
    else if (this.#path.includes('description')) this.#closeDescription(name);
    else if (lines.has(name)) this.#context.write('\n');
  }

  #closeDescription(name: string): void {
    const value = this.#value.trim();
    this.#value = '';
    const parent = this.#path.at(-1) ?? '';
    if (value !== '') this.#context.write(`${value}\n`);
    if (parent === 'author') this.#author.push(value);
    const key = keys[`${parent}/${name}`];
    if (key !== undefined) this.#context.meta(key, value);
    if (name === 'author' && parent === 'title-info') this.#context.meta('dc:creator', this.#author.join(' ').trim());
  }

  #closePicture(): void {
    if (this.#picture === undefined) return;
    const bytes = Buffer.from(this.#picture.data.join(''), 'base64');
    if (bytes.length > 0) this.pictures.push({ name: this.#picture.name, bytes });
    this.#picture = undefined;
  }
}
