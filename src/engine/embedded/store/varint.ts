/** SQLite's variable-length integers: seven bits a byte, the highest first; a ninth byte counts whole. */
export interface Varint {
  readonly value: number;
  /** Where the next one begins. */
  readonly next: number;
}

const LONGEST = 9;

/** Values beyond 2^53 lose their lowest bits: none that is read here is that large in a sound file. */
export function readVarint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  for (let length = 1; length < LONGEST; length += 1) {
    const byte = bytes[at + length - 1] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, next: at + length };
  }
  return { value: value * 256 + (bytes[at + LONGEST - 1] ?? 0), next: at + LONGEST };
}
