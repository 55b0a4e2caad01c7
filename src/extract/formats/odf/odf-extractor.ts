import { parseXml, type XmlAttributes, type XmlVisitor } from '../../containers/xml/xml.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { OdfMeta } from './odf-meta.js';
import { OdfPackage } from './odf-package.js';
import { OdfText } from './odf-text.js';

/** OpenDocument of all kinds, as package and as one flat XML file, and the older StarOffice XML packages. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const isPackage = input.bytes[0] === 0x50 && input.bytes[1] === 0x4b;
  if (isPackage) await writePackage(new OdfPackage(input.bytes, context), context);
  else await writeFlat(input.bytes, context);
}

/** Contents and styles of the document and of the objects in it, in the order of the package; then pictures. */
async function writePackage(pack: OdfPackage, context: FormatContext): Promise<void> {
  const meta = pack.read('meta.xml');
  if (meta !== undefined) parseXml(meta, new OdfMeta(context));
  for (const name of pack.names) {
    if (!name.endsWith('content.xml') && !name.endsWith('styles.xml')) continue;
    const bytes = pack.read(name);
    if (bytes !== undefined) parseXml(bytes, new OdfText(context));
  }
  for (const name of pack.names) {
    if (!/(^|\/)(Pictures|Thumbnails)\//.test(name)) continue;
    const bytes = pack.read(name);
    if (bytes !== undefined) await context.embedded({ name, bytes, printName: false });
  }
}

async function writeFlat(bytes: Uint8Array, context: FormatContext): Promise<void> {
  const binaries: Buffer[] = [];
  const text = new OdfText({
    write: (piece) => context.write(piece),
    get full() {
      return context.full;
    },
    binary: (base64) => binaries.push(Buffer.from(base64, 'base64')),
  });
  parseXml(bytes, new Both(new OdfMeta(context), text));
  for (const binary of binaries) await context.embedded({ name: '', bytes: binary });
}

/** A flat file holds metadata and text in one document; each visitor knows its own part. */
class Both implements XmlVisitor {
  readonly #visitors: readonly Required<Pick<XmlVisitor, 'open' | 'text' | 'close'>>[];
  readonly #text: OdfText;

  constructor(meta: OdfMeta, text: OdfText) {
    this.#visitors = [meta, text];
    this.#text = text;
  }

  get done(): boolean {
    return this.#text.done;
  }

  open(name: string, attributes: XmlAttributes, qualified: string): void {
    for (const each of this.#visitors) each.open(name, attributes, qualified);
  }

  text(text: string): void {
    for (const each of this.#visitors) each.text(text);
  }

  close(name: string): void {
    for (const each of this.#visitors) each.close(name);
  }
}
