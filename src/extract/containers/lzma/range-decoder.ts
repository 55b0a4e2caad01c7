import { CrawlerError } from '../../../base/errors.js';

/**
 * The range coder of LZMA: turns bytes into bits of which each is more or less expected.
 *
 * A number `range` is divided at `bound`, in proportion to how probable a zero is (11 bits of precision); `code`, which is
 * read from the input, lies below or above it: that is the bit. The probability then moves by a 32nd towards what was seen.
 * Whenever the range has less than 24 bits, both numbers are shifted by a byte and the next byte of input comes in.
 */
const PROBABILITY_BITS = 11;
const CERTAINTY = 1 << PROBABILITY_BITS;
const ADAPTATION = 5;
const SMALLEST_RANGE = 0x1000000;
const HEADER_BYTES = 5;

/** Where all probabilities begin: a zero is as likely as a one. */
export const UNDECIDED = CERTAINTY / 2;

export class RangeDecoder {
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #range = 0;
  #code = 0;

  /** The first byte that was not read. */
  get position(): number {
    return this.#at;
  }

  /** Begins with the five bytes at `at`, of which the first is zero. */
  start(input: Uint8Array, at: number): void {
    if (input[at] !== 0 || at + HEADER_BYTES > input.length) throw damagedLzma();
    this.#input = input;
    this.#at = at + HEADER_BYTES;
    this.#range = 0xffffffff;
    this.#code = 0;
    for (let next = at + 1; next < this.#at; next++) this.#code = ((this.#code << 8) | (input[next] ?? 0)) >>> 0;
  }

  /** One bit under the probability at `index`, which it changes. */
  bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index] ?? 0;
    const bound = Math.imul(this.#range >>> PROBABILITY_BITS, probability) >>> 0;
    let bit = 0;
    if (this.#code < bound) {
      this.#range = bound;
      probabilities[index] = probability + ((CERTAINTY - probability) >>> ADAPTATION);
    } else {
      this.#range = (this.#range - bound) >>> 0;
      this.#code = (this.#code - bound) >>> 0;
      probabilities[index] = probability - (probability >>> ADAPTATION);
      bit = 1;
    }
    if (this.#range < SMALLEST_RANGE) this.#shift();
    return bit;
  }

  /** A number of `bits` bits, highest first: each bit chooses the branch whose probability the next one has. */
  tree(probabilities: Uint16Array, root: number, bits: number): number {
    let node = 1;
    for (let count = 0; count < bits; count++) node = (node << 1) | this.bit(probabilities, root + node);
    return node - (1 << bits);
  }

  /** The same, lowest bit first. */
  reverseTree(probabilities: Uint16Array, root: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let count = 0; count < bits; count++) {
      const bit = this.bit(probabilities, root + node);
      node = (node << 1) | bit;
      value |= bit << count;
    }
    return value;
  }

  /** A number of bits of which nothing is expected. */
  direct(bits: number): number {
    let value = 0;
    for (let count = 0; count < bits; count++) {
      this.#range >>>= 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit === 1) this.#code = (this.#code - this.#range) >>> 0;
      value = ((value << 1) | bit) >>> 0;
      if (this.#range < SMALLEST_RANGE) this.#shift();
    }
    return value;
  }

  #shift(): void {
    if (this.#at >= this.#input.length) throw damagedLzma();
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#input[this.#at++] ?? 0)) >>> 0;
  }
}

export function damagedLzma(): CrawlerError {
  return new CrawlerError('corrupt', 'The LZMA data is damaged or cut off.');
}
