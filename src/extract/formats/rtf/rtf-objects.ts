import { readOleObject, readPackage } from '../../containers/ole/ole-object.js';

/**
 * Pictures and objects in an RTF file. Both stand in hexadecimal digits (or behind `\bin`).
 *
 * An object's data is an OLE 1 record: version (4), format (4; 2 is embedded), class name, topic and item as counted
 * strings, size (4), and the data of the class: the packager's record, or a compound file.
 */
export interface RtfObject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const EMBEDDED = 2;

/** Collects hexadecimal digits and raw bytes into one buffer. */
export class HexData {
  readonly #pieces: Buffer[] = [];
  #digits = '';

  addDigits(text: string): void {
    this.#digits += text;
    if (this.#digits.length > 64 * 1024) this.#decode();
  }

  addBytes(bytes: Uint8Array): void {
    this.#decode();
    this.#pieces.push(Buffer.from(bytes));
  }

  take(): Buffer {
    this.#decode();
    return Buffer.concat(this.#pieces.splice(0));
  }

  /** An odd digit at the end waits for its partner. */
  #decode(): void {
    const digits = this.#digits.replace(/[^\da-fA-F]+/g, '');
    const even = digits.length - (digits.length % 2);
    if (even > 0) this.#pieces.push(Buffer.from(digits.slice(0, even), 'hex'));
    this.#digits = digits.slice(even);
  }
}

const pictureTypes: readonly (readonly [number, string])[] = [
  [0x89504e47, 'png'],
  [0xffd8ff, 'jpg'],
  [0x47494638, 'gif'],
  [0x424d, 'bmp'],
  [0x01000900, 'wmf'],
  [0xd7cdc69a, 'wmf'],
  [0x01000000, 'emf'],
];

export function pictureExtension(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.subarray(0, 4));
  for (const [magic, extension] of pictureTypes) {
    const size = magic > 0xffffff || magic === 0x01000900 || magic === 0x01000000 ? 4 : magic > 0xffff ? 3 : 2;
    if (buffer.length >= size && buffer.readUIntBE(0, size) === magic) return extension;
  }
  return 'bin';
}

const classExtensions: readonly (readonly [RegExp, string])[] = [
  [/^Word\.\w+\.12/i, 'docx'],
  [/^Excel\.\w+\.12/i, 'xlsx'],
  [/^PowerPoint\.\w+\.12/i, 'pptx'],
  [/^Word\./i, 'doc'],
  [/^Excel\./i, 'xls'],
  [/^PowerPoint\./i, 'ppt'],
];

/** Undefined for links and for data that ends too early. `number` names objects that have no name of their own. */
export function readObjectData(data: Buffer, number: number): RtfObject | undefined {
  if (data.length < 12 || data.readUInt32LE(4) !== EMBEDDED) return undefined;
  const className = countedString(data, 8);
  const topic = className && countedString(data, className.end);
  const item = topic && countedString(data, topic.end);
  if (className === undefined || item === undefined || item.end + 4 > data.length) return undefined;
  const content = data.subarray(item.end + 4, item.end + 4 + data.readUInt32LE(item.end));
  return className.text === 'Package' ? readPackage(content) : unwrap(content, className.text, number);
}

function unwrap(content: Buffer, className: string, number: number): RtfObject {
  const extension = classExtensions.find(([pattern]) => pattern.test(className))?.[1] ?? 'bin';
  const name = `file_${number}.${extension}`;
  const object = readOleObject(content);
  return object === undefined ? { name, bytes: content } : { name: object.name || name, bytes: object.bytes };
}

function countedString(data: Buffer, at: number): { text: string; end: number } | undefined {
  if (at + 4 > data.length) return undefined;
  const end = at + 4 + data.readUInt32LE(at);
  return end > data.length ? undefined : { text: data.toString('latin1', at + 4, end).replace(/\0+$/, ''), end };
}
