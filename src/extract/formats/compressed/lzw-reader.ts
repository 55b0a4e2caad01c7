import { CrawlerError } from '../../../base/errors.js';

/**
 * LZW as the Unix program `compress` writes it.
 *
 * After the signature `1f 9d` a byte says how wide codes get at most (five low bits) and whether code 256 clears the table
 * (top bit). Codes have 9 bits at first, lowest bit first. Each but the first adds an entry to the table: the text of the code
 * before, and the first byte of this one's. When the table has an entry for every code of the width, codes get a bit wider.
 * They are written in groups of eight: whenever the width changes, or the table is cleared, the rest of the group is padding.
 */
const HEADER_BYTES = 3;
const FIRST_WIDTH = 9;
const MOST_WIDTH = 16;
const CLEAR = 256;
const GROUP = 8;
const PIECE_BYTES = 64 * 1024;

export function* unpackLzw(bytes: Uint8Array): Generator<Uint8Array> {
  const flags = bytes[2] ?? 0;
  const mostWidth = flags & 0x1f;
  if (mostWidth < FIRST_WIDTH || mostWidth > MOST_WIDTH) throw damaged();
  const codes = new CodeReader(bytes, mostWidth, (flags & 0x80) !== 0);
  const table = new CodeTable(1 << mostWidth, codes.clears ? CLEAR + 1 : CLEAR);
  const output = Buffer.alloc(PIECE_BYTES + (1 << mostWidth));
  let length = 0;
  for (let code = codes.next(table.size); code !== undefined; code = codes.next(table.size)) {
    if (codes.clears && code === CLEAR) {
      table.clear();
      codes.narrow();
      continue;
    }
    length += table.expand(code, output, length);
    if (length < PIECE_BYTES) continue;
    yield output.subarray(0, length);
    length = 0;
  }
  if (length > 0) yield output.subarray(0, length);
}

class CodeReader {
  readonly #bytes: Uint8Array;
  readonly #mostWidth: number;
  readonly clears: boolean;
  #width = FIRST_WIDTH;
  /** In bits. */
  #at = HEADER_BYTES * 8;
  #groupStart = HEADER_BYTES * 8;

  constructor(bytes: Uint8Array, mostWidth: number, clears: boolean) {
    this.#bytes = bytes;
    this.#mostWidth = mostWidth;
    this.clears = clears;
  }

  /** The next code, wider than before when the table has become too large. Undefined at the end. */
  next(tableSize: number): number | undefined {
    if (tableSize >= 1 << this.#width && this.#width < this.#mostWidth) this.#changeWidth(this.#width + 1);
    const end = this.#at + this.#width;
    if (end > this.#bytes.length * 8) return undefined;
    const byte = this.#at >>> 3;
    const bits = (this.#bytes[byte] ?? 0) | ((this.#bytes[byte + 1] ?? 0) << 8) | ((this.#bytes[byte + 2] ?? 0) << 16);
    const code = (bits >>> (this.#at & 7)) & ((1 << this.#width) - 1);
    this.#at = end;
    return code;
  }

  /** The table was cleared. */
  narrow(): void {
    this.#changeWidth(FIRST_WIDTH);
  }

  #changeWidth(width: number): void {
    const groupBits = GROUP * this.#width;
    this.#at = this.#groupStart + Math.ceil((this.#at - this.#groupStart) / groupBits) * groupBits;
    this.#groupStart = this.#at;
    this.#width = width;
  }
}

/** Entries are the entry before and one byte more. */
class CodeTable {
  readonly #before: Uint16Array;
  readonly #last: Uint8Array;
  readonly #lengths: Uint32Array;
  readonly #firstFree: number;
  #size: number;
  #previous: number | undefined;

  constructor(most: number, firstFree: number) {
    this.#before = new Uint16Array(most);
    this.#last = Uint8Array.from({ length: most }, (_, code) => code & 0xff);
    this.#lengths = new Uint32Array(most).fill(1, 0, CLEAR);
    this.#firstFree = firstFree;
    this.#size = firstFree;
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = this.#firstFree;
    this.#previous = undefined;
  }

  /** Writes the text of a code, adds the entry that follows from it, and returns the length of the text. */
  expand(code: number, output: Buffer, at: number): number {
    const previous = this.#previous;
    this.#previous = code;
    if (previous === undefined) {
      if (code >= CLEAR) throw damaged();
      output[at] = code;
      return 1;
    }
    if (code > this.#size || (code === this.#size && this.#size === this.#before.length)) throw damaged();
    // A code that is not in the table yet is the text before and its own first byte again.
    const isNew = code === this.#size;
    const length = this.#write(isNew ? previous : code, output, at);
    const first = output[at] ?? 0;
    if (isNew) output[at + length] = first;
    this.#add(previous, first);
    return isNew ? length + 1 : length;
  }

  #write(code: number, output: Buffer, at: number): number {
    const length = this.#lengths[code] ?? 0;
    if (length === 0) throw damaged();
    for (let to = at + length - 1, each = code; to >= at; to--, each = this.#before[each] ?? 0) {
      output[to] = this.#last[each] ?? 0;
    }
    return length;
  }

  #add(previous: number, last: number): void {
    if (this.#size === this.#before.length) return;
    this.#before[this.#size] = previous;
    this.#last[this.#size] = last;
    this.#lengths[this.#size] = (this.#lengths[previous] ?? 0) + 1;
    this.#size++;
  }
}

function damaged(): CrawlerError {
  return new CrawlerError('corrupt', 'The compressed data is damaged or cut off.');
}
