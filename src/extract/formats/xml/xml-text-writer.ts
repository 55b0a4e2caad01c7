import type { FormatContext } from '../../format.js';
import type { MarkupVisitor } from '../../containers/xml/markup-walk.js';

/** Elements whose text is not meant for people: program code, or bytes in base64. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  'application/vnd.ms-word2006ml': ['pkg:binaryData'],
  'application/vnd.ms-wordml': ['w:binData'],
  'image/svg+xml': ['script', 'style', 'svg:script', 'svg:style'],
};

/** Feeds carry HTML as text. */
const WITH_TAGS_IN_TEXT: ReadonlySet<string> = new Set(['application/atom+xml', 'application/rss+xml']);

/** Dublin Core elements become metadata under their own names. */
const DUBLIN_CORE =
  /^dc:(?:contributor|coverage|creator|date|description|format|identifier|language|publisher|relation|rights|source|subject|title|type)$/;

/** Writes a space where an element begins, then its text as it stands. */
export class XmlTextWriter implements MarkupVisitor {
  readonly #context: FormatContext;
  readonly #skipped: readonly string[];
  readonly #stripsTags: boolean;
  #depth = 0;
  #begun = false;
  #skipping: string | undefined;
  #text = '';
  #dublinCore: string | undefined;

  constructor(mediaType: string, context: FormatContext) {
    this.#context = context;
    this.#skipped = SKIPPED[mediaType] ?? [];
    this.#stripsTags = WITH_TAGS_IN_TEXT.has(mediaType);
  }

  /** How many elements are open. */
  get unclosed(): number {
    return this.#depth;
  }

  open(name: string): void {
    this.#flush();
    this.#begun = true;
    this.#depth++;
    if (this.#skipped.includes(name)) this.#skipping ??= name;
    this.#dublinCore = DUBLIN_CORE.test(name) ? name : undefined;
    this.#context.write(' ');
  }

  /** Before the first element there are only the remains of a document type. */
  text(text: string): void {
    if (this.#begun && this.#skipping === undefined) this.#text += text;
  }

  close(name: string): void {
    if (this.#dublinCore === name) this.#context.meta(name, this.#text.trim());
    this.#dublinCore = undefined;
    this.#flush();
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#skipping === name) this.#skipping = undefined;
  }

  end(): void {
    this.#flush();
    this.#context.write('\n');
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#context.write(this.#stripsTags ? this.#text.replace(/<[^<>]*>/g, ' ') : this.#text);
    this.#text = '';
  }
}
