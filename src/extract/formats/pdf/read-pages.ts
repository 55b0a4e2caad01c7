import type { OcrOptions } from '../../extraction.js';
import type { FormatContext } from '../../format.js';
import { inOrder } from '../../ocr/in-order.js';
import { pageContents, type PageContents } from './page-contents.js';
import { renderPage } from './page-picture.js';
import { cleanPageText } from './page-text.js';
import type { PdfDocument } from './pdf-document.js';
import { withoutRepeats } from './without-repeats.js';

/**
 * The texts of all pages in order, each with what was recognised in its pictures.
 *
 * | strategy       | text of the page | is recognised                                                              |
 * |----------------|------------------|----------------------------------------------------------------------------|
 * | `no_ocr`       | yes              | nothing                                                                    |
 * | `auto`         | yes              | pages with at most 10 characters, and pages whose letters are unknown      |
 * | `ocr_and_text` | yes              | those, and new pictures on all other pages (their own text is not drawn)   |
 * | `ocr_only`     | no               | all pages                                                                  |
 *
 * An empty page is never recognised, and what is recognised is left out where the page says the same as text.
 */
export async function* readPages(document: PdfDocument, context: FormatContext): AsyncGenerator<string> {
  const reader = new PageReader(document, context, await strategyFor(context));
  try {
    yield* inOrder(reader.pages(), () => context.ocr.atOnce);
  } finally {
    reader.abandon();
  }
}

type Strategy = OcrOptions['pdfStrategy'];

async function strategyFor(context: FormatContext): Promise<Strategy> {
  const { pdfStrategy } = context.options.ocr;
  if (pdfStrategy === 'no_ocr') return pdfStrategy;
  return (await context.ocr.ready()) ? pdfStrategy : 'no_ocr';
}

class PageReader {
  readonly #document: PdfDocument;
  readonly #context: FormatContext;
  readonly #strategy: Strategy;
  /** Digests of the pictures that have been drawn beside text: a letterhead is read once, not on every page. */
  readonly #drawn = new Set<string>();
  #isAbandoned = false;

  constructor(document: PdfDocument, context: FormatContext, strategy: Strategy) {
    this.#document = document;
    this.#context = context;
    this.#strategy = strategy;
  }

  *pages(): Generator<Promise<string>> {
    for (let index = 0; index < this.#document.pageCount && !this.#context.full; index++) yield this.#read(index);
  }

  /** The document is about to be closed: pages that wait for their turn must not be drawn any more. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async #read(index: number): Promise<string> {
    if (this.#strategy === 'no_ocr') return this.#written(index, this.#document.pageText(index));
    const contents = pageContents(this.#document, index, this.#strategy === 'ocr_and_text');
    if (contents === undefined) return this.#written(index, undefined);
    const text = this.#strategy === 'ocr_only' ? '' : this.#written(index, contents.text);
    const drawing = this.#whatToDraw(contents);
    const recognised = drawing === undefined ? undefined : await this.#recognise(index, drawing === 'pictures');
    const more = withoutRepeats(recognised ?? '', text);
    return more === '' ? text : `${text}${more}\n\n`;
  }

  #written(index: number, text: string | undefined): string {
    if (text !== undefined) return `\n${cleanPageText(text)}\n\n`;
    this.#context.warn(`Page ${index + 1} of the PDF cannot be read.`);
    return '';
  }

  #recognise(index: number, onlyPictures: boolean): Promise<string | undefined> {
    const title = `Page ${index + 1}`;
    return this.#context.ocr.recognise({
      title,
      page: { page: index + 1, pages: this.#document.pageCount },
      render: () => {
        if (this.#isAbandoned) return undefined;
        const limitMs = this.#context.options.ocr.pageTimeoutMs;
        const picture = renderPage(this.#document, index, { onlyPictures, limitMs });
        if (picture === undefined) this.#context.warn(`${title} is not recognised: it cannot be drawn.`);
        return picture;
      },
    });
  }

  #whatToDraw({ isEmpty, isUnreadable, pictures }: PageContents): 'all' | 'pictures' | undefined {
    if (isEmpty) return undefined;
    if (this.#strategy === 'ocr_only' || isUnreadable) return 'all';
    const fresh = pictures.filter((digest) => !this.#drawn.has(digest));
    for (const digest of fresh) this.#drawn.add(digest);
    return fresh.length > 0 ? 'pictures' : undefined;
  }
}
