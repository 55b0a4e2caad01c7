/**
 * CRC-64 as in ECMA-182, bits reflected. 64-bit numbers are two halves of 32 bits; the table holds for each byte what it does
 * to them.
 */
const POLYNOMIAL_LOW = 0xd7870f42;
const POLYNOMIAL_HIGH = 0xc96c5795;

const [LOW, HIGH] = makeTables();

function makeTables(): [Int32Array, Int32Array] {
  const lows = new Int32Array(256);
  const highs = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let low = byte;
    let high = 0;
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) === 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) {
        low ^= POLYNOMIAL_LOW;
        high ^= POLYNOMIAL_HIGH;
      }
    }
    lows[byte] = low;
    highs[byte] = high;
  }
  return [lows, highs];
}

export class Crc64 {
  #low = -1;
  #high = -1;

  update(bytes: Uint8Array): void {
    let low = this.#low;
    let high = this.#high;
    for (const byte of bytes) {
      const index = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (LOW[index] ?? 0);
      high = (high >>> 8) ^ (HIGH[index] ?? 0);
    }
    this.#low = low;
    this.#high = high;
  }

  /** Eight bytes, lowest first. */
  end(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(~this.#low, 0);
    bytes.writeInt32LE(~this.#high, 4);
    return bytes;
  }
}
