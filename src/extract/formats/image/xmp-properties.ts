import type { SaxesTagNS } from 'saxes';

/**
 * XMP: RDF in XML. Properties are attributes or children of rdf:Description; a child holds its text, or a list of rdf:li in
 * an rdf:Alt, rdf:Bag or rdf:Seq. Properties that are structures themselves (edit histories, regions) are left out.
 */
export type XmpProperties = ReadonlyMap<string, readonly string[]>;

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const DESCRIPTION_DEPTH = 2;
/** Deeper than any property: every level costs a walk up to find what its prefix means. */
const MAX_DEPTH = 64;

/** Values by `prefix:name`, under the usual prefix of a namespace, whatever the packet calls it. */
export async function readXmp(packet: Buffer): Promise<XmpProperties> {
  const { SaxesParser } = await import('saxes');
  const collector = new PropertyCollector();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag) => collector.open(tag));
  parser.on('text', (text) => collector.text(text));
  parser.on('closetag', () => collector.close());
  try {
    parser.write(decode(packet)).close();
  } catch {
    // Not well-formed, too deep, or cut off: the properties in front of that place are good.
  }
  return collector.properties;
}

function decode(packet: Buffer): string {
  const encoding = packet[0] === 0xfe || packet[0] === 0 ? 'utf-16be' : packet[1] === 0 ? 'utf-16le' : 'utf-8';
  return new TextDecoder(packet[0] === 0xff ? 'utf-16le' : encoding).decode(packet).replaceAll('\0', '').trim();
}

class PropertyCollector {
  readonly properties = new Map<string, string[]>();
  /** Open elements. */
  #level = 0;
  /** Open elements from rdf:RDF on. */
  #depth = 0;
  #property: string | undefined;
  #text = '';
  #isList = false;

  open(tag: SaxesTagNS): void {
    const isRdf = tag.uri === RDF;
    if (++this.#level > MAX_DEPTH) throw new RangeError('XMP is nested too deeply.');
    if (this.#depth === 0 && !(isRdf && tag.local === 'RDF')) return;
    this.#depth++;
    if (this.#depth === DESCRIPTION_DEPTH) this.#addAttributes(tag);
    else if (this.#depth === DESCRIPTION_DEPTH + 1) {
      this.#property = nameOf(tag);
      this.#text = '';
      this.#isList = false;
    } else if (isRdf && tag.local === 'li') {
      this.#isList = true;
      this.#text = '';
    } else if (!isRdf) {
      this.#property = undefined;
    }
  }

  text(text: string): void {
    if (this.#property !== undefined) this.#text += text;
  }

  close(): void {
    this.#level--;
    if (this.#depth === 0) return;
    const isItem = this.#isList && this.#depth === DESCRIPTION_DEPTH + 3;
    const isPlain = !this.#isList && this.#depth === DESCRIPTION_DEPTH + 1;
    if (this.#property !== undefined && (isItem || isPlain)) this.#add(this.#property, this.#text);
    this.#depth--;
  }

  #addAttributes(tag: SaxesTagNS): void {
    for (const attribute of Object.values(tag.attributes)) {
      if (attribute.uri !== RDF && attribute.prefix !== 'xmlns' && attribute.prefix !== 'xml') {
        this.#add(nameOf(attribute), attribute.value);
      }
    }
  }

  #add(name: string, text: string): void {
    const value = text.trim();
    if (value === '' || name.startsWith(':')) return;
    const values = this.properties.get(name);
    if (values === undefined) this.properties.set(name, [value]);
    else values.push(value);
  }
}

function nameOf(name: { readonly prefix: string; readonly local: string; readonly uri: string }): string {
  return `${PREFIXES[name.uri] ?? name.prefix}:${name.local}`;
}

const PREFIXES: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
  'http://ns.adobe.com/xap/1.0/mm/': 'xmpMM',
  'http://ns.adobe.com/xap/1.0/rights/': 'xmpRights',
  'http://ns.adobe.com/photoshop/1.0/': 'photoshop',
  'http://ns.adobe.com/tiff/1.0/': 'tiff',
  'http://ns.adobe.com/exif/1.0/': 'exif',
  'http://ns.adobe.com/exif/1.0/aux/': 'aux',
  'http://cipa.jp/exif/1.0/': 'exifEX',
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/': 'Iptc4xmpCore',
  'http://iptc.org/std/Iptc4xmpExt/2008-02-29/': 'Iptc4xmpExt',
  'http://ns.adobe.com/lightroom/1.0/': 'lr',
};
