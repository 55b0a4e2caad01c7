import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext } from '../../format.js';

/**
 * The XML of iWork '09 (`index.apxl`, `index.xml`). The three programs share most elements; text is in `p`, cells of tables
 * are attributes (`ct` text, `n` numbers).
 *
 * - Keynote: the text bodies of slides and master slides.
 * - Pages: what follows the first page start; before it stand styles and templates. Text that only shows where to type
 *   (`ghost-text`) is left out. Headers and footers come with every page, a footnote where it is referred to.
 * - Numbers: paragraphs anywhere, tables with their names, names of charts.
 */
export type IworkProgram = 'keynote' | 'pages' | 'numbers';

type Handler = (self: Iwork09Text, attributes: XmlAttributes) => void;

const metadataKeys: Readonly<Record<string, string>> = {
  authors: 'dc:creator',
  title: 'dc:title',
  comment: 'w:Comments',
  SLCreationDateProperty: 'dcterms:created',
  SLLastModifiedDateProperty: 'dcterms:modified',
  language: 'dc:language',
};

export class Iwork09Text implements XmlVisitor {
  readonly #program: IworkProgram;
  readonly #context: FormatContext;
  readonly #open = new Map<string, number>();
  readonly #asides = new Map<string, string>();
  #aside = '';
  #pages = 0;
  #groups = 0;
  #slides = 0;
  #sheets = 0;
  #columns = 0;
  #column = 0;
  #property: string | undefined;

  constructor(program: IworkProgram, context: FormatContext) {
    this.#program = program;
    this.#context = context;
  }

  get done(): boolean {
    return this.#context.full;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    this.#readMetadata(name, attributes);
    Iwork09Text.#openers[name]?.(this, attributes);
  }

  text(text: string): void {
    if (this.#collectsAside()) this.#asides.set(this.#aside, (this.#asides.get(this.#aside) ?? '') + text);
    else if (this.#collectsText()) this.#context.write(text);
  }

  close(name: string): void {
    if (name === 'p' && this.#collectsText()) this.#context.write('\n');
    this.#open.set(name, (this.#open.get(name) ?? 1) - 1);
    if (name === 'tabular-model') this.#context.write('\n');
    if (name === this.#property) this.#property = undefined;
  }

  /** Writes the footer of the last page and what was counted. */
  finish(): void {
    if (this.#program === 'keynote') this.#context.meta('meta:slide-count', this.#slides);
    else this.#context.meta('meta:page-count', this.#program === 'pages' ? this.#pages : this.#sheets);
    if (this.#pages > 0) this.#writeAside('footer');
  }

  static readonly #openers: Readonly<Record<string, Handler>> = {
    slide: (self) => self.#slides++,
    workspace: (self) => self.#sheets++,
    'page-start': (self) => self.#startPage(),
    'page-group': (self) => self.#groups++,
    header: (self) => (self.#aside = 'header'),
    footer: (self) => (self.#aside = 'footer'),
    'footnote-mark': (self, attributes) => (self.#aside = `footnote ${attributes.get('mark') ?? ''}`),
    footnote: (self, attributes) => self.#writeAside(`footnote ${attributes.get('autonumber') ?? ''}`),
    annotation: (self, attributes) => (self.#aside = `annotation ${attributes.get('target') ?? ''}`),
    'annotation-field': (self, attributes) => self.#writeAside(`annotation ${attributes.get('ID') ?? ''}`),
    'tabular-model': (self, attributes) => self.#startTable(attributes),
    grid: (self, attributes) => (self.#columns = Number(attributes.get('numcols') ?? 0)),
    ct: (self, attributes) => self.#writeCell(attributes.get('s')),
    n: (self, attributes) => self.#writeCell(attributes.get('v')),
    rn: (self, attributes) => self.#writeCell(attributes.get('v')),
    'chart-name': (self, attributes) => self.#context.write(`${attributes.get('string') ?? ''}\n`),
    br: (self) => self.#breakLine(),
    lnbr: (self) => self.#breakLine(),
    tab: (self) => self.text('\t'),
  };

  #isIn(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0;
  }

  #collectsAside(): boolean {
    if (this.#program !== 'pages') return false;
    return ['headers', 'footers', 'footnotes', 'annotations'].some((each) => this.#isIn(each));
  }

  #collectsText(): boolean {
    if (this.#isIn('ghost-text') || this.#collectsAside()) return false;
    if (this.#program === 'keynote')
      return this.#isIn('text-body') && (this.#isIn('slide') || this.#isIn('master-slide'));
    return this.#isIn('p') && (this.#program === 'numbers' || this.#pages + this.#groups > 0);
  }

  #breakLine(): void {
    if (this.#collectsText()) this.#context.write('\n');
  }

  #startPage(): void {
    if (this.#pages > 0) this.#writeAside('footer');
    this.#pages++;
    this.#writeAside('header');
  }

  #writeAside(name: string): void {
    const text = this.#asides.get(name)?.trim();
    if (text !== undefined && text !== '' && !this.#collectsAside()) this.#context.write(`\n${text}\n`);
  }

  #startTable(attributes: XmlAttributes): void {
    this.#column = 0;
    const name = attributes.get('name');
    if (this.#program === 'numbers' && name !== undefined) this.#context.write(`${name}\n`);
  }

  #writeCell(text: string | undefined): void {
    if (!this.#isIn('tabular-model') && !this.#isIn('attachment')) return;
    if (this.#columns > 0 && this.#column === this.#columns) this.#context.write('\n');
    this.#column = this.#column === this.#columns ? 1 : this.#column + 1;
    this.#context.write(`\t${text ?? ''}`);
  }

  /** `<authors><string string="…"/></authors>` and the like, inside of the metadata elements. */
  #readMetadata(name: string, attributes: XmlAttributes): void {
    if (!this.#isIn('metadata') && !this.#isIn('publication-info')) return;
    if (name in metadataKeys) this.#property = name;
    const key = metadataKeys[this.#property ?? ''];
    if (key === undefined) return;
    const value = name === 'string' ? attributes.get('string') : name === 'date' ? attributes.get('val') : undefined;
    this.#context.meta(key, value);
  }
}
