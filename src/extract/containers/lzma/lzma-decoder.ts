import { damagedLzma, RangeDecoder, UNDECIDED } from './range-decoder.js';
import type { SlidingWindow } from './sliding-window.js';

/**
 * The LZMA decoder: a row of symbols, each a literal byte or a repetition of earlier output.
 *
 * A repetition is a distance and a length. The distance is new, or one of the last four (then the bits say only which), or the
 * last one with length 1. What kinds the last symbols were is the `state` (0 to 6 after a literal, 7 to 11 after a
 * repetition); it and the lowest bits of the position choose the probabilities of the next bits. Literals depend on the high
 * bits of the byte before (`lc`) and the low bits of the position (`lp`); after a repetition also on the byte that would have
 * continued it. All probabilities stand in one array, one model after the other.
 */
export interface LzmaProperties {
  readonly lc: number;
  readonly lp: number;
  readonly pb: number;
}

const STATES = 12;
const POSITIONS = 16;
const LENGTH_MODEL = 2 + POSITIONS * 8 * 2 + 256;
const LITERAL_MODEL = 0x300;

const IS_MATCH = 0;
const IS_REPEATED = IS_MATCH + STATES * POSITIONS;
const IS_NOT_LAST = IS_REPEATED + STATES;
const IS_NOT_SECOND = IS_NOT_LAST + STATES;
const IS_NOT_THIRD = IS_NOT_SECOND + STATES;
const IS_LONG = IS_NOT_THIRD + STATES;
const DISTANCE_SLOT = IS_LONG + STATES * POSITIONS;
const DISTANCE_REST = DISTANCE_SLOT + 4 * 64;
const DISTANCE_LOW = DISTANCE_REST + 128;
const MATCH_LENGTH = DISTANCE_LOW + 16;
const REPEATED_LENGTH = MATCH_LENGTH + LENGTH_MODEL;
const LITERALS = REPEATED_LENGTH + LENGTH_MODEL;

const SHORTEST_MATCH = 2;
/** The distance that means the end of the data. */
const END_MARK = 0xffffffff;

/** lc, lp and pb are packed into one byte: (pb * 5 + lp) * 9 + lc. */
export function parseProperties(byte: number): LzmaProperties {
  if (byte >= 9 * 5 * 5) throw damagedLzma();
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) };
}

export class LzmaDecoder {
  readonly #window: SlidingWindow;
  readonly #range = new RangeDecoder();
  #probabilities = new Uint16Array(0);
  #lc = 0;
  #literalMask = 0;
  #positionMask = 0;
  #state = 0;
  /** The last four distances, less one. */
  #distance0 = 0;
  #distance1 = 0;
  #distance2 = 0;
  #distance3 = 0;

  constructor(window: SlidingWindow) {
    this.#window = window;
  }

  /** Takes other properties; `reset` must follow. */
  configure({ lc, lp, pb }: LzmaProperties): void {
    this.#lc = lc;
    this.#literalMask = (1 << lp) - 1;
    this.#positionMask = (1 << pb) - 1;
    this.#probabilities = new Uint16Array(LITERALS + (LITERAL_MODEL << (lc + lp)));
  }

  /** Forgets what was learned. */
  reset(): void {
    this.#probabilities.fill(UNDECIDED);
    this.#state = 0;
    this.#distance0 = this.#distance1 = this.#distance2 = this.#distance3 = 0;
  }

  /** Begins to read at a place in the input. */
  start(input: Uint8Array, at: number): void {
    this.#range.start(input, at);
  }

  get inputPosition(): number {
    return this.#range.position;
  }

  /**
   * Decodes until at least so many bytes can be taken from the window, which must have room for them. False when the end mark
   * came first.
   */
  decode(wanted: number): boolean {
    const window = this.#window;
    const probabilities = this.#probabilities;
    while (window.untaken < wanted) {
      const position = window.position & this.#positionMask;
      if (this.#range.bit(probabilities, IS_MATCH + this.#state * POSITIONS + position) === 0) this.#literal();
      else if (!this.#match(position)) return false;
    }
    return true;
  }

  #literal(): void {
    const window = this.#window;
    const place = ((window.position & this.#literalMask) << this.#lc) + (window.before(1) >>> (8 - this.#lc));
    const model = LITERALS + LITERAL_MODEL * place;
    window.put(this.#state < 7 ? this.#plainLiteral(model) : this.#literalAfterMatch(model));
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  #plainLiteral(model: number): number {
    let symbol = 1;
    while (symbol < 0x100) symbol = (symbol << 1) | this.#range.bit(this.#probabilities, model + symbol);
    return symbol & 0xff;
  }

  /** As long as the bits are those of the byte that would have come next, that byte decides on the model. */
  #literalAfterMatch(model: number): number {
    let expected = this.#window.before(this.#distance0 + 1);
    let symbol = 1;
    while (symbol < 0x100) {
      const expectedBit = (expected >>> 7) & 1;
      expected <<= 1;
      const bit = this.#range.bit(this.#probabilities, model + ((1 + expectedBit) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (bit !== expectedBit) break;
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#range.bit(this.#probabilities, model + symbol);
    return symbol & 0xff;
  }

  /** False at the end mark. */
  #match(position: number): boolean {
    if (this.#range.bit(this.#probabilities, IS_REPEATED + this.#state) === 1) {
      this.#repeatedMatch(position);
      return true;
    }
    this.#distance3 = this.#distance2;
    this.#distance2 = this.#distance1;
    this.#distance1 = this.#distance0;
    const length = this.#length(MATCH_LENGTH, position);
    this.#distance0 = this.#newDistance(length);
    if (this.#distance0 === END_MARK) return false;
    this.#state = this.#state < 7 ? 7 : 10;
    this.#window.repeat(this.#distance0 + 1, length);
    return true;
  }

  #repeatedMatch(position: number): void {
    if (this.#range.bit(this.#probabilities, IS_NOT_LAST + this.#state) === 1) this.#chooseDistance();
    else if (this.#range.bit(this.#probabilities, IS_LONG + this.#state * POSITIONS + position) === 0) {
      this.#state = this.#state < 7 ? 9 : 11;
      this.#window.repeat(this.#distance0 + 1, 1);
      return;
    }
    const length = this.#length(REPEATED_LENGTH, position);
    this.#state = this.#state < 7 ? 8 : 11;
    this.#window.repeat(this.#distance0 + 1, length);
  }

  /** Brings the second, third or fourth of the last distances to the front. */
  #chooseDistance(): void {
    let chosen = this.#distance1;
    if (this.#range.bit(this.#probabilities, IS_NOT_SECOND + this.#state) === 1) {
      chosen = this.#distance2;
      if (this.#range.bit(this.#probabilities, IS_NOT_THIRD + this.#state) === 1) {
        chosen = this.#distance3;
        this.#distance3 = this.#distance2;
      }
      this.#distance2 = this.#distance1;
    }
    this.#distance1 = this.#distance0;
    this.#distance0 = chosen;
  }

  /** 2 to 9 in three bits, 10 to 17 in three others, 18 to 273 in eight. */
  #length(model: number, position: number): number {
    const range = this.#range;
    const probabilities = this.#probabilities;
    const low = model + 2;
    const middle = low + POSITIONS * 8;
    if (range.bit(probabilities, model) === 0) {
      return SHORTEST_MATCH + range.tree(probabilities, low + position * 8, 3);
    }
    if (range.bit(probabilities, model + 1) === 0) {
      return SHORTEST_MATCH + 8 + range.tree(probabilities, middle + position * 8, 3);
    }
    return SHORTEST_MATCH + 16 + range.tree(probabilities, middle + POSITIONS * 8, 8);
  }

  /** Six bits tell the magnitude (the two highest bits and their place); the other bits follow. */
  #newDistance(length: number): number {
    const range = this.#range;
    const probabilities = this.#probabilities;
    const slot = range.tree(probabilities, DISTANCE_SLOT + Math.min(length - SHORTEST_MATCH, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >>> 1) - 1;
    const base = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < 14) return base + range.reverseTree(probabilities, DISTANCE_REST + base - slot, bits);
    const high = (range.direct(bits - 4) << 4) >>> 0;
    return base + high + range.reverseTree(probabilities, DISTANCE_LOW, 4);
  }
}
