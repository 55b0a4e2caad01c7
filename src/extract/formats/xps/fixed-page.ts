import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import { rowsOf, runWidth, type GlyphRun } from './glyph-rows.js';

/** Reads one page: its glyph runs, the targets of its links, and the pictures that it shows. */
export class FixedPage implements XmlVisitor {
  readonly links = new Set<string>();
  readonly pictures = new Set<string>();
  /** Runs by the clip of the canvas around them: what is clipped alike, a table cell or a column, is read together. */
  readonly #canvases = new Map<string, GlyphRun[]>();
  readonly #clips: string[] = [];

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'Canvas') this.#clips.push(attributes.get('Clip') ?? '');
    else if (name === 'Glyphs') this.#addRun(attributes);
    const link = attributes.get('FixedPage.NavigateUri');
    if (link !== undefined) this.links.add(link);
    const picture = name === 'ImageBrush' ? attributes.get('ImageSource') : undefined;
    if (picture !== undefined && !picture.startsWith('{')) this.pictures.add(picture);
  }

  close(name: string): void {
    if (name === 'Canvas') this.#clips.pop();
  }

  lines(): string[] {
    return [...this.#canvases.values()].flatMap(rowsOf);
  }

  #addRun(attributes: XmlAttributes): void {
    const text = unescape(attributes.get('UnicodeString') ?? '');
    if (text === '') return;
    const fontSize = number(attributes.get('FontRenderingEmSize'));
    const clip = this.#clips.at(-1) ?? '';
    const runs = this.#canvases.get(clip) ?? [];
    this.#canvases.set(clip, runs);
    runs.push({
      text,
      x: number(attributes.get('OriginX')),
      y: number(attributes.get('OriginY')),
      fontSize,
      width: runWidth(text, attributes.get('Indices') ?? '', fontSize),
      rightToLeft: number(attributes.get('BidiLevel')) % 2 === 1,
    });
  }
}

/** A string that begins with `{}` does so because it would otherwise begin with a brace. */
function unescape(text: string): string {
  return text.startsWith('{}') ? text.slice(2) : text;
}

function number(text: string | undefined): number {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : 0;
}
