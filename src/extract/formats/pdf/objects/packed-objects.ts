import { PdfLexer } from './pdf-lexer.js';
import type { PdfValue } from './pdf-value.js';

/** The objects inside an object stream: `number offset` pairs, then from `First` on the objects, read when asked for. */
export class PackedObjects {
  readonly numbers: readonly number[];
  readonly #offsets: readonly number[];
  readonly #bytes: Uint8Array;

  /** @param count the value of `N` in the dictionary of the stream, and `first` that of `First` */
  constructor(bytes: Uint8Array, count: PdfValue, first: PdfValue) {
    const start = typeof first === 'number' ? first : 0;
    const lexer = new PdfLexer(bytes);
    const numbers: number[] = [];
    const offsets: number[] = [];
    for (let index = 0; typeof count === 'number' && index < count && lexer.position < bytes.length; index++) {
      const number = Number.parseInt(lexer.word(), 10);
      const offset = Number.parseInt(lexer.word(), 10);
      if (Number.isNaN(number) || Number.isNaN(offset)) break;
      numbers.push(number);
      offsets.push(start + offset);
    }
    this.numbers = numbers;
    this.#offsets = offsets;
    this.#bytes = bytes;
  }

  at(index: number): PdfValue {
    const offset = this.#offsets[index];
    return offset === undefined ? null : new PdfLexer(this.#bytes, offset).value();
  }
}
