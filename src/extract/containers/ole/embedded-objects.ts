import type { OleContainer } from './ole.js';
import { readPackage } from './ole-object.js';
import { subContainer } from './ole-writer.js';
import type { EmbeddedPart } from '../../format.js';
import { decodeLatin1, decodeUtf16 } from '../charset/code-page.js';

/**
 * An object that an Office document embeds as a storage. It is an OOXML package, a file wrapped as "OLE 1.0 native data", a
 * file in a `CONTENTS` stream, or a whole OLE document that needs to become a file of its own.
 */
interface OleKind {
  readonly streams: readonly string[];
  /** Put behind the storage's name, as Tika names such parts. */
  readonly extension: string;
}

type ReadStream = (stream: string) => Uint8Array | undefined;

/** The first whose streams are all there, in upper case. */
const KINDS: readonly OleKind[] = [
  { streams: ['WORKBOOK'], extension: 'xls' },
  { streams: ['BOOK'], extension: 'xls' },
  { streams: ['WORDDOCUMENT'], extension: 'doc' },
  { streams: ['QUILL'], extension: 'pub' },
  { streams: ['POWERPOINT DOCUMENT'], extension: 'ppt' },
  { streams: ['VISIODOCUMENT'], extension: 'vsd' },
  { streams: ['MATOST'], extension: 'wps' },
  { streams: ['CONTENTS', 'SPELLING'], extension: 'wps' },
];

/** `printName` false where the surrounding format does not print the names of its objects. */
export interface EmbeddedObjectOptions {
  readonly name?: string | undefined;
  readonly printName?: boolean;
}

/** Undefined when there is nothing in the storage that could be read. */
export function embeddedObject(
  container: OleContainer,
  storage: string,
  options: EmbeddedObjectOptions = {},
): EmbeddedPart | undefined {
  const printName = options.printName ?? true;
  const name = options.name ?? storage.slice(storage.lastIndexOf('/') + 1);
  const prefix = storage === '' ? '' : `${storage}/`;
  const read: ReadStream = (stream) => container.read(prefix + stream);
  const packaged = read('Package');
  if (packaged !== undefined) return { name: '', bytes: packaged, printName: false };
  const entries = childNames(container, prefix);
  if (entries.size === 0) return undefined;
  const extension = KINDS.find(({ streams }) => streams.every((stream) => entries.has(stream)))?.extension;
  if (extension !== undefined)
    return { name: `${name}.${extension}`, bytes: subContainer(container, storage), printName };
  const native = read('\u0001Ole10Native');
  if (native !== undefined) return nativePart(native, name, printName);
  const contents = contentsOf(entries, read);
  if (contents !== undefined) return { name: name + extensionOf(contents), bytes: contents, printName };
  return { name: nameOfOther(name, entries, read), bytes: subContainer(container, storage), printName };
}

/** A message is named after its subject. */
function nameOfOther(name: string, entries: ReadonlySet<string>, read: ReadStream): string {
  const message = [...entries].some((entry) => entry.startsWith('__SUBSTG1.0_'));
  return message ? `${messageTitle(read) ?? name}.msg` : `${name}.unknown`;
}

/** Upper-case names of the streams and storages directly in a storage. */
function childNames(container: OleContainer, prefix: string): Set<string> {
  const names = new Set<string>();
  for (const path of [...container.paths, ...container.storages.keys()]) {
    if (path.startsWith(prefix)) names.add((path.slice(prefix.length).split('/')[0] ?? '').toUpperCase());
  }
  return names;
}

function contentsOf(entries: ReadonlySet<string>, read: ReadStream): Uint8Array | undefined {
  const wrapped = entries.has('\u0003OBJINFO') || entries.has('\u0001COMPOBJ');
  return wrapped && !entries.has('\u0003OCXNAME') ? read('CONTENTS') : undefined;
}

function extensionOf(bytes: Uint8Array): string {
  return decodeLatin1(bytes.subarray(0, 5)) === '%PDF-' ? '.pdf' : '.bin';
}

function messageTitle(read: ReadStream): string | undefined {
  const title = ['0037001F', '0E1D001F', '0070001F'].map((tag) => read(`__substg1.0_${tag}`)).find((each) => each);
  return title === undefined ? undefined : decodeUtf16(title.subarray(0, 1000)).trim() || undefined;
}

/** Behind its size stands the packager's data, or, in objects that were no file, only the data. */
function nativePart(bytes: Uint8Array, name: string, printName: boolean): EmbeddedPart | undefined {
  if (bytes.length < 6) return undefined;
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const object = readPackage(bytes.subarray(4, 4 + size));
  return { name: object.name === '' ? name : `${name}/${object.name}`, bytes: object.bytes, printName };
}
