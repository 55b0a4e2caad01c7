import { parseXml, type XmlAttributes } from '../../containers/xml/xml.js';

/**
 * XMP: properties of a document as RDF in XML. A property is an attribute or a child element of `rdf:Description`; lists
 * and translations hold their values in `rdf:li`.
 */
export interface XmpValue {
  /** Tika's key. */
  readonly key: string;
  readonly kind: XmpKind;
  readonly text: string;
  /** `x-default` or a language tag, for texts that may be translated. */
  readonly language: string | undefined;
}

export type XmpKind = 'text' | 'list' | 'date';

const PROPERTIES: ReadonlyMap<string, readonly [key: string, kind: XmpKind]> = new Map([
  ['contributor', ['dc:contributor', 'list']],
  ['coverage', ['dc:coverage', 'text']],
  ['creator', ['dc:creator', 'list']],
  ['description', ['dc:description', 'text']],
  ['identifier', ['dc:identifier', 'text']],
  ['language', ['dc:language', 'list']],
  ['publisher', ['dc:publisher', 'list']],
  ['relation', ['dc:relation', 'list']],
  ['rights', ['dc:rights', 'text']],
  ['source', ['dc:source', 'text']],
  ['subject', ['dc:subject', 'list']],
  ['title', ['dc:title', 'text']],
  ['type', ['dc:type', 'list']],
  ['CreatorTool', ['xmp:CreatorTool', 'text']],
  ['CreateDate', ['xmp:CreateDate', 'date']],
  ['ModifyDate', ['xmp:ModifyDate', 'date']],
  ['MetadataDate', ['xmp:MetadataDate', 'date']],
  ['Label', ['xmp:Label', 'text']],
  ['Nickname', ['xmp:Nickname', 'text']],
  ['Rating', ['xmp:Rating', 'text']],
  ['Keywords', ['meta:keyword', 'text']],
  ['Producer', ['pdf:producer', 'text']],
  ['DocumentID', ['xmpMM:DocumentID', 'text']],
  ['InstanceID', ['xmpMM:InstanceID', 'text']],
  ['part', ['pdfaid:part', 'text']],
  ['conformance', ['pdfaid:conformance', 'text']],
]);

/** Media management (`xmpMM:subject`) has properties that are called like those of Dublin Core and mean something else. */
const FOREIGN = /^(?:xmp|xap)MM:(?!DocumentID$|InstanceID$)/;

export function readXmp(source: Uint8Array): XmpValue[] {
  const reader = new XmpReader();
  parseXml(source, reader);
  return reader.values;
}

class XmpReader {
  readonly values: XmpValue[] = [];
  readonly #path: string[] = [];
  #text = '';
  #language: string | undefined;
  #hasItems = false;

  open(name: string, attributes: XmlAttributes, qualified: string): void {
    this.#path.push(FOREIGN.test(qualified) ? '' : name);
    this.#text = '';
    if (name === 'Description' && this.#path.at(-2) === 'RDF') this.#readAttributes(attributes);
    else if (name === 'li') this.#language = attributes.get('lang');
    else if (this.#isProperty()) this.#hasItems = false;
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): void {
    const name = this.#path.at(-1) ?? '';
    const property = this.#property();
    if (name === 'li' && property !== undefined) {
      this.#hasItems = true;
      this.#add(property, this.#text, this.#language);
    } else if (this.#isProperty() && !this.#hasItems) this.#add(name, this.#text, undefined);
    this.#text = '';
    this.#path.pop();
  }

  /** True on an element that stands directly in `rdf:Description`. */
  #isProperty(): boolean {
    return this.#path.at(-2) === 'Description' && this.#path.at(-3) === 'RDF';
  }

  /** The property whose container (`rdf:Bag`, `rdf:Seq`, `rdf:Alt`) holds the current `rdf:li`. */
  #property(): string | undefined {
    return this.#path.at(-4) === 'Description' ? this.#path.at(-3) : undefined;
  }

  #readAttributes(attributes: XmlAttributes): void {
    for (const name of PROPERTIES.keys()) {
      const value = attributes.prefixed(name);
      if (value !== undefined) this.#add(name, value, undefined);
    }
  }

  #add(name: string, text: string, language: string | undefined): void {
    const property = PROPERTIES.get(name);
    if (property === undefined || text.trim() === '') return;
    const [key, kind] = property;
    this.values.push({ key, kind, text: withoutEscapes(text.trim()), language });
  }
}

/** Some producers copy a string of the information dictionary as it is written there: UTF-16 in octal escapes. */
function withoutEscapes(text: string): string {
  if (!text.startsWith('\\376\\377')) return text;
  const plain = text.slice('\\376\\377'.length).replace(/\\([0-7]{3})/g, (_, octal: string) => {
    return String.fromCharCode(Number.parseInt(octal, 8));
  });
  const bytes = Buffer.from(plain, 'latin1');
  return bytes
    .subarray(0, bytes.length - (bytes.length % 2))
    .swap16()
    .toString('utf16le');
}
