import { typeOfMagic } from './magic.js';
import { typeOfName, type ContentKind } from './name-types.js';
import { isTar } from './tar-type.js';
import { beginsAsText, textFamily, type TextEncodingFamily } from './text-likeness.js';
import { typeOfText } from './text-types.js';
import { GZIP, MP4, OLE, TEXT, UNKNOWN, XML, ZIP } from './type-names.js';

/**
 * The media type of a document, under the names that Tika uses.
 *
 * Content decides first: fixed bytes of binary formats (`magic-table.ts`), the contents of containers (`zip-types.ts`,
 * `ole-types.ts`), the beginning of text (`text-types.ts`, `xml-types.ts`). The name only refines what the content allows
 * (`name-types.ts`): text called `.java` is Java source, but a PDF called `.java` is a PDF.
 */
const TEXT_HEAD_BYTES = 16 * 1024;

/** Signatures that are text themselves; other signatures made of letters are a coincidence when everything is text. */
const TEXTUAL_SIGNATURES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'application/fits',
  'application/warc',
  'application/x-archive',
  'application/x-bittorrent',
  'application/x-cpio',
  'application/x-debian-package',
  'application/x-internet-archive',
  'application/x-sas-xport',
  'image/nitf',
  'image/x-portable-bitmap',
  'image/x-portable-graymap',
  'image/x-portable-pixmap',
]);

/** What may refine a general type: names of these kinds. */
const REFINEMENTS: Readonly<Record<string, readonly ContentKind[]>> = {
  [TEXT]: ['text', 'xml'],
  [XML]: ['xml'],
  [ZIP]: ['zip'],
  [OLE]: ['ole'],
  [GZIP]: ['gzip'],
  [MP4]: ['mp4'],
  [UNKNOWN]: ['text', 'xml', 'zip', 'ole', 'gzip', 'mp4', 'binary'],
};

/** Special cases of special cases: the name may turn the first into one of the others. */
const SPECIAL_REFINEMENTS: Readonly<Record<string, readonly string[]>> = {
  'application/java-archive': [
    'application/vnd.android.package-archive',
    'application/x-tika-java-enterprise-archive',
    'application/x-tika-java-web-archive',
  ],
  'application/pdf': ['application/illustrator'],
  'application/vnd.oasis.opendocument.tika.flat.document': [
    'application/vnd.oasis.opendocument.flat.graphics',
    'application/vnd.oasis.opendocument.flat.presentation',
    'application/vnd.oasis.opendocument.flat.spreadsheet',
    'application/vnd.oasis.opendocument.flat.text',
  ],
  'application/x-matroska': ['audio/x-matroska', 'video/webm', 'video/x-matroska'],
  'application/x-tar': ['application/x-gtar'],
  'application/x-tex': ['application/x-latex'],
  'image/heif': ['image/heic'],
  'message/rfc822': ['multipart/related'],
  'video/mp4': ['audio/mp4', 'video/x-m4v'],
  'video/x-ms-asf': ['audio/x-ms-wma', 'video/x-ms-wmv'],
};

/** Types by the first bytes only: containers are not looked into. Enough of the head is 64 KiB. */
export function detectByHead(head: Uint8Array, name: string): string {
  if (head.length === 0) return typeOfName(name)?.type ?? UNKNOWN;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  return refineByName(typeOfContent(bytes), name);
}

/** The type of a whole document. */
export async function detectType(document: Uint8Array, name: string): Promise<string> {
  return await lookInside(detectByHead(document, name), document, name);
}

/** Refines a type found by the head with what is inside, now that all bytes are there. */
export async function lookInside(type: string, document: Uint8Array, name: string): Promise<string> {
  if (isZip(document)) {
    const { typeOfZip } = await import('./zip-types.js');
    return refineByName(typeOfZip(document, name), name);
  }
  if (isOle(document)) {
    const { typeOfOle } = await import('./ole-types.js');
    return refineByName(typeOfOle(document), name);
  }
  return type;
}

/** True for types that differ only in their contents. */
export function needsLookInside(head: Uint8Array): boolean {
  return isZip(head) || isOle(head);
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 0x08;
}

function isOle(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
}

function typeOfContent(bytes: Buffer): string {
  const magic = typeOfMagic(bytes);
  if (magic !== undefined && (TEXTUAL_SIGNATURES.has(magic) || !beginsAsText(bytes))) return magic;
  if (isTar(bytes)) return 'application/x-tar';
  const family = textFamily(bytes);
  return family === undefined ? UNKNOWN : typeOfText(headOf(bytes, family));
}

function headOf(bytes: Buffer, family: TextEncodingFamily): string {
  const head = bytes.subarray(0, TEXT_HEAD_BYTES);
  if (family === 'bytes') {
    const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    return head.toString('latin1', start);
  }
  const even = head.subarray(0, head.length & ~1);
  const text = (family === 'utf-16le' ? even : Buffer.from(even).swap16()).toString('utf16le');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function refineByName(type: string, name: string): string {
  const named = typeOfName(name);
  if (named === undefined || named.type === type) return type;
  const kinds = REFINEMENTS[type];
  if (kinds !== undefined) return kinds.includes(named.kind) ? named.type : type;
  return SPECIAL_REFINEMENTS[type]?.includes(named.type) === true ? named.type : type;
}
