import iconv from 'iconv-lite';

/**
 * A list of MAPI properties inside a TNEF attribute: u32 count, then each
 *
 *     u16 type · u16 id
 *     ids from 0x8000 on are named:   GUID (16 bytes) · u32 kind · kind 0: u32 number, kind 1: u32 length · UTF-16, padded
 *     types of variable length and types with the multi-value flag 0x1000:   u32 number of values
 *     each value:   fixed types 4, 8 or 16 bytes; variable types u32 length · data, padded to four bytes
 *
 * Reading stops at the first thing that does not fit; what was read until then counts.
 */
const MULTI_VALUE = 0x1000;
const NAMED = 0x8000;
const TYPE = { object: 0x000d, string8: 0x001e, unicode: 0x001f, time: 0x0040, binary: 0x0102 } as const;
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [0x0002, 4],
  [0x0003, 4],
  [0x0004, 4],
  [0x0005, 8],
  [0x0006, 8],
  [0x0007, 8],
  [0x000a, 4],
  [0x000b, 4],
  [0x0014, 8],
  [TYPE.time, 8],
  [0x0048, 16],
]);

/** A property of type object starts with the id of its interface; only messages are read. */
const MESSAGE_INTERFACE = Buffer.from('0703020000000000c000000000000046', 'hex');
const INTERFACE_BYTES = 16;

interface Property {
  readonly type: number;
  readonly value: Buffer;
}

export class MapiProperties {
  readonly #properties = new Map<number, Property>();
  readonly #codePage: string;

  constructor(bytes: Buffer | undefined, codePage: string) {
    this.#codePage = codePage;
    if (bytes === undefined || bytes.length < 4) return;
    try {
      this.#read(bytes);
    } catch (error) {
      if ((error as Error).name !== 'RangeError') throw error;
      // The list is cut off: Buffer refuses to read beyond its end.
    }
  }

  text(id: number): string | undefined {
    const property = this.#properties.get(id);
    if (property?.type === TYPE.unicode) return withoutNul(property.value.toString('utf16le'));
    if (property?.type === TYPE.string8) return withoutNul(iconv.decode(property.value, this.#codePage));
    return undefined;
  }

  binary(id: number): Buffer | undefined {
    const property = this.#properties.get(id);
    return property?.type === TYPE.binary ? property.value : undefined;
  }

  embeddedMessage(id: number): Buffer | undefined {
    const property = this.#properties.get(id);
    if (property?.type !== TYPE.object) return undefined;
    const isMessage = property.value.subarray(0, INTERFACE_BYTES).equals(MESSAGE_INTERFACE);
    return isMessage ? property.value.subarray(INTERFACE_BYTES) : undefined;
  }

  /** FILETIME: tenths of a microsecond since 1601. */
  time(id: number): Date | undefined {
    const property = this.#properties.get(id);
    if (property?.type !== TYPE.time || property.value.length < 8) return undefined;
    const date = new Date(Number(property.value.readBigUInt64LE(0) / 10_000n) - 11_644_473_600_000);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }

  #read(bytes: Buffer): void {
    const count = bytes.readUInt32LE(0);
    let at = 4;
    for (let i = 0; i < count; i++) {
      const type = bytes.readUInt16LE(at);
      const id = bytes.readUInt16LE(at + 2);
      at = id >= NAMED ? afterName(bytes, at + 4) : at + 4;
      const baseType = type & ~MULTI_VALUE;
      const fixed = FIXED_BYTES.get(baseType);
      let values = 1;
      if (fixed === undefined || baseType !== type) {
        values = bytes.readUInt32LE(at);
        at += 4;
      }
      for (let n = 0; n < values; n++) {
        const start = fixed === undefined ? at + 4 : at;
        const end = start + (fixed ?? bytes.readUInt32LE(at));
        if (end > bytes.length) throw new RangeError('A property reaches beyond the list.');
        if (n === 0 && id < NAMED) this.#properties.set(id, { type: baseType, value: bytes.subarray(start, end) });
        at = padded(end);
      }
    }
  }
}

function afterName(bytes: Buffer, at: number): number {
  const kind = bytes.readUInt32LE(at + 16);
  const length = bytes.readUInt32LE(at + 20);
  return kind === 0 ? at + 24 : padded(at + 24 + length);
}

/** Everything in a list has a length of a multiple of four, so padding by position is padding by length. */
function padded(at: number): number {
  return Math.ceil(at / 4) * 4;
}

function withoutNul(text: string): string | undefined {
  return text.replace(/\0+$/, '') || undefined;
}
