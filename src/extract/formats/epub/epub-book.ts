import { parseXml } from '../../containers/xml/xml.js';
import type { ZipArchive } from '../../containers/zip/zip.js';
import { resolvePartName } from '../../containers/ooxml/relationships.js';

/**
 * The structure of an EPUB: `META-INF/container.xml` names the package document (OPF); its manifest lists all files, its
 * spine the chapters in reading order. References are URLs relative to the package document.
 */
export interface EpubItem {
  readonly id: string;
  /** Entry name in the archive. */
  readonly path: string;
  readonly mediaType: string;
}

export interface EpubBook {
  /** The package document, for its metadata; undefined in a book so damaged that it is not there. */
  readonly packageDocument: Uint8Array | undefined;
  readonly chapters: readonly EpubItem[];
  /** Everything else in the manifest. */
  readonly resources: readonly EpubItem[];
}

type Read = (name: string) => Uint8Array | undefined;

export function readBook(zip: ZipArchive, read: Read): EpubBook {
  const root = packagePath(zip, read);
  const packageDocument = root === undefined ? undefined : read(root);
  if (root === undefined || packageDocument === undefined) {
    return { packageDocument: undefined, chapters: looseChapters(zip), resources: [] };
  }
  const items = new Map<string, EpubItem>();
  const spine: string[] = [];
  parseXml(packageDocument, {
    open: (name, attributes) => {
      const id = attributes.get('id') ?? '';
      const href = attributes.get('href');
      if (name === 'item' && href !== undefined) {
        items.set(id, { id, path: entryName(zip, root, href), mediaType: attributes.get('media-type') ?? '' });
      } else if (name === 'itemref') spine.push(attributes.get('idref') ?? '');
    },
  });
  const chapters = spine.flatMap((id) => items.get(id) ?? []).filter(isChapter);
  const inSpine = new Set(chapters);
  return { packageDocument, chapters, resources: [...items.values()].filter((item) => !inSpine.has(item)) };
}

/** Entries that digital rights management has encrypted. */
export function encryptedEntries(read: Read): ReadonlySet<string> {
  const found = new Set<string>();
  parseXml(read('META-INF/encryption.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'CipherReference') found.add(resolvePartName('/', attributes.get('URI') ?? '').slice(1));
    },
  });
  return found;
}

function packagePath(zip: ZipArchive, read: Read): string | undefined {
  let path: string | undefined;
  parseXml(read('META-INF/container.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'rootfile') path ??= attributes.get('full-path');
    },
  });
  return path ?? zip.entries.find((entry) => entry.name.toLowerCase().endsWith('.opf'))?.name;
}

/** The name as it is written, else with its escapes resolved. */
function entryName(zip: ZipArchive, root: string, href: string): string {
  const plain = root.slice(0, root.lastIndexOf('/') + 1) + href;
  return zip.find(plain) === undefined ? resolvePartName(`/${root}`, href).slice(1) : plain;
}

function isChapter(item: EpubItem): boolean {
  return item.mediaType === '' ? /\.(x?html?|xml)$/i.test(item.path) : item.mediaType.includes('html');
}

function looseChapters(zip: ZipArchive): EpubItem[] {
  return zip.entries
    .filter((entry) => /\.x?html?$/i.test(entry.name))
    .map((entry) => ({ id: entry.name, path: entry.name, mediaType: 'application/xhtml+xml' }));
}
