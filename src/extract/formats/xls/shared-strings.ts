import type { Segments } from './biff-strings.js';
import { readUnicode } from './biff-strings.js';
import { SegmentReader } from './segment-reader.js';

/**
 * The strings that cells share. They are decoded in order as far as somebody asks, since a reader that has enough text
 * needs only the first of them. Phonetic text stands behind the string that it explains.
 */
export class SharedStrings {
  readonly #reader: SegmentReader;
  readonly #count: number;
  readonly #strings: string[] = [];

  constructor(segments: Segments) {
    this.#reader = new SegmentReader(segments, 4);
    this.#count = this.#reader.uint32();
  }

  at(index: number): string {
    while (this.#strings.length <= index && this.#strings.length < this.#count && !this.#reader.atEnd) {
      const { text, phonetic } = readUnicode(this.#reader, this.#reader.uint16());
      this.#strings.push(phonetic.trim() === '' ? text : `${text} ${phonetic}`);
    }
    return this.#strings[index] ?? '';
  }
}
