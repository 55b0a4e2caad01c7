import { parseXml, type XmlAttributes } from '../../containers/xml/xml.js';
import type { PdfObjects } from './objects/pdf-objects.js';

/**
 * XFA: a form written as XML inside a PDF. The template has texts and fields with names and tool tips; the data packet has
 * one element a field, named as the field is. Text comes as paragraphs, fields as lines `tool tip or name: value`.
 */
export interface XfaText {
  readonly paragraphs: readonly string[];
  readonly fields: readonly string[];
}

const TEXT_ELEMENTS = new Set(['speak', 'text', 'contents-richtext', 'toolTip', 'exData']);

/** Undefined when the document has no XFA. */
export function readXfa(objects: PdfObjects): XfaText | undefined {
  const source = xfaSource(objects);
  if (source === undefined) return undefined;
  const reader = new XfaReader();
  parseXml(source, reader);
  return { paragraphs: reader.paragraphs, fields: reader.fields() };
}

/** One stream, or pairs of a packet's name and its stream, which joined make one XML document. */
function xfaSource(objects: PdfObjects): Uint8Array | undefined {
  const form = objects.dict(objects.catalog.entries.get('AcroForm'));
  const pieces = objects.items(form?.entries.get('XFA')).flatMap((item) => {
    const stream = objects.stream(item);
    const bytes = stream === undefined ? undefined : objects.streamBytes(stream);
    return bytes === undefined ? [] : [bytes];
  });
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}

class XfaReader {
  readonly paragraphs: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string[]>();
  readonly #path: string[] = [];
  #field: { readonly name: string; readonly depth: number } | undefined;
  #textDepth = 0;
  #dataDepth = 0;
  #text = '';

  open(name: string, attributes: XmlAttributes): void {
    this.#path.push(name);
    if (this.#dataDepth > 0) return;
    if (name === 'data' && this.#path.at(-2) === 'datasets') {
      this.#dataDepth = this.#path.length;
      this.#text = '';
    } else if (name === 'field' && this.#field === undefined) {
      this.#field = { name: attributes.get('name') ?? '', depth: this.#path.length };
      this.#names.set(this.#field.name, this.#field.name);
    } else if (TEXT_ELEMENTS.has(name) && this.#textDepth === 0) {
      this.#textDepth = this.#path.length;
      this.#text = '';
    }
  }

  text(text: string): void {
    if (this.#textDepth > 0 || this.#dataDepth > 0) this.#text += text;
  }

  close(name: string): void {
    if (this.#dataDepth > 0) this.#closeData(name);
    else if (this.#textDepth > 0) this.#closeText(name);
    else if (this.#field?.depth === this.#path.length) this.#field = undefined;
    this.#path.pop();
  }

  fields(): string[] {
    return [...this.#names]
      .filter(([name]) => name !== '')
      .flatMap(([name, shown]) => (this.#values.get(name) ?? ['']).map((value) => `${shown}: ${value}`));
  }

  #closeData(name: string): void {
    const value = this.#text.trim();
    this.#text = '';
    if (value !== '') this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
    if (this.#path.length === this.#dataDepth) this.#dataDepth = 0;
  }

  #closeText(name: string): void {
    const ends = this.#path.length === this.#textDepth;
    if (!ends && name !== 'p') return;
    const text = this.#text.trim();
    this.#text = '';
    if (ends) this.#textDepth = 0;
    if (text === '') return;
    if (this.#field === undefined) this.paragraphs.push(text);
    else if (name === 'toolTip') this.#names.set(this.#field.name, text);
  }
}
