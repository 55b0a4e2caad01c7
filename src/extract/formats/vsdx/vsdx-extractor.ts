import type { XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';

/** Visio drawings, stencils and templates (vsdx, vsdm, vssx, vssm, vstx, vstm): the texts of the shapes, page by page. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const document = pack.mainPart(['document'], /visio\.(drawing|stencil|template)/i, '/visio/document.xml');
  const pages = pack.related(document, 'pages').flatMap((part) => pack.related(part, 'page'));
  for (const page of pages) {
    if (context.full) break;
    pack.walk(page, new ShapeTexts(context));
  }
  await writeEmbeddedParts(pack, pages, context);
}

/** `<Text>` of each shape, a line each; the elements in it (`cp`, `pp`, `fld`) only mark formats and fields. */
class ShapeTexts implements XmlVisitor {
  readonly #context: FormatContext;
  #text: string | undefined;

  constructor(context: FormatContext) {
    this.#context = context;
  }

  get done(): boolean {
    return this.#context.full;
  }

  open(name: string): void {
    if (name === 'Text') this.#text = '';
  }

  text(text: string): void {
    if (this.#text !== undefined) this.#text += text;
  }

  close(name: string): void {
    if (name !== 'Text' || this.#text === undefined) return;
    const text = this.#text.trim();
    if (text !== '') this.#context.write(`${text}\n`);
    this.#text = undefined;
  }
}
