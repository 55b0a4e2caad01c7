/**
 * Calls and jumps of x86 programs (`e8` and `e9`, then four bytes of a relative address) repeat when the address is absolute.
 * The filter made it so; here it is made relative again.
 *
 * Only addresses whose highest byte is 00 or ff were changed. So that the choice can be repeated, opcodes that stand within the
 * four bytes before also count: `recent` has a bit for each of the last three places where one was left as it is, and some
 * of these combinations mean that this one was left as well.
 */
const ADDRESS_BYTES = 4;
const INSTRUCTION_BYTES = 1 + ADDRESS_BYTES;
/** The address has 25 bits; the others repeat its highest one. */
const SIGN_BITS = 7;

/** By `recent`: whether an opcode after these is changed at all. */
const IS_ALLOWED: readonly boolean[] = [true, true, true, false, true, false, false, false];
/** By `recent`: how far from the highest byte of this address the highest byte of the first open one is. */
const BYTES_BACK: readonly number[] = [0, 1, 2, 2, 3, 3, 3, 3];

export class X86Filter {
  /** Where the next byte stands in the whole. */
  #position = 0;
  #recent = 0;
  /** Bytes since the last opcode. */
  #since = INSTRUCTION_BYTES;

  /** Works on the bytes themselves. Returns how many of them are finished; the others need more bytes behind them. */
  undo(bytes: Buffer): number {
    let at = 0;
    const end = bytes.length - ADDRESS_BYTES;
    while (at < end) {
      if (((bytes[at] ?? 0) & 0xfe) !== 0xe8) {
        at++;
        this.#since++;
        continue;
      }
      const step = this.#instruction(bytes, at);
      at += step;
      this.#since = step === 1 ? 1 : INSTRUCTION_BYTES;
    }
    const done = Math.max(0, Math.min(at, bytes.length));
    this.#position += done;
    return done;
  }

  /** One opcode. Returns how many bytes are finished with it. */
  #instruction(bytes: Buffer, at: number): number {
    this.#recent = this.#since > 3 ? 0 : (this.#recent << (this.#since - 1)) & 7;
    const isOpen = this.#recent !== 0;
    const lookedAt = bytes[at + ADDRESS_BYTES - (BYTES_BACK[this.#recent] ?? 0)] ?? 0;
    const isLeft = isOpen && (IS_ALLOWED[this.#recent] !== true || isSign(lookedAt));
    if (isLeft || !isSign(bytes[at + ADDRESS_BYTES] ?? 0)) {
      this.#recent = ((this.#recent << 1) & 7) | 1;
      return 1;
    }
    const address = this.#relative(bytes.readUInt32LE(at + 1), this.#position + at + INSTRUCTION_BYTES);
    bytes.writeInt32LE((address << SIGN_BITS) >> SIGN_BITS, at + 1);
    this.#recent = 0;
    return INSTRUCTION_BYTES;
  }

  /** The address less its place; again, when the result could be taken for one that was left. */
  #relative(absolute: number, place: number): number {
    const back = (BYTES_BACK[this.#recent] ?? 0) * 8;
    for (let source = absolute; ;) {
      const address = (source - place) >>> 0;
      if (this.#recent === 0 || !isSign((address >>> (24 - back)) & 0xff)) return address;
      source = (address ^ (2 ** (32 - back) - 1)) >>> 0;
    }
  }
}

function isSign(byte: number): boolean {
  return byte === 0x00 || byte === 0xff;
}
