import type { FormatContext } from '../../format.js';
import type { PdfDocument } from './pdf-document.js';
import { parsePdfDate } from './pdf-date.js';
import type { PdfObjects } from './objects/pdf-objects.js';
import type { PdfDict, PdfValue } from './objects/pdf-value.js';
import { readXmp, type XmpValue } from './xmp.js';

/**
 * What a PDF says about itself, under Tika's keys. XMP comes first; the information dictionary fills what XMP lacks and
 * stays readable as it is below `pdf:docinfo:`.
 */
export function writePdfMetadata(objects: PdfObjects, context: FormatContext): void {
  const sink = new MetadataSink(context);
  const { entries } = objects.catalog;
  sink.once('dc:language', objects.text(entries.get('Lang')));
  const form = objects.dict(entries.get('AcroForm'));
  if (objects.items(form?.entries.get('Fields')).length > 0) sink.once('pdf:hasAcroFormFields', 'true');
  sink.once('pdf:hasXFA', String(form?.entries.has('XFA') === true));
  sink.once('pdf:hasCollection', String(entries.has('Collection')));
  sink.once('pdf:hasMarkedContent', String(objects.dict(entries.get('StructTreeRoot'))?.entries.has('K') === true));
  const information = objects.dict(objects.trailer.get('Info'));
  sink.add('dc:subject', objects.text(information?.entries.get('Keywords')));
  writeXmp(objects, sink);
  if (information !== undefined) writeInformation(information, objects, sink);
}

/** Adobe Illustrator's files are PDFs with its own data at the first page. */
export function isIllustratorFile(objects: PdfObjects, firstPage: number): boolean {
  let dict = objects.dict({ kind: 'reference', number: firstPage });
  for (const key of ['PieceInfo', 'Illustrator', 'Private']) dict = objects.dict(dict?.entries.get(key));
  return dict !== undefined;
}

/** Version, number of pages, encryption and permissions. */
export function writeFileMetadata(document: PdfDocument, context: FormatContext): void {
  context.setMeta('xmpTPg:NPages', String(document.pageCount));
  if (document.version !== undefined) {
    context.setMeta('pdf:PDFVersion', document.version);
    context.meta('dc:format', `application/pdf; version=${document.version}`);
  }
  context.setMeta('pdf:encrypted', String(document.encrypted));
  for (const [name, bit] of PERMISSIONS) {
    context.setMeta(`access_permission:${name}`, String((document.permissions & (1 << (bit - 1))) !== 0));
  }
}

/** Names of the permissions and their bits, counted from 1 as in the specification. */
const PERMISSIONS: readonly (readonly [string, number])[] = [
  ['can_print', 3],
  ['can_modify', 4],
  ['extract_content', 5],
  ['modify_annotations', 6],
  ['fill_in_form', 9],
  ['extract_for_accessibility', 10],
  ['assemble_document', 11],
  ['can_print_faithful', 12],
];

/** Keys of the information dictionary, the name below `pdf:docinfo:` and the general keys that they also fill. */
const INFORMATION: readonly (readonly [string, string, readonly string[]])[] = [
  ['Title', 'title', ['dc:title']],
  ['Author', 'creator', ['dc:creator']],
  ['Creator', 'creator_tool', ['xmp:CreatorTool']],
  ['Keywords', 'keywords', []],
  ['Producer', 'producer', ['pdf:producer']],
  ['Subject', 'subject', []],
];

class MetadataSink {
  readonly #context: FormatContext;
  readonly #values = new Map<string, Set<string>>();

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** A key with one value: the first that is not blank. */
  once(key: string, value: string | Date | undefined): void {
    if (!this.#values.has(key)) this.add(key, value);
  }

  /** A key with several values, each once. */
  add(key: string, value: string | Date | undefined): void {
    const text = value instanceof Date ? value.toISOString() : (value ?? '').replaceAll('\0', '');
    if (text.trim() === '' || this.#values.get(key)?.has(text) === true) return;
    this.#values.set(key, (this.#values.get(key) ?? new Set()).add(text));
    this.#context.meta(key, value instanceof Date ? value : text);
  }
}

function writeInformation(information: PdfDict, objects: PdfObjects, sink: MetadataSink): void {
  const text = (key: string): string | undefined => objects.text(information.entries.get(key));
  for (const [key, name, general] of INFORMATION) {
    sink.once(`pdf:docinfo:${name}`, text(key));
    for (const other of general) sink.once(other, text(key));
  }
  sink.add('dc:subject', text('Subject'));
  sink.once('pdf:docinfo:trapped', text('Trapped') ?? objects.name(information.entries.get('Trapped')));
  for (const [key, name, general] of [
    ['CreationDate', 'created', 'dcterms:created'],
    ['ModDate', 'modified', 'dcterms:modified'],
  ] as const) {
    const date = parsePdfDate(text(key));
    sink.once(`pdf:docinfo:${name}`, date);
    sink.once(general, date);
  }
  for (const [key, value] of information.entries) {
    if (STANDARD.has(key)) continue;
    for (const item of objects.items(value)) {
      const custom = plainText(objects, item);
      sink.add(key, custom);
      sink.add(`pdf:docinfo:custom:${key}`, custom);
    }
  }
}

const STANDARD = new Set([...INFORMATION.map(([key]) => key), 'Trapped', 'CreationDate', 'ModDate']);

function plainText(objects: PdfObjects, value: PdfValue): string | undefined {
  const resolved = objects.resolve(value);
  if (typeof resolved === 'number' || typeof resolved === 'boolean') return String(resolved);
  if (typeof resolved === 'object' && resolved?.kind === 'stream') return undefined;
  return objects.text(resolved) ?? objects.name(resolved);
}

function writeXmp(objects: PdfObjects, sink: MetadataSink): void {
  const stream = objects.stream(objects.catalog.entries.get('Metadata'));
  sink.once('pdf:hasXMP', String(stream !== undefined));
  const bytes = stream === undefined ? undefined : objects.streamBytes(stream);
  if (bytes === undefined) return;
  const values = readXmp(bytes);
  for (const value of values) writeXmpValue(value, sink);
  const [part, conformance] = ['pdfaid:part', 'pdfaid:conformance'].map(
    (key) => values.find((each) => each.key === key)?.text,
  );
  if (part !== undefined) sink.once('pdfa:PDFVersion', `A-${part}${conformance?.toLowerCase() ?? ''}`);
}

/** What also keeps its name in XMP, since the information dictionary may say something else. */
const XMP_NAMES: ReadonlyMap<string, string> = new Map([
  ['dc:creator', 'xmp:dc:creator'],
  ['dc:description', 'xmp:dc:description'],
  ['dc:subject', 'xmp:dc:subject'],
  ['dc:title', 'xmp:dc:title'],
  ['meta:keyword', 'xmp:pdf:Keywords'],
  ['pdf:producer', 'xmp:pdf:Producer'],
]);

function writeXmpValue({ key, kind, text, language }: XmpValue, sink: MetadataSink): void {
  if (kind === 'date') {
    const date = new Date(text);
    if (!Number.isNaN(date.getTime())) sink.once(key, date);
  } else if (kind === 'list') sink.add(key, text);
  else sink.once(key, text);
  if (language !== undefined) sink.once(`${key}:${language}`, text);
  const own = XMP_NAMES.get(key);
  if (own === undefined) return;
  if (kind === 'list') sink.add(own, text);
  else sink.once(own, text);
  if (language !== undefined) sink.once(`${own}:${language}`, text);
}
