import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext } from '../../format.js';

/**
 * `meta.xml`: Dublin Core, office metadata, statistics and what a person defined, under Tika's keys. Dates stay as they are
 * written, since most have no zone.
 */
const targets: Readonly<Record<string, readonly string[]>> = {
  title: ['dc:title'],
  description: ['dc:description'],
  publisher: ['dc:publisher'],
  contributor: ['dc:contributor'],
  type: ['dc:type'],
  format: ['dc:format'],
  identifier: ['dc:identifier'],
  language: ['dc:language'],
  rights: ['dc:rights'],
  creator: ['dc:creator'],
  'initial-creator': ['dc:creator'],
  subject: ['cp:subject'],
  'creation-date': ['dcterms:created'],
  date: ['dcterms:modified'],
  'print-date': ['meta:print-date'],
  'editing-duration': ['extended-properties:TotalTime'],
  'editing-cycles': ['editing-cycles'],
  generator: ['generator'],
};

const statistics: Readonly<Record<string, readonly string[]>> = {
  'object-count': ['meta:object-count'],
  'image-count': ['meta:image-count'],
  'page-count': ['meta:page-count', 'xmpTPg:NPages'],
  'table-count': ['meta:table-count'],
  'paragraph-count': ['meta:paragraph-count'],
  'word-count': ['meta:word-count'],
  'character-count': ['meta:character-count'],
};

export class OdfMeta implements XmlVisitor {
  readonly #context: FormatContext;
  readonly #keywords: string[] = [];
  readonly #written = new Set<string>();
  #subject: string | undefined;
  #hasDescription = false;
  #inMeta = false;
  #property: string | undefined;
  #text = '';

  constructor(context: FormatContext) {
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#text = '';
    if (name === 'meta') this.#inMeta = true;
    else if (name === 'user-defined') this.#property = attributes.get('name');
    else if (name === 'document-statistic') this.#writeStatistics(attributes);
    else if (name === 'document-meta') this.#context.meta('odf:version', attributes.get('version'));
  }

  text(text: string): void {
    if (this.#inMeta) this.#text += text;
  }

  close(name: string): void {
    if (name === 'meta') this.#finish();
    if (!this.#inMeta) return;
    const text = this.#text;
    const value = text.trim();
    this.#text = '';
    if (name === 'keyword' && value !== '') this.#keywords.push(text);
    else if (name === 'user-defined') this.#write(`custom:${this.#property ?? ''}`, value);
    else if (name === 'subject') this.#subject = value;
    else if (name === 'description') this.#hasDescription ||= value !== '';
    for (const key of targets[name] ?? []) this.#write(key, value);
  }

  #write(key: string, value: string): void {
    if (this.#written.has(`${key} ${value}`)) return;
    this.#written.add(`${key} ${value}`);
    this.#context.meta(key, value);
  }

  #writeStatistics(attributes: XmlAttributes): void {
    for (const [name, keys] of Object.entries(statistics)) {
      for (const key of keys) this.#context.meta(key, attributes.get(name));
    }
  }

  #finish(): void {
    this.#inMeta = false;
    const keywords = this.#keywords.join(', ');
    this.#context.meta('meta:keyword', keywords);
    this.#context.meta('dc:subject', keywords);
    this.#context.meta('dc:subject', this.#subject);
    // Without a description the subject stands in for it, as in Tika.
    if (!this.#hasDescription) this.#context.meta('dc:description', this.#subject);
  }
}
