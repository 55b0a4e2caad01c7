import type { OleContainer } from '../../containers/ole/ole.js';
import { decodeLatin1, decodeUtf16 } from '../../containers/charset/code-page.js';

/**
 * The properties of a message, a recipient or an attachment. Long values are streams named `__substg1.0_` and eight
 * hexadecimal digits, four for the property and four for its type; short values stand in `__properties_version1.0` behind
 * a header, 16 bytes each: type, property, flags, value.
 */
export type TextDecoding = (bytes: Uint8Array) => string;

const TYPE_STRING8 = '001E';
const TYPE_UNICODE = '001F';
const TYPE_BINARY = '0102';
const TYPE_TIME = 0x0040;
const ENTRY_BYTES = 16;
/** Milliseconds from 1601, where FILETIME begins, to 1970. */
const FILETIME_EPOCH_MS = 11_644_473_600_000;

/** Headers of the list of short values: of a message file, of a message inside one, of a recipient or an attachment. */
const HEADER_BYTES = [32, 24, 8] as const;

export class MapiStorage {
  readonly #container: OleContainer;
  readonly #prefix: string;
  #short: ReadonlyMap<number, DataView> | undefined;

  /** `prefix` ends in a slash, or is empty for the message itself. */
  constructor(container: OleContainer, prefix: string) {
    this.#container = container;
    this.#prefix = prefix;
  }

  get prefix(): string {
    return this.#prefix;
  }

  /** A string, whichever type it has. Empty ones count as missing. */
  text(property: string, decode: TextDecoding): string | undefined {
    const unicode = this.#stream(property, TYPE_UNICODE);
    if (unicode !== undefined) return nonEmpty(decodeUtf16(unicode));
    const narrow = this.#stream(property, TYPE_STRING8);
    return narrow === undefined ? undefined : nonEmpty(decode(narrow));
  }

  /** The bytes of a string that is not Unicode, for guessing its code page. */
  narrowText(property: string): Uint8Array | undefined {
    return this.#stream(property, TYPE_STRING8);
  }

  binary(property: string): Uint8Array | undefined {
    return this.#stream(property, TYPE_BINARY);
  }

  number(property: number): number | undefined {
    return this.#shortValues().get(property)?.getUint32(8, true);
  }

  time(property: number): Date | undefined {
    const entry = this.#shortValues().get(property);
    if (entry?.getUint16(0, true) !== TYPE_TIME) return undefined;
    const time = new Date(Number(entry.getBigUint64(8, true) / 10_000n) - FILETIME_EPOCH_MS);
    return Number.isNaN(time.getTime()) ? undefined : time;
  }

  #stream(property: string, type: string): Uint8Array | undefined {
    return this.#container.read(`${this.#prefix}__substg1.0_${property}${type}`);
  }

  #shortValues(): ReadonlyMap<number, DataView> {
    this.#short ??= readShortValues(
      this.#container.read(`${this.#prefix}__properties_version1.0`),
      this.#prefix !== '',
    );
    return this.#short;
  }
}

/** A message inside another has a shorter header than a file; what remains must be whole entries. */
function readShortValues(bytes: Uint8Array | undefined, part: boolean): Map<number, DataView> {
  const values = new Map<number, DataView>();
  if (bytes === undefined) return values;
  const [file, inner, small] = HEADER_BYTES;
  const header = part ? small : bytes.length % ENTRY_BYTES === 0 ? file : inner;
  for (let at = header; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const entry = new DataView(bytes.buffer, bytes.byteOffset + at, ENTRY_BYTES);
    values.set(entry.getUint16(2, true), entry);
  }
  return values;
}

function nonEmpty(text: string): string | undefined {
  const clean = text.replaceAll('\0', '');
  return clean === '' ? undefined : clean;
}

/** Text that is ASCII whatever the code page. */
export function asciiText(bytes: Uint8Array): string {
  return decodeLatin1(bytes);
}
