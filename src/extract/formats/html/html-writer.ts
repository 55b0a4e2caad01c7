import type { FormatContext } from '../../format.js';
import { HtmlMetadata } from './html-metadata.js';
import type { MarkupVisitor } from '../../containers/xml/markup-walk.js';

/**
 * Writes the text of a page while it is walked through. White space stays as it is in the source; blocks stand on lines of
 * their own, cells and list items begin with a tab, so that words of neighbouring elements never grow together.
 *
 * Pages are often not well-formed: the head ends at the first element that cannot stand in it, the title counts wherever
 * it is, and text without a body is body text. A title behind it is part of the body, too, and shows there.
 */
const INDENTED: ReadonlySet<string> = new Set(['li', 'dd', 'dt', 'td', 'th', 'frame']);
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 div ul ol menu dl pre blockquote address fieldset table form noscript li dt dd tr select option ' +
    'article aside section nav header footer main figure figcaption details summary textarea caption legend'
  ).split(' '),
);
const LINE_BREAKS: ReadonlySet<string> = new Set(['br', 'hr']);
/** The tokenizer hands the content of these over as one text. */
const DISCARDED: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'noembed', 'noframes']);
const IN_HEAD: ReadonlySet<string> = new Set(
  'html head title meta link base script style noscript template'.split(' '),
);

export class HtmlWriter implements MarkupVisitor {
  static readonly attributesOf: ReadonlySet<string> = new Set(['html', 'meta', 'base']);
  readonly #context: FormatContext;
  readonly #metadata: HtmlMetadata;
  #inHead = false;
  #discarding: string | undefined;
  #drawings = 0;
  #title: string | undefined;
  #inBody = false;
  #atLineStart = true;

  constructor(context: FormatContext) {
    this.#context = context;
    this.#metadata = new HtmlMetadata(context);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#discarding !== undefined) return;
    if (name === 'head') this.#inHead = true;
    else if (!IN_HEAD.has(name)) this.#inHead = false;
    if (DISCARDED.has(name)) this.#discarding = name;
    else if (name === 'svg') this.#drawings++;
    else if (name === 'title' && this.#drawings === 0) this.#title = '';
    else if (HtmlWriter.attributesOf.has(name)) this.#metadata.element(name, attributes);
    else this.#beginElement(name);
  }

  text(text: string): void {
    if (this.#discarding !== undefined) return;
    if (this.#title !== undefined) {
      this.#title += text;
      return;
    }
    if (this.#inHead && text.trim() === '') return;
    this.#inHead = false;
    this.#write(text);
  }

  close(name: string): void {
    if (this.#discarding !== undefined) {
      if (name === this.#discarding) this.#discarding = undefined;
      return;
    }
    if (name === 'head') this.#inHead = false;
    else if (name === 'svg') this.#drawings = Math.max(0, this.#drawings - 1);
    else if (name === 'title') this.end();
    else if (BLOCKS.has(name) && !this.#inHead) this.#write('\n');
  }

  /** A page may end inside its title. */
  end(): void {
    const title = this.#title;
    if (title === undefined) return;
    this.#title = undefined;
    this.#metadata.title(title);
    if (this.#inBody) this.#write(`${title}\n`);
  }

  #beginElement(name: string): void {
    if (!IN_HEAD.has(name)) this.#inBody = true;
    if (LINE_BREAKS.has(name)) this.#write('\n');
    else if (BLOCKS.has(name) && !this.#atLineStart) this.#write('\n');
    if (INDENTED.has(name)) this.#write('\t');
  }

  #write(text: string): void {
    if (text === '') return;
    this.#context.write(text);
    this.#inBody ||= text.trim() !== '';
    this.#atLineStart = text.endsWith('\n');
  }
}
