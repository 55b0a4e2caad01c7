import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { openOle, type OleContainer } from './ole.js';

/**
 * What is inside an embedded OLE object. The compound file around it is one of
 * - a wrapper with the real file in a stream `Package` or `CONTENTS`;
 * - a wrapper of the packager (`\u0001Ole10Native`), which adds a label and paths to the file's bytes;
 * - a document of its own (a workbook, a presentation), which is then the object itself.
 */
export interface OleObject {
  /** The packager's label; empty when the object has no name. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const NATIVE = '\u0001Ole10Native';
const PACKAGER = 2;
/** Where the code page of the writer is unknown. */
const LIKELY_CODE_PAGE = 'windows-1252';

/** Undefined when there is no wrapper: the bytes are the object themselves. */
export function readOleObject(bytes: Uint8Array): OleObject | undefined {
  const container = openQuietly(bytes);
  if (container === undefined) return undefined;
  const wrapped = ['Package', 'CONTENTS'].map((name) => container.read(name)).find((each) => each !== undefined);
  if (wrapped !== undefined) return { name: '', bytes: wrapped };
  const native = container.read(NATIVE);
  return native === undefined || native.length < 4 ? undefined : readPackage(native.subarray(4));
}

/**
 * The packager's data: 2 (2 bytes) · label\0 · file name\0 · flags (2) · unknown (2) · length (4) · path\0 ·
 * data size (4) · data · and, from newer programs, path, label and file name in UTF-16, each behind its number of units (4).
 * Anything else is the object's bytes as they are.
 */
export function readPackage(bytes: Uint8Array): OleObject {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const plain = { name: '', bytes: buffer };
  if (buffer.length < 2 || buffer.readUInt16LE(0) !== PACKAGER) return plain;
  const label = zeroTerminated(buffer, 2);
  const file = label && zeroTerminated(buffer, label.end);
  if (label === undefined || file === undefined || file.end + 8 > buffer.length) return plain;
  const size = file.end + 8 + buffer.readUInt32LE(file.end + 4);
  if (size + 4 > buffer.length) return plain;
  const end = size + 4 + buffer.readUInt32LE(size);
  return { name: unicodeLabel(buffer, end) ?? label.text, bytes: buffer.subarray(size + 4, end) };
}

/** The second of the strings behind the data. */
function unicodeLabel(buffer: Buffer, start: number): string | undefined {
  let at = start;
  let label: string | undefined;
  for (let index = 0; index < 2; index++) {
    if (at + 4 > buffer.length) return undefined;
    const end = at + 4 + buffer.readUInt32LE(at) * 2;
    if (end > buffer.length) return undefined;
    label = buffer.toString('utf16le', at + 4, end).replaceAll('\0', '');
    at = end;
  }
  return label === '' ? undefined : label;
}

function openQuietly(bytes: Uint8Array): OleContainer | undefined {
  try {
    return openOle(bytes);
  } catch {
    return undefined;
  }
}

function zeroTerminated(buffer: Buffer, start: number): { text: string; end: number } | undefined {
  const end = buffer.indexOf(0, start);
  if (end < 0) return undefined;
  const bytes = buffer.subarray(start, end);
  return { text: isUtf8(bytes) ? bytes.toString('utf8') : iconv.decode(bytes, LIKELY_CODE_PAGE), end: end + 1 };
}
