import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext } from '../../format.js';
import { BodyText } from '../../containers/ooxml/body-text.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';

/** What lies on a sheet: text boxes with the targets of their links, then SmartArt and charts. */
export function writeDrawings(pack: OoxmlPackage, sheet: string, context: FormatContext): void {
  for (const drawing of pack.related(sheet, 'drawing')) {
    pack.walk(drawing, new DrawingText(pack, drawing, context));
    for (const part of [...pack.related(drawing, 'diagramData'), ...pack.related(drawing, 'chart')]) {
      pack.walk(part, new BodyText({ write: (text) => context.write(text), full: () => context.full }));
    }
  }
}

class DrawingText implements XmlVisitor {
  readonly #links: ReadonlyMap<string, string>;
  readonly #context: FormatContext;
  readonly #body: BodyText;
  #inShapeProperties = false;

  constructor(pack: OoxmlPackage, drawing: string, context: FormatContext) {
    const links = pack.relationships(drawing).filter((each) => each.kind === 'hyperlink');
    this.#links = new Map(links.map((each) => [each.id, each.target]));
    this.#context = context;
    this.#body = new BodyText({ write: (text) => context.write(text), full: () => context.full });
  }

  get done(): boolean {
    return this.#context.full;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'cNvPr') this.#inShapeProperties = true;
    else if (this.#inShapeProperties && (name === 'hlinkClick' || name === 'hlinkHover')) this.#writeLink(attributes);
    this.#body.open(name, attributes);
  }

  text(text: string): void {
    this.#body.text(text);
  }

  close(name: string): void {
    if (name === 'cNvPr') this.#inShapeProperties = false;
    this.#body.close(name);
  }

  #writeLink(attributes: XmlAttributes): void {
    const target = this.#links.get(attributes.prefixed('id') ?? '');
    if (target !== undefined) this.#context.write(`${target}\n`);
  }
}
