import { decodeUtf16 } from '../../containers/charset/code-page.js';

/**
 * BIFF12, the records in the parts of a binary workbook (xlsb): a type of one or two bytes and a length of one to four,
 * each byte with seven bits and a sign that another follows; then the data.
 */
export interface BinaryRecord {
  readonly type: number;
  readonly data: RecordData;
}

export function* binaryRecords(part: Uint8Array): Generator<BinaryRecord> {
  for (let at = 0; at < part.length;) {
    const type = readNumber(part, at, 2);
    const length = readNumber(part, type.end, 4);
    at = length.end + length.value;
    yield { type: type.value, data: new RecordData(part.subarray(length.end, at)) };
  }
}

function readNumber(
  part: Uint8Array,
  start: number,
  maxBytes: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < maxBytes; index++) {
    const byte = part[start + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, end: start + index + 1 };
  }
  return { value, end: start + maxBytes };
}

/** Reads values one after the other; beyond the end they are zero and empty. */
export class RecordData {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  uint8(): number {
    return this.#has(1) ? this.#view.getUint8(this.#at++) : 0;
  }

  uint16(): number {
    return this.uint8() + this.uint8() * 0x100;
  }

  uint24(): number {
    return this.uint16() + this.uint8() * 0x10000;
  }

  uint32(): number {
    return this.uint16() + this.uint16() * 0x10000;
  }

  float64(): number {
    if (!this.#has(8)) return 0;
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  /** Characters of two bytes behind a length of four; all ones mean that there is no string. */
  string(): string {
    const length = this.uint32();
    if (length === 0xffffffff) return '';
    const end = Math.min(this.#at + length * 2, this.#view.byteLength);
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, Math.max(0, end - this.#at));
    this.#at = end;
    return decodeUtf16(bytes);
  }

  #has(bytes: number): boolean {
    return this.#at + bytes <= this.#view.byteLength;
  }
}
