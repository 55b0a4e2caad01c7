import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext } from '../../format.js';
import { BodyText } from '../../containers/ooxml/body-text.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';

/** Facts about the presentation that only its slides tell. */
export interface SlideTraits {
  hiddenSlides: number;
  animated: boolean;
}

/** The text of a part made of shapes. */
export function writeShapes(pack: OoxmlPackage, part: string, context: FormatContext): void {
  pack.walk(part, shapeText(context));
}

/** The text of a slide's own shapes. */
export function writeSlideShapes(pack: OoxmlPackage, slide: string, context: FormatContext, traits: SlideTraits): void {
  pack.walk(slide, new SlideText(shapeText(context), traits));
}

/**
 * The text of a layout or master that shows on every slide. Shapes with a placeholder are left out: their text is a prompt
 * ("Click to edit") that a slide replaces.
 */
export function writeFixedShapes(pack: OoxmlPackage, part: string, context: FormatContext): void {
  pack.walk(part, new FixedText(shapeText(context)));
}

function shapeText(context: FormatContext): BodyText {
  return new BodyText({ write: (text) => context.write(text), full: () => context.full });
}

class SlideText implements XmlVisitor {
  readonly #body: BodyText;
  readonly #traits: SlideTraits;

  constructor(body: BodyText, traits: SlideTraits) {
    this.#body = body;
    this.#traits = traits;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'timing') this.#traits.animated = true;
    else if (name === 'sld' && ['0', 'false'].includes(attributes.get('show') ?? '')) this.#traits.hiddenSlides++;
    this.#body.open(name, attributes);
  }

  text(text: string): void {
    this.#body.text(text);
  }

  close(name: string): void {
    this.#body.close(name);
  }
}

class FixedText implements XmlVisitor {
  readonly #body: BodyText;
  #inPlaceholder = false;

  constructor(body: BodyText) {
    this.#body = body;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'ph') this.#inPlaceholder = true;
    if (!this.#inPlaceholder) this.#body.open(name, attributes);
  }

  text(text: string): void {
    if (!this.#inPlaceholder) this.#body.text(text);
  }

  close(name: string): void {
    if (!this.#inPlaceholder) this.#body.close(name);
    if (name === 'sp' || name === 'pic' || name === 'graphicFrame') this.#inPlaceholder = false;
  }
}
