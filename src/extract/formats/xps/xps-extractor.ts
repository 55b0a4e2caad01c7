import type { FormatContext, FormatInput } from '../../format.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { resolvePartName } from '../../containers/ooxml/relationships.js';
import { FixedPage } from './fixed-page.js';

/**
 * XPS and OpenXPS: a sequence of documents, each a list of pages. Text, then link targets, page by page; then the
 * pictures and the thumbnail.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const pictures = new Set<string>();
  for (const page of pagesOf(pack)) {
    if (context.full) break;
    writePage(pack, page, pictures, context);
  }
  for (const picture of pictures) {
    const bytes = pack.read(picture);
    if (bytes !== undefined) await context.embedded({ name: baseName(picture), bytes, printName: false });
  }
  for (const thumbnail of pack.related('/', 'thumbnail')) {
    const bytes = pack.read(thumbnail);
    if (bytes !== undefined) await context.embedded({ name: baseName(thumbnail), bytes, printName: false });
  }
}

function writePage(pack: OoxmlPackage, part: string, pictures: Set<string>, context: FormatContext): void {
  const page = new FixedPage();
  pack.walk(part, page);
  for (const line of page.lines()) context.write(`${line}\n`);
  for (const link of page.links) context.write(`${link}\n`);
  for (const picture of page.pictures) pictures.add(resolvePartName(part, picture));
  context.write('\n');
}

/** In reading order; when the sequence is damaged, all pages by name. */
function pagesOf(pack: OoxmlPackage): string[] {
  const sequences = pack.related('/', 'fixedrepresentation');
  const documents = sequences.flatMap((part) => references(pack, part, 'DocumentReference'));
  const pages = documents.flatMap((part) => references(pack, part, 'PageContent'));
  return pages.length > 0 ? pages : pack.names.filter((name) => name.toLowerCase().endsWith('.fpage'));
}

function references(pack: OoxmlPackage, part: string, element: string): string[] {
  const found: string[] = [];
  pack.walk(part, {
    open: (name, attributes) => {
      const source = name === element ? attributes.get('Source') : undefined;
      if (source !== undefined) found.push(resolvePartName(part, source));
    },
  });
  return found;
}

function baseName(part: string): string {
  return part.slice(part.lastIndexOf('/') + 1);
}
