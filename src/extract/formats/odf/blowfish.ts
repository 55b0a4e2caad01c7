/**
 * Blowfish, which OpenDocument files before version 1.2 are encrypted with, in cipher feedback mode; OpenSSL 3 no longer
 * offers it. A block is two 32-bit halves; 16 rounds each mix one half, through four tables of 256 numbers, into the other.
 * The tables and the 18 round keys start as the digits of π in base 2, and are then changed by the key.
 */
const ROUNDS = 16;
const KEYS = ROUNDS + 2;
const TABLE = 256;
const NUMBERS = KEYS + 4 * TABLE;
const BLOCK = 8;

export function decryptBlowfishCfb(data: Uint8Array, key: Buffer, iv: Buffer): Buffer {
  const cipher = new Blowfish(key);
  const plain = Buffer.alloc(data.length);
  let left = iv.readUInt32BE(0);
  let right = iv.readUInt32BE(4);
  const encrypted = Buffer.alloc(BLOCK);
  for (let position = 0; position < data.length; position += BLOCK) {
    [left, right] = cipher.encrypt(left, right);
    const mask = [left >>> 24, left >>> 16, left >>> 8, left, right >>> 24, right >>> 16, right >>> 8, right];
    const size = Math.min(BLOCK, data.length - position);
    for (let index = 0; index < size; index++) {
      const byte = data[position + index] ?? 0;
      encrypted[index] = byte;
      plain[position + index] = byte ^ ((mask[index] ?? 0) & 0xff);
    }
    left = encrypted.readUInt32BE(0);
    right = encrypted.readUInt32BE(4);
  }
  return plain;
}

class Blowfish {
  /** The round keys, then the four tables. */
  readonly #numbers: Uint32Array;

  constructor(key: Buffer) {
    this.#numbers = digitsOfPi().slice();
    for (let index = 0; index < KEYS; index++) {
      const at = index * 4;
      const part = [0, 1, 2, 3].reduce((value, step) => (value << 8) | (key[(at + step) % key.length] ?? 0), 0);
      this.#numbers[index] = (this.#numbers[index] ?? 0) ^ part;
    }
    let [left, right] = [0, 0];
    for (let index = 0; index < NUMBERS; index += 2) {
      [left, right] = this.encrypt(left, right);
      this.#numbers[index] = left;
      this.#numbers[index + 1] = right;
    }
  }

  encrypt(left: number, right: number): [number, number] {
    let [one, other] = [left, right];
    for (let round = 0; round < ROUNDS; round++) {
      one = (one ^ this.#at(round)) >>> 0;
      [one, other] = [(other ^ this.#mix(one)) >>> 0, one];
    }
    return [(other ^ this.#at(ROUNDS + 1)) >>> 0, (one ^ this.#at(ROUNDS)) >>> 0];
  }

  #mix(half: number): number {
    const sum = this.#table(0, half >>> 24) + this.#table(1, (half >>> 16) & 0xff);
    return ((sum ^ this.#table(2, (half >>> 8) & 0xff)) + this.#table(3, half & 0xff)) >>> 0;
  }

  #table(table: number, index: number): number {
    return this.#at(KEYS + table * TABLE + index);
  }

  #at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}

let pi: Uint32Array | undefined;

/** The fraction of π by Machin's formula, π = 16 arctan(1/5) − 4 arctan(1/239), in fixed point. */
function digitsOfPi(): Uint32Array {
  if (pi !== undefined) return pi;
  const guard = 64n;
  const bits = BigInt(NUMBERS * 32);
  const one = 1n << (bits + guard);
  const value = (16n * inverseArctan(5n, one) - 4n * inverseArctan(239n, one)) >> guard;
  const hex = (value - (3n << bits)).toString(16).padStart(NUMBERS * 8, '0');
  pi = Uint32Array.from({ length: NUMBERS }, (_, index) => Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16));
  return pi;
}

/** arctan(1/x) × `one`. */
function inverseArctan(x: bigint, one: bigint): bigint {
  let power = one / x;
  let sum = power;
  for (let divisor = 3n, sign = -1n; power > 0n; divisor += 2n, sign = -sign) {
    power /= x * x;
    sum += (sign * power) / divisor;
  }
  return sum;
}
