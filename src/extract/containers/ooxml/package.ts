import { CrawlerError } from '../../../base/errors.js';
import { parseXml, type XmlVisitor } from '../xml/xml.js';
import { readOrRecover } from '../zip/read-or-recover.js';
import { openZip, type ZipArchive } from '../zip/zip.js';
import type { ZipEntry } from '../zip/zip-record.js';
import type { FormatContext } from '../../format.js';
import { readContentTypes, type ContentTypes } from './content-types.js';
import { readRelationships, relationshipsPartOf, type Relationship } from './relationships.js';

/**
 * An Open Packaging Conventions package: a zip of parts, a list of their content types, and relationships that name how
 * one part uses another. Part names are absolute paths (`/word/document.xml`) and compare without case.
 *
 * A part may be split into pieces (`/page.fpage/[0].piece`, `/page.fpage/[1].last.piece`), as Windows writes XPS files.
 * A part that is missing or damaged costs a warning; what can be read of it is used.
 */
export class OoxmlPackage {
  readonly #zip: ZipArchive;
  readonly #context: FormatContext;
  /** Lower-case part name to the entries of its pieces. */
  readonly #parts = new Map<string, { name: string; entries: ZipEntry[] }>();
  readonly #relationships = new Map<string, readonly Relationship[]>();
  #types: ContentTypes | undefined;

  constructor(bytes: Uint8Array, context: FormatContext) {
    this.#context = context;
    this.#zip = openZip(bytes, {
      countBytes: (count) => context.countBytes(count),
      passwords: context.passwords,
    });
    for (const entry of this.#zip.entries) this.#addEntry(entry);
    if (this.#zip.recovered) context.warn('The package is damaged; its parts were recovered one by one.');
  }

  /** Names of all parts, in the order of the package. */
  get names(): string[] {
    return Array.from(this.#parts.values(), (part) => part.name);
  }

  has(name: string): boolean {
    return this.#parts.has(partKey(name));
  }

  /** The content of a part, or undefined when there is none or nothing of it is readable. */
  read(name: string): Uint8Array | undefined {
    const part = this.#parts.get(partKey(name));
    const [first, ...rest] = part?.entries ?? [];
    if (first === undefined) return undefined;
    if (rest.length === 0) return this.#readEntry(first);
    const pieces = [first, ...rest].map((entry) => this.#readEntry(entry) ?? new Uint8Array(0));
    return Buffer.concat(pieces);
  }

  /** Walks the XML of a part; false when there is no such part. */
  walk(name: string, visitor: XmlVisitor): boolean {
    const bytes = this.read(name);
    if (bytes === undefined) return false;
    parseXml(bytes, visitor);
    return true;
  }

  /** Of a part, or of the package itself (`/`). */
  relationships(source: string): readonly Relationship[] {
    const known = this.#relationships.get(source);
    if (known !== undefined) return known;
    const bytes = this.read(relationshipsPartOf(source));
    const found = bytes === undefined ? [] : readRelationships(bytes, source);
    this.#relationships.set(source, found);
    return found;
  }

  /** Targets inside the package of a part's relationships of one kind, each once; missing parts are left out. */
  related(source: string, kind: string): string[] {
    const found = this.relationships(source)
      .filter((each) => each.kind === kind && !each.external && this.has(each.target))
      .map((each) => each.target);
    return [...new Set(found)];
  }

  contentType(name: string): string | undefined {
    this.#types ??= readContentTypes(this.read('/[Content_Types].xml'));
    return this.#types.typeOf(name);
  }

  /** Names of the parts whose content type fits. */
  ofType(pattern: RegExp): string[] {
    return this.names.filter((name) => pattern.test(this.contentType(name) ?? ''));
  }

  /** The part where reading starts: what the package points at, else what has a fitting type or the usual name. */
  mainPart(kinds: readonly string[], pattern: RegExp, usualName: string): string {
    const named = kinds.flatMap((kind) => this.related('/', kind))[0];
    const found = named ?? this.ofType(pattern)[0] ?? (this.has(usualName) ? usualName : undefined);
    if (found === undefined) {
      throw new CrawlerError('corrupt', `The document has no main part; a part like [${usualName}] is missing.`);
    }
    return found;
  }

  #addEntry(entry: ZipEntry): void {
    if (entry.directory) return;
    const name = absolute(entry.name);
    const piece = /^(.+)\/\[\d+\](?:\.last)?\.piece$/i.exec(name)?.[1] ?? name;
    const part = this.#parts.get(partKey(piece));
    if (part === undefined) this.#parts.set(partKey(piece), { name: piece, entries: [entry] });
    else if (piece !== name) part.entries.push(entry);
  }

  #readEntry(entry: ZipEntry): Uint8Array | undefined {
    return readOrRecover(this.#zip, entry, (message) => this.#context.warn(message));
  }
}

function absolute(name: string): string {
  const path = name.replaceAll('\\', '/');
  return path.startsWith('/') ? path : `/${path}`;
}

function partKey(name: string): string {
  return name.toLowerCase();
}
